import { KinoraError } from "../../errors.ts";
import type { SimpleMetadata } from "../../identity/documents.ts";
import { type KeyValueOwner, putKeyValues } from "../../identity/key-values.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import type { MetadataField } from "../documents/field-document.ts";
import { type DefinitionEditing, editDefinitions, noSuchDefinition, requireField } from "./definition-editing.ts";
import { checkFieldName } from "./definition-names.ts";
import { withField } from "./definitions.ts";
import type { FieldDefinition } from "./field-definition.ts";
import { fieldFromDocument } from "./field-documents.ts";
import type { StoredField } from "./read-definitions.ts";
import { isBuiltIn } from "./system-fields.ts";

/** Values in the enumeration of a field. */
export const mostValues = 100_000;

/** Whose extra data is that of a field. */
export function fieldData(name: string): KeyValueOwner {
  return {
    entity: "metadata-field",
    row: { sql: "(select id from metadata_field where name = ?)", args: [name] },
    missing: noSuchDefinition(name),
  };
}

/** A new field's row, or the new definition of a field that exists. */
function storeField(change: Change, id: number, name: string, stored: StoredField): void {
  change.add(
    {
      sql: `insert into metadata_field (id, name, definition) values (?, ?, ?)
        on conflict (name) do update set definition = excluded.definition`,
      args: [id, name, JSON.stringify(stored)],
    },
    { silent: true },
  );
}

/** Adds a field, or what a document makes of one that exists, to a change; answers the definition. */
export async function putFieldInto(
  editing: DefinitionEditing,
  change: Change,
  name: string,
  document: MetadataField,
  before: FieldDefinition | undefined,
): Promise<FieldDefinition> {
  if (before === undefined) checkFieldName(name);
  const stored = fieldFromDocument(name, document, before);
  const id = before?.id ?? (await editing.store.ids.nextSerial("metadata-field"));
  const after = { ...stored, id, name };
  if (before?.system) requireSameType(before, after);
  storeField(change, id, name, stored);
  if (document.data !== undefined) putKeyValues(change, fieldData(name), { field: document.data });
  if (document.values !== undefined) putEnumerationInto(change, name, document.values);
  for (const observer of editing.observers) observer.fieldChanged(change, before, after);
  return after;
}

function requireSameType(before: FieldDefinition, after: FieldDefinition): void {
  if (before.type === after.type) return;
  throw new KinoraError("conflict", {
    context: "metadata-field",
    id: before.name,
    explanation: `The field ${before.name} belongs to the service, and stays of the type ${before.type}`,
  });
}

/**
 * Creates a field, or changes one: what the document leaves out stays.
 *
 * @throws KinoraError `invalid-input` for an illegal name, a name in the document that differs from the path's, or a
 * restriction that makes no sense; `conflict` for a type whose values are of another kind
 */
export async function putField(
  editing: DefinitionEditing,
  name: string,
  document: MetadataField,
): Promise<FieldDefinition> {
  if (document.name !== undefined && document.name !== name) {
    throw new KinoraError("invalid-input", {
      context: "metadata-field",
      value: document.name,
      explanation: `The document is of the field ${document.name}, the path of the field ${name}`,
    });
  }
  const edit = await editDefinitions(editing, async (definitions, change) => ({
    definitions,
    field: await putFieldInto(editing, change, name, document, definitions.field(name)),
  }));
  editing.definitions.edited(withField(edit.definitions, edit.field));
  return edit.field;
}

/**
 * Deletes a field with its place in groups, its access list and its extra data. Its values are no longer shown.
 *
 * @throws KinoraError `not-found`; `forbidden` for a field of the service
 */
export async function deleteField(editing: DefinitionEditing, name: string): Promise<void> {
  await editDefinitions(editing, (definitions, change) => {
    const field = requireField(definitions, name);
    if (field.system || isBuiltIn(name)) {
      throw new KinoraError("forbidden", {
        context: "metadata-field",
        id: name,
        explanation: `The field ${name} belongs to the service and cannot be deleted`,
      });
    }
    change.add(
      { sql: "delete from metadata_field_group_member where kind = 'field' and member_id = ?", args: [field.id] },
      { sql: "delete from key_value where entity = 'metadata-field' and entity_id = ?", args: [field.id] },
      { sql: "delete from metadata_field_access where field_id = ?", args: [field.id] },
      { sql: "delete from metadata_field where id = ?", args: [field.id] },
    );
    for (const observer of editing.observers) observer.fieldChanged(change, field, undefined);
  });
}

/** The text of an enumeration: pairs in their order. */
function putEnumerationInto(change: Change, name: string, values: SimpleMetadata): void {
  const pairs = (values.field ?? []).map(({ key, value }) => [key, value]);
  if (pairs.length > mostValues) {
    throw new KinoraError("invalid-input", {
      context: "metadata-field",
      id: name,
      explanation: `An enumeration has at most ${mostValues} values`,
    });
  }
  change.add(
    { sql: "update metadata_field set enumeration = ? where name = ?", args: [JSON.stringify(pairs), name] },
    { silent: true },
  );
}

/** Replaces the enumeration of a field. @throws KinoraError `not-found`, `invalid-input` for too many values */
export async function putEnumeration(editing: DefinitionEditing, name: string, values: SimpleMetadata): Promise<void> {
  await editDefinitions(editing, (definitions, change) => {
    requireField(definitions, name);
    putEnumerationInto(change, name, values);
  });
}

/** Which values of an enumeration are wanted: each filter that is given must hold. */
export interface EnumerationFilter {
  readonly hits?: number | undefined;
  readonly key: ValueFilter;
  readonly value: ValueFilter;
}

/** A value as a whole, its beginning, or a pattern that a part of it matches. */
export interface ValueFilter {
  readonly exact?: string | undefined;
  readonly start?: string | undefined;
  readonly finds?: ((text: string) => boolean) | undefined;
}

function passes({ exact, start, finds }: ValueFilter, text: string): boolean {
  return (
    (exact === undefined || text === exact) &&
    (start === undefined || text.startsWith(start)) &&
    (finds === undefined || finds(text))
  );
}

/** The enumeration of a field. @throws KinoraError `not-found` for an unknown field */
export async function readEnumeration(
  store: Store,
  name: string,
  filter: EnumerationFilter = { key: {}, value: {} },
): Promise<SimpleMetadata> {
  const [row] = await store.query({ sql: "select enumeration from metadata_field where name = ?", args: [name] });
  if (row === undefined) throw noSuchDefinition(name);
  const pairs = typeof row.enumeration === "string" ? (JSON.parse(row.enumeration) as [string, string][]) : [];
  const field = pairs
    .filter(([key, value]) => passes(filter.key, key) && passes(filter.value, value))
    .slice(0, filter.hits)
    .map(([key, value]) => ({ key, value }));
  return { field };
}
