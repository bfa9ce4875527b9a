import type { Change } from "../../../store/change.ts";
import { type EntityKind, entityKey } from "../../entity.ts";
import type { IndexedEntity, IndexedValue, MetadataIndex } from "../../index-port.ts";
import { kindToken } from "../tokens/token.ts";
import { addValueTokens } from "../tokens/value-tokens.ts";
import { cut } from "../tokens/words.ts";
import { tokenText } from "./entity-tokens.ts";
import { type GroupStyle, groupRows, touchedGroups } from "./group-rows.ts";
import { removeEntities, removeGroups, writeGroups } from "./index-statements.ts";
import { modifiedField, ownerField } from "./own-fields.ts";
import {
  fieldValues,
  highest,
  lowest,
  type SortRow,
  sortRowChanges,
  sortRowsInJson,
  type ValuesByField,
  valuesByField,
  valuesInJson,
} from "./sort-rows.ts";
import { longestSortText } from "./sort-value.ts";
import { setTransient } from "./transient.ts";

export interface MetadataIndexOptions {
  /** How instances of groups are indexed. Default: each on its own. After a change everything is to be indexed anew. */
  readonly groupStyle?: () => GroupStyle;
}

/** The index of items, collections and documents: everything is written with the change that made it so. */
export function createMetadataIndex({ groupStyle = separately }: MetadataIndexOptions = {}): MetadataIndex {
  function write(change: Change, entity: IndexedEntity): void {
    const { key, created, values } = entity;
    writeDocument(change, entity);
    writeOrder(change, entity);
    writeTokens(change, entity);
    const style = groupStyle();
    const touched = touchedGroups(created ? values : [...entity.added, ...entity.removed], style);
    if (touched.size > 0) {
      const rows = groupRows(values, style, touched);
      const gone = created ? [] : [...touched].filter((entry) => !rows.some((row) => row.entry === entry));
      removeGroups(change, key, gone);
      writeGroups(change, key, rows);
    }
    if (entity.owner !== undefined) setOwner(change, entity, entity.owner);
  }

  return {
    write,
    transient(change, kind, serials, field, values) {
      setTransient(change, keysOf(kind, serials), field, values);
    },
    later(change, kind, serials) {
      const sql = "insert into search_queue (id) select value from json_each(?) where true on conflict do nothing";
      change.add({ sql, args: [JSON.stringify(keysOf(kind, serials))] }, silent);
    },
    remove(change, kind, serials) {
      removeEntities(change, keysOf(kind, serials), kind === "item" || kind === "collection");
    },
  };
}

const silent = { silent: true } as const;
const separately = (): GroupStyle => "separate";

function keysOf(kind: EntityKind, serials: readonly number[]): readonly number[] {
  return serials.map((serial) => entityKey(kind, serial));
}

function writeDocument(change: Change, { key, created, values, added, removed }: IndexedEntity): void {
  const isTimed = ({ span }: IndexedValue) => span !== undefined;
  if (!created && !added.some(isTimed) && !removed.some(isTimed)) return;
  const sql =
    "insert into search_document (id, timed) values (?, ?) on conflict (id) do update set timed = excluded.timed";
  change.add({ sql, args: [key, values.some(isTimed) ? 1 : 0] }, silent);
}

function setOwner(change: Change, { key, created }: IndexedEntity, owner: string): void {
  if (!created) {
    setTransient(change, [key], ownerField, [owner]);
    return;
  }
  const sql =
    "insert or ignore into search_transient (id, field, value) " +
    "select ?, id, ? from search_transient_field where name = ?";
  change.add({ sql, args: [key, cut(owner, longestSortText), ownerField] }, silent);
}

function writeTokens(change: Change, { key, kind, values, modifiedAt }: IndexedEntity): void {
  const modified: string[] = [];
  addValueTokens(modified, modifiedField, new Date(modifiedAt).toISOString());
  const text = tokenText([kindToken(kind)], values, modified);
  change.add({ sql: "insert or replace into search_index (rowid, tokens) values (?, ?)", args: [key, text] }, silent);
}

/** The order is brought up to date by difference, before the values that tell the former time of the last write. */
function writeOrder(change: Change, entity: IndexedEntity): void {
  const { key, values, created, added, removed, modifiedAt } = entity;
  const fields = fieldValues(values);
  const now = valuesByField(fields, "sortable");
  const { put, drop } = sortRowChanges(created ? new Map() : former(now, values, added, removed), now);
  if (!created) {
    change.add(
      {
        sql:
          "delete from search_sort where field = ?1 and id = ?2 and " +
          `value = (select value ->> '$."${modifiedField.key}"[0]' from search_value where id = ?2)`,
        args: [modifiedField.key, key],
      },
      silent,
    );
  }
  // One by one: out of a list the database would look them up by their field alone, through all entities.
  for (const { field, value } of drop) {
    const sql = "delete from search_sort where field = ? and value = ? and id = ?";
    change.add({ sql, args: [field, value, key] }, silent);
  }
  const modified: SortRow = { field: modifiedField.key, value: modifiedAt, ends: lowest + highest };
  change.add(
    {
      sql:
        "insert or replace into search_sort (field, value, id, ends) " +
        "select value ->> 0, value ->> 1, ?1, value ->> 2 from json_each(?2)",
      args: [key, sortRowsInJson([...put, modified])],
    },
    {
      silent: true,
    },
  );
  const all = new Map(valuesByField(fields, "valued")).set(modifiedField.key, [modifiedAt]);
  change.add(
    { sql: "insert or replace into search_value (id, value) values (?, jsonb(?))", args: [key, valuesInJson(all)] },
    silent,
  );
}

/** The values that the index was given before, in the fields that changed; the others are as they are now. */
function former(
  now: ValuesByField,
  values: readonly IndexedValue[],
  added: readonly IndexedValue[],
  removed: readonly IndexedValue[],
): ValuesByField {
  const changed = valuesByField(fieldValues([...added, ...removed]), "sortable");
  const fresh = new Set(added.map(({ entry }) => entry));
  const kept = values.filter((value) => !fresh.has(value.entry));
  const before = valuesByField(fieldValues([...kept, ...removed]), "sortable");
  const result = new Map(now);
  for (const field of changed.keys()) {
    const list = before.get(field);
    if (list === undefined) result.delete(field);
    else result.set(field, list);
  }
  return result;
}
