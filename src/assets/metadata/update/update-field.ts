import type { MetadataFieldValue, MetadataValue } from "../../documents/metadata-document.ts";
import type { FieldEntry, ValueEntry } from "../model.ts";
import {
  definedField,
  invalid,
  isKept,
  permitted,
  referenceOf,
  type Updating,
  unknownEntry,
} from "./update-context.ts";
import { updateValues } from "./update-values.ts";

const trackPattern = /^[A-Za-z]{1,16}[1-9][0-9]{0,5}$/;

/** What the document says of one field of one timespan or group and track. */
interface FieldUpdate {
  readonly name: string;
  readonly track: string | undefined;
  readonly removed: boolean;
  readonly reference: string | undefined;
  readonly values: readonly MetadataValue[];
}

/** The elements for one field, which together are one. */
interface FieldElements {
  readonly first: FieldUpdate;
  readonly further: FieldUpdate[];
}

function fieldKey(name: string, track: string | undefined): string {
  return track === undefined ? name : `${name}\n${track}`;
}

function trackOf(field: MetadataFieldValue): string | undefined {
  if (field.track === undefined || field.track === "") return undefined;
  if (trackPattern.test(field.track)) return field.track;
  throw invalid(`${JSON.stringify(field.track.slice(0, 100))} is not a track such as V1 or A2`, {
    value: field.track.slice(0, 100),
  });
}

/** The names of the fields that are there, by the numbers of their entries. */
type NamesByEntry = () => ReadonlyMap<number | undefined, string>;

function namesOf(existing: readonly FieldEntry[]): NamesByEntry {
  let names: ReadonlyMap<number | undefined, string> | undefined;
  return () => {
    names ??= new Map(existing.map(({ entry, name }) => [entry, name]));
    return names;
  };
}

/** The field by its name, or by its UUID where it has no name. */
function nameOf(field: MetadataFieldValue, names: NamesByEntry, updating: Updating): string {
  if (field.name !== undefined && field.name !== "") return field.name;
  if (field.uuid === undefined) throw invalid("A field has neither name nor uuid");
  const name = names().get(updating.entryOf(field.uuid));
  if (name === undefined) throw unknownEntry(field.uuid);
  return name;
}

/** What one element of the document says, by itself. */
function readField(field: MetadataFieldValue, name: string): FieldUpdate {
  const track = trackOf(field);
  const reference = referenceOf(field);
  const isShown = field.referenced !== undefined && reference === field.referenced.uuid;
  const values = isShown ? none : valuesOf(field);
  const removed = values.length === 0 && (field.mode === "remove" || reference === undefined);
  return { name, track, values, reference, removed };
}

/** Several elements for the same field are one. */
function together({ first, further }: FieldElements): FieldUpdate {
  if (further.length === 0) return first;
  const all = [first, ...further];
  const values = all.flatMap((one) => one.values);
  const reference = all.find((one) => one.reference !== undefined)?.reference;
  return { ...first, values, reference, removed: values.length === 0 && reference === undefined };
}

/** What the document says of each field, in the order in which the fields first come. */
function wantedFields(
  update: readonly MetadataFieldValue[],
  existing: readonly FieldEntry[],
  updating: Updating,
): ReadonlyMap<string, FieldElements> {
  const wanted = new Map<string, FieldElements>();
  const names = namesOf(existing);
  for (const field of update) {
    const name = nameOf(field, names, updating);
    if (!updating.system && isKept(name)) continue;
    const read = readField(field, name);
    const key = fieldKey(name, read.track);
    const known = wanted.get(key);
    if (known === undefined) wanted.set(key, { first: read, further: [] });
    else known.further.push(read);
  }
  return wanted;
}

const none: readonly never[] = [];

/** The mode of a field stands for that of those values that have none. */
function valuesOf(field: MetadataFieldValue): readonly MetadataValue[] {
  const { mode, value = none } = field;
  return mode === undefined ? value : value.map((one) => (one.mode === undefined ? { ...one, mode } : one));
}

function fieldEntry(
  { name, track, reference }: FieldUpdate,
  entry: number,
  values: readonly ValueEntry[],
  updating: Updating,
): FieldEntry {
  const field = { name, entry, change: updating.stamp, values };
  if (track === undefined && reference === undefined) return field;
  return { ...field, ...(track === undefined ? {} : { track }), ...(reference === undefined ? {} : { reference }) };
}

function updateField(
  existing: FieldEntry | undefined,
  update: FieldUpdate,
  updating: Updating,
): FieldEntry | undefined {
  const definition = definedField(updating, update.name);
  if (!permitted(updating, "field", update.name)) return existing;
  const without = definition.system && !updating.system ? existing : undefined;
  if (update.removed) return without;
  const entry = existing?.entry ?? updating.nextEntry();
  if (update.reference !== undefined) {
    return existing?.reference === update.reference ? existing : fieldEntry(update, entry, none, updating);
  }
  const before = existing?.values ?? none;
  const values = updateValues(definition, before, update.values, updating);
  if (values === before && existing !== undefined && existing.reference === undefined) return existing;
  return values.length === 0 ? without : fieldEntry(update, entry, values, updating);
}

/**
 * The fields of a timespan or group after an update. A field of the document without values, or with `mode="remove"`,
 * takes the field away, but for a field of the system. The same array when nothing changes.
 *
 * @throws KinoraError `not-found` for a field that is not defined, `forbidden` for one that the caller may not write,
 * and what its values throw
 */
export function updateFields(
  existing: readonly FieldEntry[],
  update: readonly MetadataFieldValue[],
  updating: Updating,
): readonly FieldEntry[] {
  if (update.length === 0) return existing;
  const byKey = new Map<string, FieldEntry | undefined>();
  for (const field of existing) byKey.set(fieldKey(field.name, field.track), field);
  let changed = false;
  for (const [key, wanted] of wantedFields(update, existing, updating)) {
    const before = byKey.get(key);
    const after = updateField(before, together(wanted), updating);
    if (before === after) continue;
    changed = true;
    byKey.set(key, after);
  }
  if (!changed) return existing;
  const fields: FieldEntry[] = [];
  for (const field of byKey.values()) if (field !== undefined) fields.push(field);
  return fields;
}
