/**
 * What an entity's metadata is, in memory. Everything is immutable: a write makes a new {@link Metadata} that shares
 * what it did not touch.
 */
import type { TimeSpan } from "./time/time-span.ts";

/** One write: who, when, and as the how manieth of the entity. */
export interface ChangeStamp {
  /** Serial of the change set's identifier. */
  readonly id: number;
  readonly user: string;
  /** Epoch milliseconds. */
  readonly time: number;
  /** Place in the entity's history, counted from 1. */
  readonly sequence: number;
  /**
   * Whether the change set's content is written out. A set that only added, and of which all is still current, is not:
   * its content is the entries that bear its stamp. The write that supersedes the first of them writes it out.
   */
  readonly writtenOut: boolean;
}

/** What a value, field and group have in common. */
export interface Entry {
  /** Number within the entity, never used again. */
  readonly entry: number;
  /** The write that made the entry what it is. */
  readonly change: ChangeStamp;
}

export interface ValueEntry extends Entry {
  /** Normalised to the field's type. */
  readonly text: string;
  readonly language?: string;
}

export interface FieldEntry extends Entry {
  readonly name: string;
  readonly track?: string;
  readonly values: readonly ValueEntry[];
  /** UUID of the field, of this or of another entity, that gives the values. */
  readonly reference?: string;
}

export interface GroupEntry extends Entry, Container {
  readonly name: string;
  /** UUID of the group, of this or of another entity, that gives the content. */
  readonly reference?: string;
}

/** What holds fields and groups: a timespan, or a group. */
export interface Container {
  readonly fields: readonly FieldEntry[];
  readonly groups: readonly GroupEntry[];
}

export interface TimespanEntry extends Container {
  readonly span: TimeSpan;
}

/** The names of the field groups that the entity itself belongs to, and the write that set them. */
export interface MasterGroups {
  readonly names: readonly string[];
  readonly change: ChangeStamp;
}

export interface Metadata {
  readonly masterGroups?: MasterGroups;
  /** Sorted, each span once. */
  readonly timespans: readonly TimespanEntry[];
  /** The newest write; `undefined` before the first. */
  readonly last?: ChangeStamp;
  /** Epoch milliseconds of the last edit of the history itself, which makes no change set. */
  readonly edited?: number;
  /** The number that the next new entry gets. */
  readonly nextEntry: number;
}

export const emptyMetadata: Metadata = { timespans: [], nextEntry: 1 };

/** Epoch milliseconds of the last change, be it of the history; `undefined` before the first. */
export function modifiedAt({ last, edited = 0 }: Metadata): number | undefined {
  return last === undefined && edited === 0 ? undefined : Math.max(last?.time ?? 0, edited);
}

/** A value and all that it stands in. */
export interface PlacedValue {
  readonly span: TimeSpan;
  /** Outermost first. */
  readonly groups: readonly GroupEntry[];
  readonly field: FieldEntry;
  readonly value: ValueEntry;
}

const noGroups: readonly GroupEntry[] = [];

function collectValues(container: Container, span: TimeSpan, groups: readonly GroupEntry[], into: PlacedValue[]): void {
  for (const field of container.fields) {
    for (const value of field.values) into.push({ span, groups, field, value });
  }
  for (const group of container.groups) collectValues(group, span, [...groups, group], into);
}

/** Every value of some timespans, in document order. */
export function valuesOf(timespans: readonly TimespanEntry[]): readonly PlacedValue[] {
  const values: PlacedValue[] = [];
  for (const timespan of timespans) collectValues(timespan, timespan.span, noGroups, values);
  return values;
}

function collectStamps(container: Container, stamps: Set<ChangeStamp>): void {
  for (const field of container.fields) {
    stamps.add(field.change);
    for (const value of field.values) stamps.add(value.change);
  }
  for (const group of container.groups) {
    stamps.add(group.change);
    collectStamps(group, stamps);
  }
}

/**
 * The change sets that made what is current, and the newest one: together the entity's revision. In the order of
 * writing.
 */
export function revisionOf(metadata: Metadata): readonly ChangeStamp[] {
  const stamps = new Set<ChangeStamp>();
  for (const timespan of metadata.timespans) collectStamps(timespan, stamps);
  if (metadata.masterGroups !== undefined) stamps.add(metadata.masterGroups.change);
  if (metadata.last !== undefined) stamps.add(metadata.last);
  return [...stamps].sort((a, b) => a.sequence - b.sequence);
}
