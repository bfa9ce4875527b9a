/**
 * What a library grants, and what reaches it from collections, reaches its items too; but most libraries are found lists
 * that grant nothing, and overlap. So items know only of libraries that share: those that were given an entry, or put
 * into a collection, once.
 */
import { repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { type AssetTask, addTask, beginTask } from "../tasks/asset-tasks.ts";
import { accessKey } from "./access-entity.ts";
import { placeEntities } from "./place-entities.ts";

/** The name of the task that lets items know. */
export const shareTask = "share-library";

/** Items of one slice, and slices that a caller waits for. */
const itemsAtOnce = 2000;
const slicesAtOnce = 5;

/** Adds that a library shares from now on. Its items know as soon as the task is done. */
export function shareLibrary(change: Change, library: number): void {
  const serial = Math.floor(library / 8);
  change.add({ sql: "update library set shares = 1 where id = ? and shares = 0", args: [serial] }, { silent: true });
  addTask(change, shareTask, { library: serial }, { sql: "select changes() = 1" });
}

/** Begins to let the items of a library know, when that is due. */
export function beginSharing(store: Store, library: number): Promise<void> {
  const slice = (task: AssetTask) => shareSlice(store, task);
  return beginTask(store, shareTask, { library: Math.floor(library / 8) }, slice, slicesAtOnce);
}

/** Does one slice. Answers the item behind which to go on; `undefined` when all are done. */
export async function shareSlice(store: Store, { cursor, payload }: AssetTask): Promise<number | undefined> {
  const library = Number(payload.library);
  const container = accessKey("library", library);
  return repeatWhenRaced(async () => {
    const rows = await store.query({
      sql: `select item from library_item where library = ? and passes = 1 and item > ? order by item limit ${itemsAtOnce}`,
      args: [library, cursor],
    });
    if (rows.length > 0) {
      const change = store.change({ userName: "system" });
      await placeEntities(store, change, {
        keys: rows.map((row) => accessKey("item", Number(row.item))),
        edit: (placement) => ({ ...placement, parents: [...placement.parents, container] }),
      });
      await change.commit();
    }
    return rows.length < itemsAtOnce ? undefined : Number(rows.at(-1)?.item);
  });
}
