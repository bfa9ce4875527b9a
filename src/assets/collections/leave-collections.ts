import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { recordContent } from "./collection-events.ts";
import { addContentFields } from "./stored-fields.ts";

/**
 * Adds that entities which are being deleted are in no collection any more, with what the collections know of their
 * content, and their events.
 *
 * @param keys keys of the entities
 * @param except collections that are being deleted as well
 */
export async function leaveCollections(
  store: Store,
  change: Change,
  keys: readonly number[],
  except: readonly number[] = [],
): Promise<void> {
  const list = JSON.stringify(keys);
  const rows = await store.query({
    sql: `select distinct m.collection from json_each(?) k
      cross join collection_member m on m.kind = k.value % 8 and m.member = k.value / 8
      join collection c on c.id = m.collection
      where m.collection not in (select value from json_each(?)) order by m.collection`,
    args: [list, JSON.stringify(except)],
  });
  change.add(
    {
      sql: `delete from collection_member where (collection, kind, member) in (
        select m.collection, m.kind, m.member from json_each(?) k
        cross join collection_member m on m.kind = k.value % 8 and m.member = k.value / 8)`,
      args: [list],
    },
    { silent: true },
  );
  const collections = rows.map((row) => Number(row.collection));
  if (collections.length === 0) return;
  change.add(
    {
      sql: "update collection set changes = changes + 1 where id in (select value from json_each(?))",
      args: [JSON.stringify(collections)],
    },
    { silent: true },
  );
  addContentFields(change, collections);
  for (const collection of collections) recordContent(change, store.ids.format(collection));
}
