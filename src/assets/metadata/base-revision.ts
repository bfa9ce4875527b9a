import { KinoraError } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import { isOwn } from "./change-set.ts";
import { difference } from "./difference.ts";
import { readChangeSetsSince } from "./history-store.ts";
import type { MetadataRow } from "./metadata-row.ts";
import { type Metadata, revisionOf } from "./model.ts";
import { type Places, placesOf } from "./places.ts";

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

/** What the entity's present metadata and its history say that was changed behind a place in the history. */
async function placesSince(store: Store, { key, metadata }: MetadataRow, base: number): Promise<Places> {
  const places = placesOf(metadata.timespans, ({ change }) => change.sequence > base);
  for (const changeSet of await readChangeSetsSince(store, key, base)) {
    for (const [place, name] of placesOf(changeSet.gone, (entry) => isOwn(changeSet, entry))) places.set(place, name);
  }
  return places;
}

/** What a write changes. */
function placesBetween(before: Metadata, after: Metadata): Places {
  if (before === after) return new Map();
  const places = placesOf(after.timespans, ({ change }) => change.id === after.last?.id);
  const step = difference(before, after);
  for (const [place, name] of placesOf(step.gone, step.isGone)) places.set(place, name);
  return places;
}

/**
 * Checks a write that was made from a revision: what it changes, or names, must not have been changed by others since.
 * Of two writers that want the same, one has to learn that the other was there before.
 *
 * @param named the places that the documents of the write name
 * @throws KinoraError `conflict` naming the field, or when the revision is not in the history of the entity
 */
export async function requireNoConflict(
  store: Store,
  row: MetadataRow,
  revision: string,
  after: Metadata,
  named: readonly Places[],
): Promise<void> {
  const { metadata } = row;
  const ids = revisionIds(revision);
  if (ids.length === 0) return;
  const base = await newestNamed(store, row, ids);
  if (base >= (metadata.last?.sequence ?? 0)) return;
  const theirs = await placesSince(store, row, base);
  if (metadata.masterGroups !== after.masterGroups && (metadata.masterGroups?.change.sequence ?? 0) > base) {
    throw staleRevision("The groups of the entity have been changed since the revision that the write is based on");
  }
  for (const places of [placesBetween(metadata, after), ...named]) {
    for (const [place, name] of places) {
      if (!theirs.has(place)) continue;
      throw staleRevision(`The ${name} has been changed since the revision that the write is based on`);
    }
  }
}
