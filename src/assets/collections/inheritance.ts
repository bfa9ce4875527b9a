/** Which collections' metadata reaches which items: every collection that an item is in, directly or through others. */
import type { Store } from "../../store/store.ts";
import type { InheritancePort } from "../inheritance-port.ts";
import { memberKinds } from "./member.ts";

/** Collections by the serial of what is directly in them. */
type Edges = ReadonlyMap<number, ReadonlySet<number>>;

/** Items of one block of {@link InheritancePort.members}. */
const blockSize = 1000;

/** How metadata reaches items, as it is written. */
export function createInheritance(store: Store): InheritancePort {
  return {
    async sources(items) {
      const direct = await readDirect(store, items);
      const above = await readAbove(
        store,
        [...direct.values()].flatMap((collections) => [...collections]),
      );
      return nearestFirst(items, direct, above);
    },
    async *members(collection) {
      const seen = new Set<number>();
      for (const each of await readBelow(store, collection)) {
        for (let after = 0; ; ) {
          const rows = await store.query({
            sql: `select member from collection_member where collection = ? and kind = ${memberKinds.item} and member > ?
              order by member limit ${blockSize}`,
            args: [each, after],
          });
          const block = rows.map((row) => Number(row.member));
          const fresh = block.filter((item) => !seen.has(item));
          for (const item of fresh) seen.add(item);
          if (fresh.length > 0) yield fresh;
          if (block.length < blockSize) break;
          after = block.at(-1) ?? after;
        }
      }
    },
  };
}

async function readDirect(store: Store, items: readonly number[]): Promise<Edges> {
  const rows = await store.query({
    sql: `select m.member, m.collection from json_each(?) i
      cross join collection_member m on m.kind = ${memberKinds.item} and m.member = i.value`,
    args: [JSON.stringify(items)],
  });
  return edgesOf(rows.map((row) => [Number(row.member), Number(row.collection)]));
}

/** The collections that some collections are in, and so on up. */
async function readAbove(store: Store, collections: readonly number[]): Promise<Edges> {
  const rows = await store.query({
    sql: `with recursive up (id) as (
        select value from json_each(?)
        union
        select m.collection from up cross join collection_member m on m.kind = ${memberKinds.collection} and m.member = up.id
      )
      select m.member, m.collection from up
      cross join collection_member m on m.kind = ${memberKinds.collection} and m.member = up.id`,
    args: [JSON.stringify([...new Set(collections)])],
  });
  return edgesOf(rows.map((row) => [Number(row.member), Number(row.collection)]));
}

/** A collection and those in it, directly or through others. */
async function readBelow(store: Store, collection: number): Promise<readonly number[]> {
  const rows = await store.query({
    sql: `with recursive down (id) as (
        select ?
        union
        select m.member from down join collection_member m on m.collection = down.id and m.kind = ${memberKinds.collection}
      )
      select id from down`,
    args: [collection],
  });
  return rows.map((row) => Number(row.id));
}

function edgesOf(pairs: readonly (readonly [member: number, collection: number])[]): Map<number, Set<number>> {
  const edges = new Map<number, Set<number>>();
  for (const [member, collection] of pairs) addEdge(edges, member, collection);
  return edges;
}

function addEdge(edges: Map<number, Set<number>>, member: number, collection: number): void {
  const known = edges.get(member);
  if (known === undefined) edges.set(member, new Set([collection]));
  else known.add(collection);
}

function nearestFirst(items: readonly number[], direct: Edges, above: Edges): ReadonlyMap<number, readonly number[]> {
  const sources = new Map<number, readonly number[]>();
  for (const item of items) {
    const found = new Set<number>();
    let level = [...(direct.get(item) ?? [])].sort((a, b) => a - b);
    while (level.length > 0) {
      for (const collection of level) found.add(collection);
      const next = new Set(level.flatMap((collection) => [...(above.get(collection) ?? [])]));
      level = [...next].filter((collection) => !found.has(collection)).sort((a, b) => a - b);
    }
    if (found.size > 0) sources.set(item, [...found]);
  }
  return sources;
}

/** Members of a collection that a change adds and removes, by their keys. */
export interface ChangedEdges {
  readonly collection: number;
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/** The items to which metadata reaches otherwise by a change of a collection's members, and from where behind it. */
export async function inheritanceSources(
  store: Store,
  { collection, added, removed }: ChangedEdges,
): Promise<{ readonly items: readonly number[]; readonly sources: ReadonlyMap<number, readonly number[]> }> {
  const ofKind = (keys: readonly number[], kind: number) =>
    keys.filter((key) => key % 8 === kind).map((key) => Math.floor(key / 8));
  const items = new Set(ofKind([...added, ...removed], memberKinds.item));
  for (const child of ofKind([...added, ...removed], memberKinds.collection)) {
    for await (const block of createInheritance(store).members(child)) {
      for (const item of block) items.add(item);
    }
  }
  const list = [...items];
  const direct = edgesOf(
    [...(await readDirect(store, list))].flatMap(([item, of]) => [...of].map((one) => [item, one] as const)),
  );
  const nodes = [...[...direct.values()].flatMap((of) => [...of]), collection];
  const above = edgesOf(
    [...(await readAbove(store, nodes))].flatMap(([child, of]) => [...of].map((one) => [child, one] as const)),
  );
  for (const item of ofKind(added, memberKinds.item)) addEdge(direct, item, collection);
  for (const item of ofKind(removed, memberKinds.item)) direct.get(item)?.delete(collection);
  for (const child of ofKind(added, memberKinds.collection)) addEdge(above, child, collection);
  for (const child of ofKind(removed, memberKinds.collection)) above.get(child)?.delete(collection);
  return { items: list, sources: nearestFirst(list, direct, above) };
}
