import { KinoraError } from "../../../errors.ts";
import type { MetadataFieldValue, MetadataGroupValue } from "../../documents/metadata-document.ts";
import type { FieldDefinition, GroupDefinition } from "../../fields/field-definition.ts";
import type { ChangeStamp, Container } from "../model.ts";

/** What an update of metadata needs to know besides the metadata and the document. */
export interface UpdateContext {
  /** Of the change set that the update becomes. */
  readonly stamp: ChangeStamp;
  readonly field: (name: string) => FieldDefinition | undefined;
  readonly group: (name: string) => GroupDefinition | undefined;
  /** The number of an entry of this entity; `undefined` for a UUID of any other. */
  readonly entryOf: (uuid: string) => number | undefined;
  /** Whether the caller may write the field or group. */
  readonly mayWrite: (kind: "field" | "group", name: string) => boolean;
  /** Leave out what the caller may not write, rather than refuse the whole update. Default `false`. */
  readonly skipForbidden?: boolean;
  /** The service itself writes: nothing is kept from it. Default `false`. */
  readonly system?: boolean;
  /** The entity is new: UUIDs in the document are those of another one, and name nothing. Default `false`. */
  readonly isNew?: boolean;
  /** What the entity inherits in a timespan, by `timeSpanKey`, for telling what is given back from what is its own. */
  readonly inherited?: (span: string) => Container;
}

/** An update in progress: the context, and the numbers of new entries. */
export interface Updating extends UpdateContext {
  nextEntry(): number;
}

/** Fields that the server keeps itself: they are answered, and what a document says of them is passed over. */
const keptFields: ReadonlySet<string> = new Set(["user", "itemId", "collectionId", "created", "shapeTag"]);

/** Whether a field is the server's alone: transient fields, whose names begin with `__`, and those of identity. */
export function isKept(name: string): boolean {
  return name.startsWith("__") || keptFields.has(name);
}

/**
 * The UUID that a field or group of a document refers to. What an answer showed through a reference comes back with
 * `referenced`, which stands for the reference: the content is that of the other entry.
 */
export function referenceOf({ reference, referenced }: MetadataFieldValue | MetadataGroupValue): string | undefined {
  return reference === undefined || reference === "" ? referenced?.uuid : reference;
}

/** A text of a document that breaks a rule of the update itself. */
export function invalid(
  explanation: string,
  details: { readonly id?: string; readonly value?: string } = {},
): KinoraError {
  return new KinoraError("invalid-input", { context: "metadata", explanation, ...details });
}

/** The UUID of an entry that is not there. */
export function unknownEntry(uuid: string): KinoraError {
  return new KinoraError("not-found", { type: "metadata-entry", id: uuid });
}

/** The definition of a field. @throws KinoraError `not-found` with type `metadata-field`. */
export function definedField(updating: Updating, name: string): FieldDefinition {
  const definition = updating.field(name);
  if (definition === undefined) throw new KinoraError("not-found", { type: "metadata-field", id: name });
  return definition;
}

/** The definition of a field group. @throws KinoraError `not-found` with type `field-group`. */
export function definedGroup(updating: Updating, name: string): GroupDefinition {
  const definition = updating.group(name);
  if (definition === undefined) throw new KinoraError("not-found", { type: "field-group", id: name });
  return definition;
}

/**
 * Whether the update goes on with a field or group: `false` when it is to be left out.
 *
 * @throws KinoraError `forbidden` when the caller may not write it, and did not ask to leave such things out
 */
export function permitted(updating: Updating, kind: "field" | "group", name: string): boolean {
  if (updating.system || updating.mayWrite(kind, name)) return true;
  if (updating.skipForbidden) return false;
  throw new KinoraError("forbidden", {
    context: kind === "field" ? "metadata-field" : "field-group",
    id: name,
    explanation: `The access list of the ${kind === "field" ? "field" : "field group"} ${name} does not let the caller write it`,
  });
}
