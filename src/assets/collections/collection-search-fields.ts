/**
 * How searches ask for the fields that name collections. Callers find through those collections alone that they may find
 * themselves; all others are as if nothing were in them.
 */
import type { Subject } from "../../plugin/contract.ts";
import type { Store } from "../../store/store.ts";
import type { Access } from "../access/create-access.ts";
import { siteOf } from "../fields/site.ts";
import type { DerivedField, KeySet, SearchedField, ValueTest } from "../search/query/criterion.ts";
import { type Fragment, raw, sql } from "../search/query/fragment.ts";
import type { OtherFields } from "../search/search-ports.ts";
import { memberKinds } from "./member.ts";

interface FieldDeps {
  readonly store: Store;
  readonly access: Pick<Access, "readableSets">;
}

type Fields = ReadonlyMap<string, SearchedField | DerivedField>;

/** Makes them; those of callers who may find everything are made once. */
export function collectionSearchFields({ store, access }: FieldDeps): OtherFields {
  const unlimited: Fields = new Map(derivedFields(store));
  return (subject: Subject | undefined) => {
    const sets = subject === undefined ? "all" : access.readableSets(subject);
    if (sets === "all") return unlimited;
    return sets instanceof Promise ? sets.then((found) => limited(store, found)) : limited(store, sets);
  };
}

function limited(store: Store, sets: Fragment): Fields {
  const fields = ["__collection", "__parent_collection"].map(
    (name) =>
      [name, { store: "transient", field: { name, analysis: "exact", visible: visibleIn(store, sets) } }] as const,
  );
  return new Map<string, SearchedField | DerivedField>([...fields, ...derivedFields(store, sets)]);
}

/** The fields of which nothing is kept: they are conditions on membership. */
function derivedFields(store: Store, sets?: Fragment): readonly [string, DerivedField][] {
  const field = (name: string, keysFor: DerivedField["keysFor"]): [string, DerivedField] => [
    name,
    { store: "derived", field: { name, analysis: "exact" }, keysFor },
  ];
  return [
    field("__ancestor_collection", (test) => belowCollections(collectionsFor(store, test, sets))),
    field("__child_collection", (test) => ({ select: parentsOf(collectionsFor(store, test, sets)) })),
  ];
}

/** That the caller may find the collection with a serial, which is an expression. */
function findable(serial: Fragment, sets: Fragment): Fragment {
  return sql`exists (select 1 from search_document a
    where a.id = ${serial} * 8 + ${raw(String(memberKinds.collection))} and a.access in (${sets}))`;
}

/** That the caller may find the collection that a value names. A single one is looked up once, not for each row. */
function visibleIn(store: Store, sets: Fragment): (value: Fragment, test: ValueTest) => Fragment {
  return (value, test) => {
    if (test.test === "exact") return findable(sql`${store.ids.parse(test.text) ?? 0}`, sets);
    return sql`${value} in (select ${siteOf(store)} || '-' || c.id from collection c where ${findable(raw("c.id"), sets)})`;
  };
}

/** A select of the serials of the collections that the caller may find and whose identifiers pass a test. */
function collectionsFor({ ids }: Store, test: ValueTest, sets: Fragment | undefined): Fragment {
  const visible = sets === undefined ? raw("1") : findable(raw("c.id"), sets);
  if (test.test === "exact")
    return sql`select c.id from collection c where c.id = ${ids.parse(test.text) ?? 0} and ${visible}`;
  if (test.test === "any") return sql`select c.id from collection c where ${visible}`;
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
