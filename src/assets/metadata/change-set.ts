/**
 * A change set: what one write added to and took from an entity's metadata. Its stored text, in the form of stored
 * metadata, is
 *
 * ```
 * [added timespans, gone timespans, masterNames?]        an entry's stamp: 0 the set's own, 1 only holds others
 * ```
 */
import { type CompactTimespan, decodeTimespans, encodeTimespans } from "./compact.ts";
import { type Difference, extract } from "./difference.ts";
import type { ChangeStamp, Container, Entry, Metadata, TimespanEntry } from "./model.ts";

export interface ChangeSet {
  readonly stamp: ChangeStamp;
  /** Entries that the set added or changed, and those that hold them. */
  readonly added: readonly TimespanEntry[];
  /** Entries that the set took away, and those that held them. */
  readonly gone: readonly TimespanEntry[];
  /** The entity's own groups, where the set changed them. */
  readonly masterGroups?: readonly string[];
}

type CompactChangeSet = readonly [
  added: readonly CompactTimespan[],
  gone: readonly CompactTimespan[],
  masterNames?: readonly string[],
];

/** Stands for the stamp of an entry that only holds others. */
export const holder: ChangeStamp = { id: 0, user: "", time: 0, sequence: 0, writtenOut: false };

/** Whether an entry of a change set is one that the set added or took away, and not one that only holds others. */
export function isOwn(changeSet: ChangeSet, entry: Entry): boolean {
  return entry.change.id === changeSet.stamp.id;
}

/** What of a change set is current: all of it, for one that is not written out. */
export function currentPart(metadata: Metadata, stamp: ChangeStamp): ChangeSet {
  const { masterGroups, timespans } = metadata;
  const added = extract(timespans, (entry) => entry.change.id === stamp.id);
  const names = masterGroups?.change.id === stamp.id ? masterGroups.names : undefined;
  return { stamp, added, gone: [], ...(names === undefined ? {} : { masterGroups: names }) };
}

/** The change set that made `after`. */
export function changeSetOf(after: Metadata, stamp: ChangeStamp, change: Difference): ChangeSet {
  return { ...currentPart(after, stamp), gone: change.gone.map((timespan) => restamp(timespan, stamp, change.isGone)) };
}

/** Gives the entries that are gone the stamp of the set that took them, and the others the holder's. */
function restamp<C extends Container>(container: C, stamp: ChangeStamp, isGone: (entry: Entry) => boolean): C {
  const changeOf = (entry: Entry) => (isGone(entry) ? stamp : holder);
  return {
    ...container,
    fields: container.fields.map((field) => ({
      ...field,
      change: changeOf(field),
      values: field.values.map((value) => ({ ...value, change: changeOf(value) })),
    })),
    groups: container.groups.map((group) => ({ ...restamp(group, stamp, isGone), change: changeOf(group) })),
  };
}

/** The stored text of a change set. */
export function encodeChangeSet(changeSet: ChangeSet): string {
  const { stamp, added, gone, masterGroups } = changeSet;
  const numberOf = (change: ChangeStamp) => (change.id === stamp.id ? 0 : 1);
  const trees = [encodeTimespans(added, numberOf), encodeTimespans(gone, numberOf)] as const;
  const compact: CompactChangeSet = masterGroups === undefined ? trees : [...trees, masterGroups];
  return JSON.stringify(compact);
}

/** The change set as one that is written out, which took away some entries more. */
export function takingAlso(changeSet: ChangeSet, gone: readonly TimespanEntry[]): ChangeSet {
  const text = encodeChangeSet({ ...changeSet, gone: [...changeSet.gone, ...gone] });
  return decodeChangeSet(text, { ...changeSet.stamp, writtenOut: true });
}

/** Reads what {@link encodeChangeSet} wrote. */
export function decodeChangeSet(text: string, stamp: ChangeStamp): ChangeSet {
  const [added, gone, masterGroups] = JSON.parse(text) as CompactChangeSet;
  const stamps = [stamp, holder];
  return {
    stamp,
    added: decodeTimespans(added, stamps),
    gone: decodeTimespans(gone, stamps),
    ...(masterGroups === undefined ? {} : { masterGroups }),
  };
}
