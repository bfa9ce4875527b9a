import { KinoraError } from "../../../errors.ts";
import type { MetadataEntry, MetadataValue } from "../../documents/metadata-document.ts";
import { normaliseValue } from "../../fields/normalise-value.ts";
import type { ChangeStamp, Container, FieldEntry, GroupEntry, Metadata, TimespanEntry, ValueEntry } from "../model.ts";
import { type FoundEntry, requireEntry } from "./find-entry.ts";
import {
  definedField,
  definedGroup,
  invalid,
  isKept,
  permitted,
  type UpdateContext,
  type Updating,
} from "./update-context.ts";
import { updateFields } from "./update-field.ts";
import { updateContainer } from "./update-group.ts";

/** What becomes of the one entry with a number: another in its place, or nothing. */
interface EntryEdit {
  readonly entry: number;
  readonly value?: (value: ValueEntry, field: FieldEntry) => ValueEntry | undefined;
  readonly field?: (field: FieldEntry) => FieldEntry | undefined;
  readonly group?: (group: GroupEntry) => GroupEntry | undefined;
}

/** Entries with the one that has the number replaced; the same array when it is not there or stays the same. */
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

function editField(field: FieldEntry, edit: EntryEdit, stamp: ChangeStamp): FieldEntry | undefined {
  if (field.entry === edit.entry) return edit.field === undefined ? field : edit.field(field);
  const { value } = edit;
  if (value === undefined) return field;
  const values = replaced(field.values, (one) => (one.entry === edit.entry ? value(one, field) : one));
  if (values === field.values) return field;
  return values.length === 0 ? undefined : { ...field, values, change: stamp };
}

function editContainer<C extends Container>(container: C, edit: EntryEdit, stamp: ChangeStamp): C {
  const fields = replaced(container.fields, (field) => editField(field, edit, stamp));
  const groups = replaced(container.groups, (group) => {
    if (group.entry === edit.entry) return edit.group === undefined ? group : edit.group(group);
    return editContainer(group, edit, stamp);
  });
  return fields === container.fields && groups === container.groups ? container : { ...container, fields, groups };
}

function editTimespans(metadata: Metadata, edit: EntryEdit, stamp: ChangeStamp): readonly TimespanEntry[] {
  let changed = false;
  const timespans = metadata.timespans.map((timespan) => {
    const after = editContainer(timespan, edit, stamp);
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
  permitted({ ...updating, skipForbidden: false }, found.kind === "group" ? "group" : "field", name);
  if (found.kind === "group" || updating.system || !isKept(name)) return;
  throw new KinoraError("forbidden", {
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
    const language = document.lang === undefined || document.lang === "" ? value.language : document.lang;
    if (value.text === text && value.language === language) return value;
    const changed = { text, entry: value.entry, change: updating.stamp };
    return language === undefined ? changed : { ...changed, language };
  };
}

/**
 * The metadata after one of its values, fields or groups was changed, or with `mode="remove"` taken away. A field's or
 * group's document is put on it as on its place in a document of the whole.
 *
 * @throws KinoraError `not-found` when the UUID names no entry; `invalid-input` when the document is of another kind than
 * the entry; and what updates throw
 */
export function applyEntry(current: Metadata, uuid: string, document: MetadataEntry, context: UpdateContext): Metadata {
  let nextEntry = current.nextEntry;
  const updating: Updating = { ...context, nextEntry: () => nextEntry++ };
  const found = requireEntry(current, context, uuid);
  requireWritable(found, updating);
  const { value, field, group } = document;
  const given = { value, field, group }[found.kind];
  if (given === undefined) {
    throw invalid(`The entry ${uuid} is a ${found.kind}, and the document has none`, { id: uuid });
  }
  const entry = context.entryOf(uuid) ?? 0;
  const edit: EntryEdit = {
    entry,
    ...(value === undefined ? {} : { value: changedValue(updating, value) }),
    ...(field === undefined
      ? {}
      : {
          field: (before) =>
            updateFields(
              [before],
              [{ ...field, name: before.name, track: before.track, uuid: undefined }],
              updating,
            )[0],
        }),
    ...(group === undefined ? {} : { group: changedGroup(updating, group) }),
  };
  return withTimespans(current, editTimespans(current, edit, context.stamp), nextEntry, context.stamp);
}

function changedGroup(updating: Updating, document: NonNullable<MetadataEntry["group"]>) {
  return (group: GroupEntry): GroupEntry | undefined => {
    definedGroup(updating, group.name);
    if (document.mode === "remove") return undefined;
    const inner = updateContainer(group, document, updating);
    const { reference } = document;
    if (reference === undefined || reference === "" || reference === group.reference) return inner;
    return { ...inner, reference, change: updating.stamp };
  };
}

/** The metadata without one entry. @throws KinoraError `not-found`, `forbidden` */
export function removeEntry(current: Metadata, uuid: string, context: UpdateContext): Metadata {
  const found = requireEntry(current, context, uuid);
  requireWritable(found, { ...context, nextEntry: () => current.nextEntry });
  const nothing = () => undefined;
  const edit = { entry: context.entryOf(uuid) ?? 0, value: nothing, field: nothing, group: nothing };
  return withTimespans(current, editTimespans(current, edit, context.stamp), current.nextEntry, context.stamp);
}
