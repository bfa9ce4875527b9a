import type { Container, FieldEntry, GroupEntry, Metadata, ValueEntry } from "../model.ts";
import { type UpdateContext, unknownEntry } from "./update-context.ts";

/** An entry with its number, and what it stands in. */
export type FoundEntry = {
  readonly entry: number;
  /** Around it, the outermost first. */
  readonly groups: readonly GroupEntry[];
} & (
  | { readonly kind: "value"; readonly value: ValueEntry; readonly field: FieldEntry }
  | { readonly kind: "field"; readonly field: FieldEntry }
  | { readonly kind: "group"; readonly group: GroupEntry }
);

function collect(container: Container, groups: readonly GroupEntry[], into: Map<number, FoundEntry>): void {
  for (const field of container.fields) {
    into.set(field.entry, { entry: field.entry, groups, kind: "field", field });
    for (const value of field.values)
      into.set(value.entry, { entry: value.entry, groups, kind: "value", value, field });
  }
  for (const group of container.groups) {
    into.set(group.entry, { entry: group.entry, groups, kind: "group", group });
    collect(group, [...groups, group], into);
  }
}

/**
 * Finds the values, fields and groups of an entity by their UUIDs. Looks at all of them once.
 *
 * The function throws KinoraError `not-found` for a UUID that names none of them.
 */
export function entryFinder(
  { timespans }: Pick<Metadata, "timespans">,
  { entryOf }: Pick<UpdateContext, "entryOf">,
): (uuid: string) => FoundEntry {
  const entries = new Map<number, FoundEntry>();
  for (const timespan of timespans) collect(timespan, [], entries);
  return (uuid) => {
    const found = entries.get(entryOf(uuid) ?? 0);
    if (found === undefined) throw unknownEntry(uuid);
    return found;
  };
}
