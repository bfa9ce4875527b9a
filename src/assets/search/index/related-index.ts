import type { FieldType } from "../../fields/field-types.ts";
import type { RelatedIndex, RelatedKind } from "../../related-index-port.ts";
import { searchKey, wordPrefixOf } from "../kinds.ts";
import type { SearchedFields } from "../query/criteria-context.ts";
import { type IndexField, indexFieldOf } from "../tokens/field-analysis.ts";
import { kindToken } from "../tokens/token.ts";
import { addValueTokens } from "../tokens/value-tokens.ts";
import { removeEntities, removeOrder } from "./index-statements.ts";
import { orderOf, sortRowsInJson, valuesByField, valuesInJson } from "./sort-rows.ts";

const silent = { silent: true } as const;

/** A field of shapes or files. Its key is its name, written so that it can be part of a token. */
export function relatedField(kind: RelatedKind, name: string, type: FieldType): IndexField | undefined {
  const escaped = name.replace(/[^a-z0-9_]/g, (character) => `.${character.codePointAt(0)?.toString(16)}.`);
  const field = indexFieldOf({ name, id: 0, type, index: "index", fullText: true });
  return field && { ...field, key: `${kind}.${escaped}` };
}

/**
 * The fields of shapes or files, for searching.
 *
 * @param types types by name
 * @param others type of the fields that are not named: key-value metadata; without it there are no others
 */
export function relatedFields(
  kind: RelatedKind,
  types: Readonly<Record<string, FieldType>>,
  others?: FieldType,
): SearchedFields {
  const known = new Map(Object.entries(types));
  return {
    field(name) {
      const type = known.get(name) ?? others;
      if (type === undefined) return undefined;
      const field = relatedField(kind, name, type);
      return field === undefined ? "hidden" : { store: "index", field };
    },
  };
}

/** The index of shapes and files: an entity is written as a whole, in place of what was there. */
export function createRelatedIndex(): RelatedIndex {
  return {
    entity(change, { kind, serial, fields }) {
      const key = searchKey(kind, serial);
      const tokens = [kindToken(kind)];
      const values: { readonly field: IndexField; readonly text: string }[] = [];
      for (const { name, type, text } of fields) {
        const field = relatedField(kind, name, type);
        if (field === undefined) continue;
        addValueTokens(tokens, field, text, wordPrefixOf(kind));
        values.push({ field, text });
      }
      change.add({ sql: "insert into search_document (id) values (?) on conflict do nothing", args: [key] }, silent);
      removeOrder(change, [key]);
      const order = orderOf(valuesByField(values, "sortable"));
      if (order.length > 0) {
        change.add(
          {
            sql:
              "insert or replace into search_sort (field, value, id, ends) " +
              "select value ->> 0, value ->> 1, ?1, value ->> 2 from json_each(?2)",
            args: [key, sortRowsInJson(order)],
          },
          silent,
        );
      }
      change.add(
        {
          sql: "insert or replace into search_value (id, value) values (?, jsonb(?))",
          args: [key, valuesInJson(valuesByField(values, "valued"))],
        },
        silent,
      );
      change.add(
        { sql: "insert or replace into search_index (rowid, tokens) values (?, ?)", args: [key, tokens.join(" ")] },
        silent,
      );
    },
    removeEntity(change, kind, serials) {
      removeEntities(
        change,
        serials.map((serial) => searchKey(kind, serial)),
        false,
      );
    },
  };
}
