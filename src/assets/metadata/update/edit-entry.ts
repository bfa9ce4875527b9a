import { KinoraError } from "../../../errors.ts";
import type { MetadataEntry, MetadataValue } from "../../documents/metadata-document.ts";
import { normaliseValue } from "../../fields/normalise-value.ts";
import type { ChangeStamp, Container, FieldEntry, GroupEntry, Metadata, TimespanEntry, ValueEntry } from "../model.ts";
import { entryFinder, type FoundEntry } from "./find-entry.ts";
import {
  definedField,
  definedGroup,
  invalid,
  isKept,
  permitted,
  referenceOf,
  type UpdateContext,
  type Updating,
} from "./update-context.ts";
import { updateFields } from "./update-field.ts";
import { contentPermitted, updateContainer } from "./update-group.ts";
import { languageOf } from "./update-values.ts";

/** What becomes of an entry: another in its place, or nothing. */
interface EntryEdit {
  readonly value?: (value: ValueEntry, field: FieldEntry) => ValueEntry | undefined;
  readonly field?: (field: FieldEntry) => FieldEntry | undefined;
  readonly group?: (group: GroupEntry) => GroupEntry | undefined;
}

/** Edits by the numbers of the entries. */
type EntryEdits = ReadonlyMap<number, EntryEdit>;

/** Entries with some of them replaced; the same array when all stay the same. */
function replaced<E extends { readonly entry: number }>(
  entries: readonly E[],
  replace: (entry: E) => E | undefined,
): readonly E[] {
  let changed = false;
  const result: E[] = [];
  for (const entry of entries) {
    const after = replace(entry);
    changed ||= after !== entry;
    if (after !== undefined) result.push(after);
  }
  return changed ? result : entries;
}

function editValues(field: FieldEntry, edits: EntryEdits, stamp: ChangeStamp): FieldEntry | undefined {
  const values = replaced(field.values, (value) => {
    const edit = edits.get(value.entry)?.value;
    return edit === undefined ? value : edit(value, field);
  });
  if (values === field.values) return field;
  return values.length === 0 ? undefined : { ...field, values, change: stamp };
}

function editContainer<C extends Container>(container: C, edits: EntryEdits, stamp: ChangeStamp): C {
  const fields = replaced(container.fields, (field) => {
    const after = editValues(field, edits, stamp);
    const edit = edits.get(field.entry)?.field;
    return edit === undefined || after === undefined ? after : edit(after);
  });
  const groups = replaced(container.groups, (group) => {
    const after = editContainer(group, edits, stamp);
    const edit = edits.get(group.entry)?.group;
    return edit === undefined ? after : edit(after);
  });
  return fields === container.fields && groups === container.groups ? container : { ...container, fields, groups };
}

function editTimespans(metadata: Metadata, edits: EntryEdits, stamp: ChangeStamp): readonly TimespanEntry[] {
  let changed = false;
  const timespans = metadata.timespans.map((timespan) => {
    const after = editContainer(timespan, edits, stamp);
    changed ||= after !== timespan;
    return after;
  });
  if (!changed) return metadata.timespans;
  return timespans.filter(({ fields, groups }) => fields.length > 0 || groups.length > 0);
}

function nameOf(found: FoundEntry): string {
  return found.kind === "group" ? found.group.name : found.field.name;
}

/** Refuses what the caller may not write, and what only the server writes. */
function requireWritable(found: FoundEntry, updating: Updating): void {
  const name = nameOf(found);
  for (const group of found.groups) permitted(updating, "group", group.name);
  permitted(updating, found.kind === "group" ? "group" : "field", name);
  if (found.kind !== "group" && isKept(name)) throw keptByService(name);
}

/** Refuses also what must not go: fields of the system, and groups with fields that the caller may not write. */
function requireRemovable(found: FoundEntry, updating: Updating): void {
  requireWritable(found, updating);
  if (found.kind === "group") contentPermitted(found.group, updating);
  else if (updating.field(found.field.name)?.system) throw keptByService(found.field.name);
}

