import type { MetadataFieldValue, MetadataValue } from "../../documents/metadata-document.ts";
import type { FieldEntry } from "../model.ts";
import { definedField, invalid, isKept, permitted, type Updating, unknownEntry } from "./update-context.ts";
import { updateValues } from "./update-values.ts";

const trackPattern = /^[A-Za-z]{1,16}[1-9][0-9]{0,5}$/;

/** What the document says of one field of one timespan or group and track. */
interface FieldUpdate {
  readonly name: string;
  readonly track?: string;
  readonly removed: boolean;
  readonly reference?: string;
  readonly values: readonly MetadataValue[];
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

/** The field by its name, or by its UUID where it has no name. */
function nameOf(field: MetadataFieldValue, existing: readonly FieldEntry[], updating: Updating): string {
  if (field.name !== undefined && field.name !== "") return field.name;
  if (field.uuid === undefined) throw invalid("A field has neither name nor uuid");
  const entry = updating.entryOf(field.uuid);
  const named = existing.find((candidate) => candidate.entry === entry);
  if (named === undefined) throw unknownEntry(field.uuid);
  return named.name;
}

/** A field that an answer showed as inherited, and that comes back as it was, is not an own one. */
function isReturnedInherited(field: MetadataFieldValue, name: string, updating: Updating): boolean {
  if (field.inheritance === undefined || field.mode !== undefined || updating.inherited === undefined) return false;
  const inherited = updating.inherited(name, field.track);
  const values = field.value ?? [];
  return values.length === inherited.length && values.every((value, index) => value.value === inherited[index]);
}

/** Brings together what the document says of each field, in the order in which the fields first come. */
function* wantedFields(
  update: readonly MetadataFieldValue[],
  existing: readonly FieldEntry[],
  updating: Updating,
): Generator<FieldUpdate, void, undefined> {
  const merged = new Map<string, { name: string; track?: string; parts: MetadataFieldValue[] }>();
  for (const field of update) {
    const name = nameOf(field, existing, updating);
    if (!updating.system && isKept(name)) continue;
    if (isReturnedInherited(field, name, updating)) continue;
    const track = trackOf(field);
    const key = fieldKey(name, track);
    const known = merged.get(key);
    if (known !== undefined) known.parts.push(field);
    else merged.set(key, { name, ...(track === undefined ? {} : { track }), parts: [field] });
  }
  for (const { parts, ...head } of merged.values()) {
    const values = parts.flatMap(valuesOf);
    const reference = parts.find((part) => part.reference !== undefined && part.reference !== "")?.reference;
    const removed =
      parts.some((part) => part.mode === "remove" && (part.value ?? []).length === 0) ||
      (reference === undefined && values.length === 0);
    yield { ...head, removed, values, ...(reference === undefined ? {} : { reference }) };
  }
}

/** The mode of a field stands for that of those values that have none. */
function valuesOf(field: MetadataFieldValue): readonly MetadataValue[] {
  const { mode, value = [] } = field;
  return mode === undefined ? value : value.map((one) => (one.mode === undefined ? { ...one, mode } : one));
}

function updateField(
  existing: FieldEntry | undefined,
  update: FieldUpdate,
  updating: Updating,
): FieldEntry | undefined {
  const definition = definedField(updating, update.name);
  if (!permitted(updating, "field", update.name)) return existing;
  if (update.removed) return definition.system && !updating.system ? existing : undefined;
  const { name, track, reference } = update;
  const entry = existing?.entry ?? updating.nextEntry();
  const head = { name, entry, change: updating.stamp, ...(track === undefined ? {} : { track }) };
  if (reference !== undefined) {
    return existing?.reference === reference ? existing : { ...head, values: [], reference };
  }
  const values = updateValues(definition, existing?.values ?? [], update.values, updating);
  if (existing !== undefined && values === existing.values && existing.reference === undefined) return existing;
  if (values.length === 0) return definition.system && !updating.system ? existing : undefined;
  return { ...head, values };
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
  const byKey = new Map<string, FieldEntry | undefined>(
    existing.map((field) => [fieldKey(field.name, field.track), field]),
  );
  let changed = false;
  for (const wanted of wantedFields(update, existing, updating)) {
    const key = fieldKey(wanted.name, wanted.track);
    const before = byKey.get(key);
    const after = updateField(before, wanted, updating);
    if (before === after) continue;
    changed = true;
    byKey.set(key, after);
  }
  return changed ? [...byKey.values()].filter((field) => field !== undefined) : existing;
}
