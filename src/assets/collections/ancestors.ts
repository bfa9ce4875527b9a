import type { Row } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import type { Fragment } from "../access-port.ts";
import { memberKinds } from "./member.ts";

/** A collection above or below another entity. */
export interface Related {
  readonly serial: number;
  /** Whether the caller may find it. */
  readonly visible: boolean;
}

/**
 * The collections that some entities are in, directly or through others, ascending, by the serial of the entity.
 *
 * @param visible that the caller may find the collection with the serial `up.id`
 */
export async function ancestorsOf(
  store: Store,
  kind: "item" | "collection",
  serials: readonly number[],
  visible: Fragment,
): Promise<ReadonlyMap<number, readonly Related[]>> {
  const rows = await store.query({
    sql: `with recursive up (start, id) as (
        select m.member, m.collection from json_each(?) s
        cross join collection_member m on m.kind = ${memberKinds[kind]} and m.member = s.value
        union
        select up.start, m.collection from up
        cross join collection_member m on m.kind = ${memberKinds.collection} and m.member = up.id
      )
      select up.start as entity, up.id as related, ${visible.sql} as visible
      from up cross join collection c on c.id = up.id order by up.start, up.id`,
    args: [JSON.stringify(serials), ...visible.args],
  });
  return relatedByEntity(rows);
}

/**
 * The collections directly in some collections, by the serial of the collection that they are in.
 *
 * @param visible that the caller may find the collection with the serial `m.member`
 */
export async function childrenOf(
  store: Store,
  collections: readonly number[],
  visible: Fragment,
): Promise<ReadonlyMap<number, readonly Related[]>> {
  const rows = await store.query({
    sql: `select m.collection as entity, m.member as related, ${visible.sql} as visible from json_each(?) s
      cross join collection_member m on m.collection = s.value and m.kind = ${memberKinds.collection}
      order by m.collection, m.position, m.member`,
    args: [...visible.args, JSON.stringify(collections)],
  });
  return relatedByEntity(rows);
}

function relatedByEntity(rows: readonly Row[]): ReadonlyMap<number, readonly Related[]> {
  const found = new Map<number, Related[]>();
  for (const row of rows) {
    const related = { serial: Number(row.related), visible: row.visible === 1 };
    const list = found.get(Number(row.entity));
    if (list === undefined) found.set(Number(row.entity), [related]);
    else list.push(related);
  }
  return found;
}
