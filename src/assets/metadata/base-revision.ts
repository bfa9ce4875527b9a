import { KinoraError } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import { isOwn } from "./change-set.ts";
import { difference } from "./difference.ts";
import { readChangeSetsSince } from "./history-store.ts";
import type { MetadataRow } from "./metadata-row.ts";
import { type Container, type Entry, type Metadata, revisionOf, type TimespanEntry } from "./model.ts";
import { timeSpanKey } from "./time/time-span.ts";

/** Change sets of a revision that are looked for. */
const mostNamed = 10_000;

/** The identifiers of a revision text: `VX-398,VX-400`. */
export function revisionIds(text: string): readonly string[] {
  return text
    .split(",", mostNamed)
    .map((id) => id.trim())
    .filter((id) => id !== "");
}

function staleRevision(explanation: string): KinoraError {
  return new KinoraError("conflict", { context: "revision", explanation });
}

/** The places of the entries that are touched: a field of a timespan or group on a track, or a group itself. */
function addPlaces(
  places: Map<string, string>,
  container: Container,
  at: string,
  isTouched: (entry: Entry) => boolean,
): void {
  for (const field of container.fields) {
    if (!isTouched(field) && !field.values.some(isTouched)) continue;
    places.set(`${at}\nfield ${field.name} ${field.track ?? ""}`, `field ${field.name}`);
  }
  for (const group of container.groups) {
    const inside = `group ${group.entry}`;
    if (isTouched(group)) places.set(inside, `group ${group.name}`);
    addPlaces(places, group, inside, isTouched);
  }
}

function placesOf(timespans: readonly TimespanEntry[], isTouched: (entry: Entry) => boolean): Map<string, string> {
  const places = new Map<string, string>();
  for (const timespan of timespans) addPlaces(places, timespan, timeSpanKey(timespan.span), isTouched);
  return places;
}

/** The newest change set that a revision names, by its place in the history. */
async function newestNamed(store: Store, row: MetadataRow, named: readonly string[]): Promise<number> {
  const known = new Map(revisionOf(row.metadata).map((stamp) => [stamp.id, stamp.sequence]));
  const serials = named.map((id) => {
    const serial = store.ids.parse(id);
    if (serial === undefined) throw staleRevision(`The revision names ${id}, which is no change set`);
    return serial;
  });
  const older = serials.filter((serial) => !known.has(serial));
  if (older.length > 0) {
    const rows = await store.query({
      sql: "select id, sequence from change_set where entity = ? and id in (select value from json_each(?))",
      args: [row.key, JSON.stringify(older)],
    });
    for (const { id, sequence } of rows) known.set(Number(id), Number(sequence));
  }
  let newest = 0;
  for (const serial of serials) {
    const sequence = known.get(serial);
    if (sequence === undefined) {
      throw staleRevision(
        `The revision names ${store.ids.format(serial)}, which is no longer in the history: read the metadata again`,
      );
    }
    newest = Math.max(newest, sequence);
  }
  return newest;
}

/**
 * Checks a write that was made from a revision: what it changes must not have been changed by others since.
 *
 * @throws KinoraError `conflict` naming the field, or when the revision is not in the history of the entity
 */
export async function requireNoConflict(
  store: Store,
  row: MetadataRow,
  revision: string,
  after: Metadata,
): Promise<void> {
  const { metadata } = row;
  const named = revisionIds(revision);
  if (named.length === 0) return;
  const base = await newestNamed(store, row, named);
  if (base >= (metadata.last?.sequence ?? 0)) return;
  const theirs = placesOf(metadata.timespans, ({ change }) => change.sequence > base);
  for (const changeSet of await readChangeSetsSince(store, row.key, base)) {
    for (const [place, name] of placesOf(changeSet.gone, (entry) => isOwn(changeSet, entry))) theirs.set(place, name);
  }
  const step = difference(metadata, after);
  const ours = placesOf(after.timespans, ({ change }) => change.id === after.last?.id);
  for (const [place, name] of placesOf(step.gone, step.isGone)) ours.set(place, name);
  if (metadata.masterGroups !== after.masterGroups && (metadata.masterGroups?.change.sequence ?? 0) > base) {
    throw staleRevision("The groups of the entity have been changed since the revision that the write is based on");
  }
  for (const [place, name] of ours) {
    if (!theirs.has(place)) continue;
    throw staleRevision(`The ${name} has been changed since the revision that the write is based on`);
  }
}
