import { type ChangeSet, isOwn } from "./change-set.ts";
import type { Container, FieldEntry, TimespanEntry, ValueEntry } from "./model.ts";

/** Where a value stands for the rule of replacing: its field and its language. */
function placeOf(field: FieldEntry, value: ValueEntry): string {
  return `${field.entry} ${value.language ?? ""}`;
}

function visitValues(container: Container, visit: (field: FieldEntry, value: ValueEntry) => void): void {
  for (const field of container.fields) for (const value of field.values) visit(field, value);
  for (const group of container.groups) visitValues(group, visit);
}

function valuesOf(timespans: readonly TimespanEntry[], visit: (field: FieldEntry, value: ValueEntry) => void): void {
  for (const timespan of timespans) visitValues(timespan, visit);
}

/** The own values of a change set in some places, as ones that a later set took away. */
function takenBy<C extends Container>(container: C, of: ChangeSet, by: ChangeSet, places: ReadonlySet<string>): C {
  return {
    ...container,
    fields: container.fields.map((field) => ({
      ...field,
      change: holderOf(by),
      values: field.values
        .filter((value) => isOwn(of, value) && places.has(placeOf(field, value)))
        .map((value) => ({ ...value, change: by.stamp })),
    })),
    groups: container.groups.map((group) => ({ ...takenBy(group, of, by, places), change: holderOf(by) })),
  };
}

/** A stamp that is not the set's own: the entry only holds others. */
function holderOf({ stamp }: ChangeSet): ChangeSet["stamp"] {
  return { ...stamp, id: 0 };
}

/**
 * The later change sets of a history in which one set is taken out, or another put in its place. A later set that
 * replaced values of the one replaced, by that, also what that one had replaced, and what is now in its place.
 */
export function withoutTraceOf(
  later: readonly ChangeSet[],
  former: ChangeSet,
  instead: ChangeSet | undefined,
): readonly ChangeSet[] {
  const places = new Map<number, string>();
  valuesOf(former.added, (field, value) => {
    if (isOwn(former, value)) places.set(value.entry, placeOf(field, value));
  });
  return later.map((changeSet) => {
    const replaced = new Set<string>();
    valuesOf(changeSet.gone, (_, value) => {
      const place = isOwn(changeSet, value) ? places.get(value.entry) : undefined;
      if (place !== undefined) replaced.add(place);
    });
    if (replaced.size === 0) return changeSet;
    const carried = [
      ...former.gone.map((timespan) => takenBy(timespan, former, changeSet, replaced)),
      ...(instead?.added ?? []).map((timespan) => takenBy(timespan, instead as ChangeSet, changeSet, replaced)),
    ];
    return { ...changeSet, gone: [...changeSet.gone, ...carried] };
  });
}
