import { KinoraError } from "../../errors.ts";
import type { Change } from "../../store/change.ts";
import type { Row } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import type { ItemRelation } from "../documents/relation-document.ts";

/** Seen from the first item of a path: undirected, from it, or to it. */
export const relationDirections = ["U", "S", "T"] as const;
export type RelationDirection = (typeof relationDirections)[number];

/** Keys and values of a relation. */
export type RelationPairs = readonly (readonly [key: string, value: string])[];

/** A relation between items, by their serials. */
export interface Relation {
  readonly id: number;
  readonly source: number;
  readonly target: number;
  readonly direction: "D" | "U";
  readonly pairs: RelationPairs;
}

/** Pairs of one relation, and characters of one. */
const mostPairs = 100;
const longestPair = 4096;

function checkPairs(pairs: RelationPairs): void {
  if (pairs.length <= mostPairs && pairs.every(([key, value]) => key.length + value.length <= longestPair)) return;
  throw new KinoraError("invalid-input", {
    context: "relation",
    explanation: `A relation has at most ${mostPairs} pairs of at most ${longestPair} characters`,
  });
}

function relationOf(row: Row): Relation {
  return {
    id: Number(row.id),
    source: Number(row.source),
    target: Number(row.target),
    direction: row.direction === "D" ? "D" : "U",
    pairs: JSON.parse(String(row.pairs)) as RelationPairs,
  };
}

/** The ends of a relation that is made from the view of its first item. */
export function endsOf(first: number, second: number, direction: RelationDirection): Omit<Relation, "id" | "pairs"> {
  if (direction === "T") return { source: second, target: first, direction: "D" };
  return { source: first, target: second, direction: direction === "S" ? "D" : "U" };
}

const columns = "id, source, target, direction, pairs";

/** How the relations of an item are asked for; all without direction. */
function condition(direction: RelationDirection | undefined): string {
  if (direction === "S") return "source = ?1 and direction = 'D'";
  if (direction === "T") return "target = ?1 and direction = 'D'";
  return direction === "U" ? "(source = ?1 or target = ?1) and direction = 'U'" : "(source = ?1 or target = ?1)";
}

/** The relations of an item, in the order of their making. */
export async function readRelations(
  store: Store,
  item: number,
  direction?: RelationDirection,
): Promise<readonly Relation[]> {
  const rows = await store.query({
    sql: `select ${columns} from item_relation where ${condition(direction)} order by id`,
    args: [item],
  });
  return rows.map(relationOf);
}

/** One relation. @throws KinoraError `not-found` */
export async function readRelation(store: Store, id: string): Promise<Relation> {
  const serial = store.ids.parse(id);
  const rows =
    serial === undefined
      ? []
      : await store.query({ sql: `select ${columns} from item_relation where id = ?`, args: [serial] });
  const [row] = rows;
  if (row === undefined) throw new KinoraError("not-found", { type: "relation", id });
  return relationOf(row);
}

/**
 * Adds a relation to a change.
 *
 * @param allowDuplicate with `false`, the commit throws `conflict` when there is one of the same direction already
 * @throws KinoraError `invalid-input` for too many or too long pairs; by the commit `not-found` for an item that is gone
 */
export function addRelation(
  store: Store,
  change: Change,
  { id, source, target, direction, pairs }: Relation,
  allowDuplicate: boolean,
): void {
  checkPairs(pairs);
  for (const item of [source, target]) {
    change.require(
      { sql: "select exists (select 1 from item where id = ?)", args: [item] },
      new KinoraError("not-found", { type: "Item", id: store.ids.format(item) }),
    );
  }
  if (!allowDuplicate) {
    change.require(
      {
        sql: `select not exists (select 1 from item_relation where direction = ?3
          and ((source = ?1 and target = ?2) or (?3 = 'U' and source = ?2 and target = ?1)))`,
        args: [source, target, direction],
      },
      new KinoraError("conflict", { context: "relation", explanation: "The items have this relation already" }),
    );
  }
  change.add({
    sql: `insert into item_relation (${columns}) values (?, ?, ?, ?, ?)`,
    args: [id, source, target, direction, JSON.stringify(pairs)],
  });
}

/** Adds other ends or pairs of a relation to a change. */
export function updateRelation(change: Change, { id, source, target, direction, pairs }: Relation): void {
  checkPairs(pairs);
  change.add({
    sql: "update item_relation set source = ?, target = ?, direction = ?, pairs = ? where id = ?",
    args: [source, target, direction, JSON.stringify(pairs), id],
  });
}

/** Adds the removal of relations to a change. */
export function removeRelations(change: Change, ids: readonly number[]): void {
  change.add({
    sql: "delete from item_relation where id in (select value from json_each(?))",
    args: [JSON.stringify(ids)],
  });
}

/** The document of a relation. */
export function relationDocument({ ids }: Pick<Store, "ids">, relation: Relation): ItemRelation {
  const { id, source, target, direction, pairs } = relation;
  return {
    id: ids.format(id),
    direction: { type: direction, source: ids.format(source), target: ids.format(target) },
    value: pairs.map(([key, value]) => ({ key, value })),
  };
}
