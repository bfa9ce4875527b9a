/** How searches ask for the fields of derived-fields.ts: as conditions on membership. */
import type { Ids } from "../../store/ids.ts";
import type { DerivedField, KeySet, ValueTest } from "../search/query/criterion.ts";
import { type Fragment, raw, sql } from "../search/query/fragment.ts";
import { memberKinds } from "./member.ts";

type SearchIds = Pick<Ids, "parse">;

/** The fields by name, for the search. */
export function derivedSearchFields(ids: SearchIds): ReadonlyMap<string, DerivedField> {
  const field = (name: string, keysFor: DerivedField["keysFor"]): [string, DerivedField] => [
    name,
    { store: "derived", field: { name, analysis: "exact" }, keysFor },
  ];
  return new Map([
    field("__ancestor_collection", (test) => belowCollections(collectionsFor(ids, test))),
    field("__child_collection", (test) => ({ select: parentsOf(collectionsFor(ids, test)) })),
  ]);
}

/** A select of the serials of the collections whose identifiers pass a test. */
function collectionsFor(ids: SearchIds, test: ValueTest): Fragment {
  if (test.test === "exact") return sql`select id from collection where id = ${ids.parse(test.text) ?? 0}`;
  if (test.test === "any") return raw("select id from collection");
  // Identifiers have no order and no parts that one could look for.
  return raw("select id from collection where 0");
}

/** Everything in some collections, directly or through others. */
function belowCollections(collections: Fragment): KeySet {
  const down = sql`with recursive down (id) as (
      ${collections}
      union
      select m.member from down cross join collection_member m on m.collection = down.id and m.kind = ${raw(String(memberKinds.collection))}
    )`;
  return {
    select: sql`select distinct below.id from (${down}
      select m.member * 8 + m.kind as id from down cross join collection_member m on m.collection = down.id) below`,
    contains: (id) => sql`exists (select 1 from collection_member m
      where m.kind = ${id} & 7 and m.member = ${id} / 8 and m.collection in (${down} select id from down))`,
  };
}

/** The collections that have some collections in them. */
function parentsOf(collections: Fragment): Fragment {
  return sql`select distinct m.collection * 8 + 2 as id from collection_member m
    where m.kind = ${raw(String(memberKinds.collection))} and m.member in (${collections})`;
}
