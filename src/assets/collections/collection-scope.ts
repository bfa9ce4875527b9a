import type { KeySet } from "../search/query/criterion.ts";
import { type Fragment, raw, sql } from "../search/query/fragment.ts";
import { memberKinds } from "./member.ts";

/** The items of a collection, to search among them. */
export interface CollectionScope extends KeySet {
  /** Where an item comes among the members, by the expression of its key: for `indexCollectionItemOrder`. */
  readonly order: (id: Fragment) => Fragment;
}

const item = raw(String(memberKinds.item));

/** What is searched when the items directly in a collection are. */
export function collectionScope(collection: number): CollectionScope {
  const one = (id: Fragment) => sql`m.collection = ${collection} and m.kind = ${item} and m.member = ${id} / 8`;
  return {
    exact: true,
    select: sql`select m.member * 8 + m.kind as id from collection_member m
      where m.collection = ${collection} and m.kind = ${item}`,
    contains: (id) => sql`(${id} & 7 = ${item} and exists (select 1 from collection_member m where ${one(id)}))`,
    order: (id) => sql`(select m.position from collection_member m where ${one(id)})`,
  };
}
