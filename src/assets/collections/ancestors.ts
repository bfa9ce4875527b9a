import type { Store } from "../../store/store.ts";
import { memberKinds } from "./member.ts";

/** The collections that some entities are in, directly or through others, ascending, by the serial of the entity. */
export async function ancestorsOf(
  store: Store,
  kind: "item" | "collection",
  serials: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await store.query({
    sql: `with recursive up (start, id) as (
        select m.member, m.collection from json_each(?) s
        cross join collection_member m on m.kind = ${memberKinds[kind]} and m.member = s.value
        union
        select up.start, m.collection from up
        cross join collection_member m on m.kind = ${memberKinds.collection} and m.member = up.id
      )
      select up.start, up.id from up cross join collection c on c.id = up.id order by up.start, up.id`,
    args: [JSON.stringify(serials)],
  });
  const found = new Map<number, number[]>();
  for (const row of rows) {
    const list = found.get(Number(row.start));
    if (list === undefined) found.set(Number(row.start), [Number(row.id)]);
    else list.push(Number(row.id));
  }
  return found;
}

/** The collections directly in some collections, by the serial of the collection that they are in. */
export async function childrenOf(
  store: Store,
  collections: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await store.query({
    sql: `select m.collection, m.member from json_each(?) s
      cross join collection_member m on m.collection = s.value and m.kind = ${memberKinds.collection}
      order by m.collection, m.position, m.member`,
    args: [JSON.stringify(collections)],
  });
  const found = new Map<number, number[]>();
  for (const row of rows) {
    const list = found.get(Number(row.collection));
    if (list === undefined) found.set(Number(row.collection), [Number(row.member)]);
    else list.push(Number(row.member));
  }
  return found;
}
