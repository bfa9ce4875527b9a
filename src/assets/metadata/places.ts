/** Where the entries of metadata stand, for telling whether two writers meant the same. */
import type { MetadataFieldValue, MetadataGroupValue, MetadataValues } from "../documents/metadata-document.ts";
import type { Container, Entry, GroupEntry, Metadata, TimespanEntry } from "./model.ts";
import { timeSpanKey, timeSpanOf } from "./time/time-span.ts";
import { isKept, type UpdateContext } from "./update/update-context.ts";

/** Places with what a person calls them: a field of a timespan or group on a track, or a group itself. */
export type Places = Map<string, string>;

function addField(places: Places, at: string, name: string, track: string | undefined): void {
  places.set(`${at}\nfield ${name} ${track ?? ""}`, `field ${name}`);
}

/** The place of a group, and of what is inside. */
function groupPlace({ entry }: GroupEntry): string {
  return `group ${entry}`;
}

function addTouched(places: Places, container: Container, at: string, isTouched: (entry: Entry) => boolean): void {
  for (const field of container.fields) {
    if (isTouched(field) || field.values.some(isTouched)) addField(places, at, field.name, field.track);
  }
  for (const group of container.groups) {
    const inside = groupPlace(group);
    if (isTouched(group)) places.set(inside, `group ${group.name}`);
    addTouched(places, group, inside, isTouched);
  }
}

/** The places of the entries that are touched. */
export function placesOf(timespans: readonly TimespanEntry[], isTouched: (entry: Entry) => boolean): Places {
  const places: Places = new Map();
  for (const timespan of timespans) addTouched(places, timespan, timeSpanKey(timespan.span), isTouched);
  return places;
}

interface Level {
  readonly field?: readonly MetadataFieldValue[] | undefined;
  readonly group?: readonly MetadataGroupValue[] | undefined;
}

function addNamed(
  places: Places,
  { field: fields = [], group: groups = [] }: Level,
  container: Container,
  at: string,
  entryOf: UpdateContext["entryOf"],
): void {
  for (const { name = "", track, inheritance } of fields) {
    if (!isKept(name) && inheritance === undefined) addField(places, at, name, track === "" ? undefined : track);
  }
  if (groups.length === 0) return;
  const byEntry = new Map(container.groups.map((group) => [group.entry, group]));
  const byName = new Map(container.groups.map((group) => [group.name, group]));
  for (const group of groups) {
    if (group.mode === "add" || group.inheritance !== undefined || group.referenced !== undefined) continue;
    const entry = group.uuid === undefined ? undefined : entryOf(group.uuid);
    const named = group.uuid === undefined ? byName.get(group.name ?? "") : byEntry.get(entry ?? 0);
    if (named !== undefined) addNamed(places, group, named, groupPlace(named), entryOf);
  }
}

/** The places that a document names in the metadata that it is for, but for what it only shows. */
export function placesNamed(document: MetadataValues, metadata: Metadata, entryOf: UpdateContext["entryOf"]): Places {
  const places: Places = new Map();
  const bySpan = new Map(metadata.timespans.map((timespan) => [timeSpanKey(timespan.span), timespan]));
  for (const timespan of document.timespan ?? []) {
    const key = timeSpanKey(timeSpanOf(timespan));
    addNamed(places, timespan, bySpan.get(key) ?? { fields: [], groups: [] }, key, entryOf);
  }
  return places;
}
