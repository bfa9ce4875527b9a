/**
 * What is left to do when a collection was deleted: its members still have it among their containers and in their fields.
 * Nothing reaches them from it any more, so this can wait; a large collection is tidied up in slices.
 */
import { repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import { accessKey } from "../access/access-entity.ts";
import { placeEntities } from "../access/place-entities.ts";
import { siteOf } from "../fields/site.ts";
import { reindexEntities } from "../metadata/reindex.ts";
import type { CollectionEnvironment } from "./collection-environment.ts";
import { memberKinds } from "./member.ts";
import { addMemberFields } from "./stored-fields.ts";

/** The name of the task. */
export const tidyTask = "tidy-collection";

/** Members of one slice. */
const tidiedAtOnce = 2000;

/** Tidies up one slice; `undefined` when nothing is left. */
export async function tidyTaskSlice(
  environment: CollectionEnvironment,
  collection: number,
): Promise<number | undefined> {
  const { store } = environment;
  const keys = await readLeft(environment, collection);
  if (keys.length === 0) return undefined;
  await reindexInheriting(environment, keys);
  return repeatWhenRaced(async () => {
    const present = await readPresent(environment, keys);
    const change = store.change({ userName: "system" });
    const container = accessKey("collection", collection);
    await placeEntities(store, change, {
      keys: present,
      edit: (placement) => ({ ...placement, parents: placement.parents.filter((one) => one !== container) }),
    });
    removeRows(change, collection, keys);
    addMemberFields(change, siteOf(store), present);
    await change.commit();
    return keys.length === tidiedAtOnce ? 0 : undefined;
  });
}

async function readLeft({ store }: CollectionEnvironment, collection: number): Promise<readonly number[]> {
  const rows = await store.query({
    sql: `select m.member * 8 + m.kind as id from collection_member m
      where m.collection = ? and not exists (select 1 from collection c where c.id = m.collection) limit ${tidiedAtOnce}`,
    args: [collection],
  });
  return rows.map((row) => Number(row.id));
}

async function readPresent({ store }: CollectionEnvironment, keys: readonly number[]): Promise<readonly number[]> {
  const rows = await store.query({
    sql: "select id from search_document where id in (select value from json_each(?))",
    args: [JSON.stringify(keys)],
  });
  return rows.map((row) => Number(row.id));
}

/** What items inherited from the collection is still in the index. */
async function reindexInheriting(environment: CollectionEnvironment, keys: readonly number[]): Promise<void> {
  const { anyInherited } = await environment.definitions.current();
  if (!anyInherited) return;
  const start = () => environment.store.change({ userName: "system" });
  const ofKind = (kind: number) => keys.filter((key) => key % 8 === kind).map((key) => Math.floor(key / 8));
  await reindexEntities(environment, start, "item", ofKind(memberKinds.item));
  for (const child of ofKind(memberKinds.collection)) {
    for await (const items of environment.inheritance.members(child)) {
      await reindexEntities(environment, start, "item", items);
    }
  }
}

function removeRows(change: Change, collection: number, keys: readonly number[]): void {
  change.add({
    sql: `delete from collection_member where collection = ?
      and (kind, member) in (select value % 8, value / 8 from json_each(?))`,
    args: [collection, JSON.stringify(keys)],
  });
}
