import type { Container, FieldEntry, GroupEntry, Metadata } from "./model.ts";

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

function collect(container: Container, into: Set<string>): void {
  for (const { reference } of container.fields) if (reference !== undefined) into.add(reference);
  for (const group of container.groups) {
    if (group.reference !== undefined) into.add(group.reference);
    collect(group, into);
  }
}

/** The UUIDs that the fields and groups of a metadata refer to. */
export function referencesIn(timespans: Metadata["timespans"]): ReadonlySet<string> {
  const uuids = new Set<string>();
  for (const timespan of timespans) collect(timespan, uuids);
  return uuids;
}

/** The field or group with a number. */
export function findEntry(container: Container, entry: number): FieldEntry | GroupEntry | undefined {
  const field = container.fields.find((candidate) => candidate.entry === entry);
  if (field !== undefined) return field;
  for (const group of container.groups) {
    const found = group.entry === entry ? group : findEntry(group, entry);
    if (found !== undefined) return found;
  }
  return undefined;
}
