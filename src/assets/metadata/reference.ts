import type { Container, FieldEntry, GroupEntry } from "./model.ts";

/** The field or group that a reference leads to, in whatever entity it stands. */
export interface Referenced {
  /** The kind of the entity: `global`, `item`. */
  readonly type: string;
  readonly id: string;
  readonly entityKey: number;
  readonly uuid: string;
  readonly entry: FieldEntry | GroupEntry;
}

/** Finds what a UUID refers to; `undefined` when it is gone, or the caller may not read it. */
export type ReferenceLookup = (uuid: string) => Referenced | undefined;

/** References in references that are followed. */
export const deepestReference = 8;

export function isGroup(entry: FieldEntry | GroupEntry): entry is GroupEntry {
  return "groups" in entry;
}

export function isField(entry: FieldEntry | GroupEntry): entry is FieldEntry {
  return !isGroup(entry);
}

/** How many entries a field or group has in it, itself included. */
export function entryWeight(entry: FieldEntry | GroupEntry): number {
  if (isField(entry)) return 1 + entry.values.length;
  let weight = 1;
  for (const field of entry.fields) weight += entryWeight(field);
  for (const group of entry.groups) weight += entryWeight(group);
  return weight;
}

function collect(container: Container, into: Set<string>): void {
  for (const { reference } of container.fields) if (reference !== undefined) into.add(reference);
  for (const group of container.groups) {
    if (group.reference !== undefined) into.add(group.reference);
    collect(group, into);
  }
}

/** The UUIDs that the fields and groups in timespans, or in groups, refer to. */
export function referencesIn(containers: readonly Container[]): ReadonlySet<string> {
  const uuids = new Set<string>();
  for (const container of containers) collect(container, uuids);
  return uuids;
}

/** A reference, and what it stands in. */
export interface Referrer {
  readonly reference: string;
  readonly isGroup: boolean;
}

/** The references in containers, at any depth. */
export function referrersIn(containers: readonly Container[], into: Referrer[] = []): readonly Referrer[] {
  for (const { fields, groups } of containers) {
    for (const { reference } of fields) if (reference !== undefined) into.push({ reference, isGroup: false });
    for (const { reference } of groups) if (reference !== undefined) into.push({ reference, isGroup: true });
    referrersIn(groups, into);
  }
  return into;
}

/** The fields and groups in a container, at any depth, by their numbers. */
export function entriesByNumber(
  containers: readonly Container[],
  into = new Map<number, FieldEntry | GroupEntry>(),
): ReadonlyMap<number, FieldEntry | GroupEntry> {
  for (const { fields, groups } of containers) {
    for (const field of fields) into.set(field.entry, field);
    for (const group of groups) into.set(group.entry, group);
    entriesByNumber(groups, into);
  }
  return into;
}
