import type { Container, FieldEntry, GroupEntry, Metadata, ValueEntry } from "../model.ts";
import type { TimeSpan } from "../time/time-span.ts";
import { type UpdateContext, unknownEntry } from "./update-context.ts";

/** An entry with what it stands in. */
export type FoundEntry =
  | { readonly kind: "value"; readonly value: ValueEntry; readonly field: FieldEntry; readonly span: TimeSpan }
  | { readonly kind: "field"; readonly field: FieldEntry; readonly span: TimeSpan }
  | { readonly kind: "group"; readonly group: GroupEntry; readonly span: TimeSpan };

function findIn(container: Container, span: TimeSpan, entry: number): FoundEntry | undefined {
  for (const field of container.fields) {
    if (field.entry === entry) return { kind: "field", field, span };
    const value = field.values.find((one) => one.entry === entry);
    if (value !== undefined) return { kind: "value", value, field, span };
  }
  for (const group of container.groups) {
    if (group.entry === entry) return { kind: "group", group, span };
    const found = findIn(group, span, entry);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The value, field or group with a number. */
export function findEntry(metadata: Pick<Metadata, "timespans">, entry: number): FoundEntry | undefined {
  for (const timespan of metadata.timespans) {
    const found = findIn(timespan, timespan.span, entry);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The entry that a UUID names. @throws KinoraError `not-found` */
export function requireEntry(metadata: Metadata, context: Pick<UpdateContext, "entryOf">, uuid: string): FoundEntry {
  const entry = context.entryOf(uuid);
  const found = entry === undefined ? undefined : findEntry(metadata, entry);
  if (found === undefined) throw unknownEntry(uuid);
  return found;
}
