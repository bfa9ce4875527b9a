import { repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import { entityKey } from "../entity.ts";
import { notFound, requireRank } from "../metadata/entity-access.ts";
import type { Editor } from "../metadata/metadata-editing.ts";
import { requireItemUnlocked } from "../metadata/metadata-locks.ts";
import { requireSame } from "../metadata/metadata-write.ts";
import { readForWrite } from "../metadata/read-for-write.ts";
import { spreadRemoval } from "../metadata/spread-write.ts";
import type { ItemEnvironment } from "./create-item.ts";
import type { KeepOptions } from "./item-hooks.ts";

/** Adds the removal of everything that is kept of items here. */
function addRemoval(change: Change, serials: readonly number[]): void {
  const items = JSON.stringify(serials);
  const keys = JSON.stringify(serials.map((serial) => entityKey("item", serial)));
  const within = "in (select value from json_each(?))";
  change.add(
    { sql: `delete from item where id ${within}`, args: [items] },
    { sql: `delete from metadata where id ${within}`, args: [keys] },
    { sql: `delete from change_set where entity ${within}`, args: [keys] },
    { sql: `delete from metadata_reference where source ${within}`, args: [keys] },
    { sql: `delete from metadata_lock where entity ${within}`, args: [keys] },
    { sql: `delete from item_lock where item ${within}`, args: [items] },
    { sql: `delete from item_relation where source ${within}`, args: [items] },
    { sql: `delete from item_relation where target ${within}`, args: [items] },
  );
}

/**
 * Deletes items with everything of theirs: metadata, history, access entries, memberships, shapes, index. What other
 * domains keep of them goes in the same batch.
 *
 * @param options.ignoreMissing items that do not exist or may not be read are passed over. Default `false`
 * @throws KinoraError `not-found`; `forbidden` without the permission ALL; `conflict` for an item that another user has
 * locked, or that must not be deleted
 */
export async function deleteItems(
  environment: ItemEnvironment,
  editor: Editor,
  serials: readonly number[],
  keep: KeepOptions,
  { ignoreMissing = false }: { readonly ignoreMissing?: boolean } = {},
): Promise<void> {
  await repeatWhenRaced(async () => {
    const read = await readForWrite(environment, editor.subject, "item", serials, "entity");
    const rows = read.filter(({ row }) => row.rank >= 1);
    for (const { locks } of rows) requireItemUnlocked(locks, editor.subject?.userName);
    const readable = rows.map(({ row }) => row);
    const found = new Set(readable.map((row) => row.serial));
    const missing = serials.find((serial) => !found.has(serial));
    if (missing !== undefined && !ignoreMissing) throw notFound(environment, "item", missing);
    for (const row of readable) requireRank(environment, row, "ALL");
    if (readable.length === 0) return;
    const change = editor.change();
    const deleted = readable.map((row) => row.serial);
    requireSame(change, readable);
    for (const hook of environment.hooks) await hook.itemsDeleted?.(change, deleted, keep);
    for (const row of readable) await spreadRemoval(environment, change, row);
    addRemoval(change, deleted);
    environment.index.remove(change, "item", deleted);
    await environment.access.removed(change, "item", deleted);
    for (const serial of deleted) {
      const itemId = environment.ids.format(serial);
      change.record({ entity: "item", action: "DELETE", entityId: itemId, keys: { itemId, action: "DELETE" } });
    }
    await change.commit();
  });
}
