import type { ChangeStamp, FieldEntry, GroupEntry, Metadata } from "../model.ts";
import { compareTimeSpans, type TimeSpan, timeSpanKey } from "../time/time-span.ts";
import { removeEntry } from "./edit-entry.ts";
import { entryFinder } from "./find-entry.ts";
import { invalid, type UpdateContext } from "./update-context.ts";

/** Everything in a group bears the stamp of the write that moves it. */
function restamped(group: GroupEntry, stamp: ChangeStamp): GroupEntry {
  return {
    ...group,
    change: stamp,
    fields: group.fields.map((field) => restampedField(field, stamp)),
    groups: group.groups.map((child) => restamped(child, stamp)),
  };
}

function restampedField(field: FieldEntry, stamp: ChangeStamp): FieldEntry {
  return { ...field, change: stamp, values: field.values.map((value) => ({ ...value, change: stamp })) };
}

/**
 * The metadata with a field or group moved to a timespan. A field that is there already takes the values in.
 *
 * @throws KinoraError `not-found`; `invalid-input` for a value, which stays with its field; `forbidden`
 */
export function moveEntry(current: Metadata, uuid: string, span: TimeSpan, context: UpdateContext): Metadata {
  const found = entryFinder(current, context)(uuid);
  if (found.kind === "value") throw invalid("A value cannot be moved, only a field or a group", { id: uuid });
  const { stamp } = context;
  const key = timeSpanKey(span);
  const target = current.timespans.find((timespan) => timeSpanKey(timespan.span) === key);
  const inPlace = target?.fields.some((one) => found.kind === "field" && one.entry === found.field.entry);
  const groupInPlace = target?.groups.some((one) => found.kind === "group" && one.entry === found.group.entry);
  if (inPlace || groupInPlace) return current;
  const rest = removeEntry(current, uuid, context);
  const place = rest.timespans.find((timespan) => timeSpanKey(timespan.span) === key) ?? {
    span,
    fields: [],
    groups: [],
  };
  const grown =
    found.kind === "group"
      ? { ...place, groups: [...place.groups, restamped(found.group, stamp)] }
      : { ...place, fields: withField(place.fields, restampedField(found.field, stamp)) };
  const others = rest.timespans.filter((timespan) => timeSpanKey(timespan.span) !== key);
  const timespans = [...others, grown].sort((a, b) => compareTimeSpans(a.span, b.span));
  return { ...rest, timespans, last: stamp };
}

function withField(fields: readonly FieldEntry[], moved: FieldEntry): readonly FieldEntry[] {
  const known = fields.find((field) => field.name === moved.name && field.track === moved.track);
  if (known === undefined) return [...fields, moved];
  const merged = { ...known, change: moved.change, values: [...known.values, ...moved.values] };
  return fields.map((field) => (field === known ? merged : field));
}
