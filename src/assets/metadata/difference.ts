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
import { valuesOf } from "./model.ts";
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

/** A state without what it shares with another: the fields and groups that are not the same objects. */
function unshared(timespans: readonly TimespanEntry[], other: readonly TimespanEntry[]): readonly TimespanEntry[] {
  if (other.length === 0) return timespans;
  const shared = new Set<Container | FieldEntry>();
  for (const timespan of other) collectParts(timespan, shared);
  const parts: TimespanEntry[] = [];
  for (const timespan of timespans) {
    if (shared.has(timespan)) continue;
    const { fields, groups } = withoutShared(timespan, shared);
    if (fields.length > 0 || groups.length > 0) parts.push({ span: timespan.span, fields, groups });
  }
  return parts;
}

function collectParts(container: Container, into: Set<Container | FieldEntry>): void {
  into.add(container);
  for (const field of container.fields) into.add(field);
  for (const group of container.groups) collectParts(group, into);
}

function withoutShared({ fields, groups }: Container, shared: ReadonlySet<Container | FieldEntry>): Container {
  return {
    fields: fields.filter((field) => !shared.has(field)),
    groups: groups
      .filter((group) => !shared.has(group))
      .map((group) => ({ ...group, ...withoutShared(group, shared) })),
  };
}

/** An entry and what it stands in: the number of a group or field, or the key of a timespan. */
interface PlacedEntry {
  readonly entry: Entry;
  readonly holder: number | string;
}

function collectEntries(container: Container, holder: number | string, into: PlacedEntry[]): void {
  for (const field of container.fields) {
    into.push({ entry: field, holder });
    for (const value of field.values) into.push({ entry: value, holder: field.entry });
  }
  for (const group of container.groups) {
    into.push({ entry: group, holder });
    collectEntries(group, group.entry, into);
  }
}

function entriesOf(timespans: readonly TimespanEntry[]): readonly PlacedEntry[] {
  const entries: PlacedEntry[] = [];
  for (const timespan of timespans) collectEntries(timespan, timeSpanKey(timespan.span), entries);
  return entries;
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

/**
 * Compares two states of one entity; linear in what they do not share. An entry that moved is gone from its old place.
 */
export function difference(before: Metadata, after: Metadata): Difference {
  const earlier = unshared(before.timespans, after.timespans);
  const later = unshared(after.timespans, before.timespans);
  const now = new Map<number, PlacedEntry>();
  for (const placed of entriesOf(later)) now.set(placed.entry.entry, placed);
  const isSame = ({ entry, change }: Entry) => now.get(entry)?.entry.change.id === change.id;
  const superseded = new Set<ChangeStamp>();
  const gone = new Set<number>();
  const known = new Map<number, number>();
  for (const { entry, holder } of entriesOf(earlier)) {
    if (!isSame(entry)) superseded.add(entry.change);
    if (now.get(entry.entry)?.holder !== holder) gone.add(entry.entry);
    known.set(entry.entry, entry.change.id);
  }
  const master = before.masterGroups;
  if (master !== undefined && after.masterGroups?.change.id !== master.change.id) superseded.add(master.change);
  const isGone = ({ entry }: Entry) => gone.has(entry);
  return {
    added: valuesOf(later).filter(({ value }) => known.get(value.entry) !== value.change.id),
    removed: valuesOf(earlier).filter(({ value }) => !isSame(value)),
    superseded,
    gone: gone.size === 0 ? [] : extract(earlier, isGone),
    isGone,
  };
}
