import { repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import { accessKey } from "../access/access-entity.ts";
import { placeEntities } from "../access/place-entities.ts";
import { readPermissions, requirePermission } from "../access/require-access.ts";
import { entityKey } from "../entity.ts";
import { readRows } from "../metadata/metadata-row.ts";
import { requireSame } from "../metadata/metadata-write.ts";
import { spreadRemoval } from "../metadata/spread-write.ts";
import { addTask, beginTask } from "../tasks/asset-tasks.ts";
import { recordCollection } from "./collection-events.ts";
import { leaveCollections } from "./leave-collections.ts";
import type { CollectionEditing } from "./plan-content.ts";
import { tidyTask, tidyTaskSlice } from "./tidy-members.ts";

/** Collections that one request deletes. */
export const mostDeleted = 1000;
/** Slices that the caller waits for; what is left is done soon after. */
const slicesAtOnce = 5;

/**
 * Deletes collections with their metadata, history, entries and places in other collections. What is in them stays, and
 * what they granted ends with them, at once.
 *
 * @param options.ignoreMissing collections that do not exist or may not be read are passed over. Default `false`
 * @throws KinoraError `not-found`; `forbidden` without ALL; `conflict` for a collection that must not be deleted
 */
export async function deleteCollections(
  editing: CollectionEditing,
  serials: readonly number[],
  { ignoreMissing = false }: { readonly ignoreMissing?: boolean } = {},
): Promise<void> {
  const deleted = await repeatWhenRaced(async () => {
    const found = await requireDeletable(editing, [...new Set(serials)], ignoreMissing);
    if (found.length > 0) await deleteFound(editing, found);
    return found;
  });
  const { environment } = editing;
  for (const collection of deleted) {
    const slice = () => tidyTaskSlice(environment, collection);
    await beginTask(environment.store, tidyTask, { collection }, slice, slicesAtOnce);
  }
}

async function requireDeletable(
  { environment, subject }: CollectionEditing,
  serials: readonly number[],
  ignoreMissing: boolean,
): Promise<readonly number[]> {
  const permissions = await readPermissions(environment, subject, "collection", serials);
  const found = serials.filter(
    (serial) => !ignoreMissing || (permissions.get(accessKey("collection", serial)) ?? 0) > 0,
  );
  for (const serial of found) {
    const key = accessKey("collection", serial);
    requirePermission(environment, key, permissions.get(key) ?? 0, "ALL");
  }
  return found;
}

async function deleteFound({ environment, change: start }: CollectionEditing, found: readonly number[]): Promise<void> {
  const { store, hooks, access, index, ids } = environment;
  const change = start();
  const gone = found.map((serial) => accessKey("collection", serial));
  await placeEntities(store, change, { keys: [], edit: (placement) => placement, gone });
  const rows = await readRows(environment, undefined, "collection", found);
  requireSame(change, rows);
  for (const hook of hooks) await hook.collectionsDeleted?.(change, found);
  for (const row of rows) await spreadRemoval(environment, change, row);
  await leaveCollections(store, change, gone, found);
  removeRows(change, found);
  index.remove(change, "collection", found);
  await access.removed(change, "collection", found);
  for (const serial of found) {
    addTask(
      change,
      tidyTask,
      { collection: serial },
      {
        sql: "select exists (select 1 from collection_member where collection = ?)",
        args: [serial],
      },
    );
    recordCollection(change, "DELETE", ids.format(serial));
  }
  await change.commit();
}

function removeRows(change: Change, collections: readonly number[]): void {
  const serials = JSON.stringify(collections);
  const keys = JSON.stringify(collections.map((serial) => entityKey("collection", serial)));
  const these = "in (select value from json_each(?))";
  change.add(
    { sql: `delete from collection where id ${these}`, args: [serials] },
    { sql: `delete from metadata where id ${these}`, args: [keys] },
    { sql: `delete from change_set where entity ${these}`, args: [keys] },
    { sql: `delete from metadata_reference where source ${these}`, args: [keys] },
    { sql: `delete from metadata_lock where entity ${these}`, args: [keys] },
  );
}