function keptByService(name: string): KinoraError {
  return new KinoraError("forbidden", {
    context: "metadata-field",
    id: name,
    explanation: `The field ${name} is kept by the service`,
  });
}

function withTimespans(
  current: Metadata,
  timespans: readonly TimespanEntry[],
  nextEntry: number,
  stamp: ChangeStamp,
): Metadata {
  return timespans === current.timespans ? current : { ...current, timespans, nextEntry, last: stamp };
}

function changedValue(updating: Updating, document: MetadataValue) {
  return (value: ValueEntry, field: FieldEntry): ValueEntry | undefined => {
    if (document.mode === "remove") return undefined;
    const text = normaliseValue(definedField(updating, field.name), document.value ?? "");
    if (text === undefined) return undefined;
    const language = languageOf(field.name, document) ?? value.language;
    if (value.text === text && value.language === language) return value;
    const changed = { text, entry: value.entry, change: updating.stamp };
    return language === undefined ? changed : { ...changed, language };
  };
}

/** A value, field or group of a document, and the UUID of the entry that it is put on. */
export interface EntryUpdate {
  readonly uuid: string;
  readonly document: MetadataEntry;
}

/**
 * The metadata after some of its values, fields and groups were changed, or with `mode="remove"` taken away. A field's or
 * group's document is put on it as on its place in a document of the whole. Of several updates of one entry the last
 * holds. Linear in the sizes of metadata and documents.
 *
 * @throws KinoraError `not-found` when a UUID names no entry; `invalid-input` when a document is of another kind than the
 * entry; and what updates throw
 */
export function applyEntries(current: Metadata, updates: readonly EntryUpdate[], context: UpdateContext): Metadata {
  let nextEntry = current.nextEntry;
  const updating: Updating = { ...context, skipForbidden: false, nextEntry: () => nextEntry++ };
  const find = entryFinder(current, context);
  const edits = new Map<number, EntryEdit>();
  for (const { uuid, document } of updates) {
    const found = find(uuid);
    const given = document[found.kind];
    if (given === undefined) {
      throw invalid(`The entry ${uuid} is a ${found.kind}, and the document has none`, { id: uuid });
    }
    if (given.mode === "remove") requireRemovable(found, updating);
    else requireWritable(found, updating);
    edits.set(found.entry, editOf(document, updating));
  }
  return withTimespans(current, editTimespans(current, edits, context.stamp), nextEntry, context.stamp);
}

function editOf({ value, field, group }: MetadataEntry, updating: Updating): EntryEdit {
  return {
    ...(value === undefined ? {} : { value: changedValue(updating, value) }),
    ...(field === undefined ? {} : { field: changedField(updating, field) }),
    ...(group === undefined ? {} : { group: changedGroup(updating, group) }),
  };
}

function changedField(updating: Updating, document: NonNullable<MetadataEntry["field"]>) {
  return (before: FieldEntry): FieldEntry | undefined => {
    const { name, track } = before;
    return updateFields([before], [{ ...document, name, track, uuid: undefined }], updating)[0];
  };
}

function changedGroup(updating: Updating, document: NonNullable<MetadataEntry["group"]>) {
  return (group: GroupEntry): GroupEntry | undefined => {
    definedGroup(updating, group.name);
    if (document.mode === "remove") return undefined;
    const inner = document.referenced === undefined ? updateContainer(group, document, updating) : group;
    const reference = referenceOf(document);
    if (reference === undefined || reference === group.reference) return inner;
    return { ...inner, reference, change: updating.stamp };
  };
}

/** The metadata without one entry. @throws KinoraError `not-found`, `forbidden` */
export function removeEntry(current: Metadata, uuid: string, context: UpdateContext): Metadata {
  const found = entryFinder(current, context)(uuid);
  requireRemovable(found, { ...context, skipForbidden: false, nextEntry: () => current.nextEntry });
  const nothing = () => undefined;
  const edits = new Map([[found.entry, { value: nothing, field: nothing, group: nothing }]]);
  return withTimespans(current, editTimespans(current, edits, context.stamp), current.nextEntry, context.stamp);
}
