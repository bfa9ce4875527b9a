import type {
  ChangeStamp,
  Container,
  Entry,
  FieldEntry,
  GroupEntry,
  Metadata,
  PlacedValue,
  TimespanEntry,
} from "./model.ts";
import { placedValues } from "./model.ts";
import { timeSpanKey } from "./time/time-span.ts";

/** What lies between two states of one entity's metadata. */
export interface Difference {
  /** Values that are new or changed, as they are behind it. */
  readonly added: readonly PlacedValue[];
  /** Values that are gone or changed, as they were before it. */
  readonly removed: readonly PlacedValue[];
  /** Change sets whose additions are no longer all current. */
  readonly superseded: ReadonlySet<ChangeStamp>;
  /** The entries that are gone, in the places where they were; `isGone` tells them from those that only hold them. */
  readonly gone: readonly TimespanEntry[];
  readonly isGone: (entry: Entry) => boolean;
}

/** An entry and what it stands in: the number of a group or field, or the key of a timespan. */
type PlacedEntry = readonly [entry: Entry, holder: number | string];

function* containerEntries(container: Container, holder: number | string): Generator<PlacedEntry, void, undefined> {
  for (const field of container.fields) {
    yield [field, holder];
    for (const value of field.values) yield [value, field.entry];
  }
  for (const group of container.groups) {
    yield [group, holder];
    yield* containerEntries(group, group.entry);
  }
}

/** Every field, value and group of a metadata. */
export function* entriesOf(metadata: Pick<Metadata, "timespans">): Generator<PlacedEntry, void, undefined> {
  for (const timespan of metadata.timespans) yield* containerEntries(timespan, timeSpanKey(timespan.span));
}

/** The part of a container with the entries that are wanted, and with what those stand in. */
function extractContainer<C extends Container>(container: C, wanted: (entry: Entry) => boolean): C | undefined {
  const fields: FieldEntry[] = [];
  for (const field of container.fields) {
    const values = field.values.filter(wanted);
    if (values.length > 0 || wanted(field)) fields.push({ ...field, values });
  }
  const groups: GroupEntry[] = [];
  for (const group of container.groups) {
    const inner = extractContainer(group, wanted);
    if (inner !== undefined) groups.push(inner);
    else if (wanted(group)) groups.push({ ...group, fields: [], groups: [] });
  }
  return fields.length === 0 && groups.length === 0 ? undefined : { ...container, fields, groups };
}

/** The part of timespans with the entries that are wanted, and with what those stand in. */
export function extract(
  timespans: readonly TimespanEntry[],
  wanted: (entry: Entry) => boolean,
): readonly TimespanEntry[] {
  return timespans.map((timespan) => extractContainer(timespan, wanted)).filter((part) => part !== undefined);
}

/** Compares two states of one entity; linear in their sizes. An entry that moved is gone from its old place. */
export function difference(before: Metadata, after: Metadata): Difference {
  const now = new Map<number, { readonly change: number; readonly holder: number | string }>();
  for (const [entry, holder] of entriesOf(after)) now.set(entry.entry, { change: entry.change.id, holder });
  const isSame = ({ entry, change }: Entry) => now.get(entry)?.change === change.id;
  const superseded = new Set<ChangeStamp>();
  const gone = new Set<number>();
  const known = new Map<number, number>();
  for (const [entry, holder] of entriesOf(before)) {
    if (!isSame(entry)) superseded.add(entry.change);
    if (now.get(entry.entry)?.holder !== holder) gone.add(entry.entry);
    known.set(entry.entry, entry.change.id);
  }
  const master = before.masterGroups;
  if (master !== undefined && after.masterGroups?.change.id !== master.change.id) superseded.add(master.change);
  const isGone = ({ entry }: Entry) => gone.has(entry);
  return {
    added: [...placedValues(after.timespans)].filter(({ value }) => known.get(value.entry) !== value.change.id),
    removed: [...placedValues(before.timespans)].filter(({ value }) => !isSame(value)),
    superseded,
    gone: gone.size === 0 ? [] : extract(before.timespans, isGone),
    isGone,
  };
}
