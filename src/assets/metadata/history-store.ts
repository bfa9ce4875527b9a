import type { Row } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { type ChangeSet, currentPart, decodeChangeSet } from "./change-set.ts";
import type { MetadataRow } from "./metadata-row.ts";
import { type ChangeStamp, revisionOf } from "./model.ts";

const columns = "sequence, id, user, time, body";

function writtenOut(row: Row): ChangeSet {
  const stamp: ChangeStamp = {
    id: Number(row.id),
    user: String(row.user),
    time: Number(row.time),
    sequence: Number(row.sequence),
    writtenOut: true,
  };
  return decodeChangeSet(String(row.body), stamp);
}

/** All change sets of an entity in the order of writing: those written out, and those that the metadata itself holds. */
export async function readChangeSets(store: Store, { key, metadata }: MetadataRow): Promise<readonly ChangeSet[]> {
  const rows = await store.query({ sql: `select ${columns} from change_set where entity = ?`, args: [key] });
  const changeSets = rows.map(writtenOut);
  for (const stamp of revisionOf(metadata)) if (!stamp.writtenOut) changeSets.push(currentPart(metadata, stamp));
  return changeSets.sort((a, b) => a.stamp.sequence - b.stamp.sequence);
}

/** The change sets behind a place in the history that took something away or are superseded. */
export async function readChangeSetsSince(store: Store, key: number, sequence: number): Promise<readonly ChangeSet[]> {
  const rows = await store.query({
    sql: `select ${columns} from change_set where entity = ? and sequence > ?`,
    args: [key, sequence],
  });
  return rows.map(writtenOut);
}
