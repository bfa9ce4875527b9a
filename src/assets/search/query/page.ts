import type { Row, Statement } from "../../../store/database.ts";
import type { CursorPosition } from "./cursor.ts";
import { type Fragment, raw, sql } from "./fragment.ts";
import type { Searched, SearchPlan } from "./plan.ts";

/** Which part of the hits is asked for. */
export interface PageRequest {
  /** Hits to skip; 0 with a cursor. */
  readonly offset: number;
  readonly limit: number;
  /** Hits behind this one. */
  readonly after?: CursorPosition | undefined;
}

/** The number of hits. */
export function countStatement(plan: SearchPlan | { readonly everything: true }, searched: Searched): Fragment {
  const { kinds, readable, visible } = searched;
  if (!("from" in plan) || (plan.everything && visible === undefined)) {
    const access = readable === undefined ? raw("1") : sql`access in (${readable})`;
    return sql`select coalesce(sum(entities), 0) as hits from search_total
      where kind in (${raw(kinds.join(", "))}) and ${access}`;
  }
  return sql`select count(*) as hits from ${plan.from} where ${plan.where}`;
}

/** Keys in the order of creation: newest first, or oldest first. */
export function byKey(plan: SearchPlan, page: PageRequest, descending: boolean): Fragment {
  const { after } = page;
  const behind = after === undefined ? raw("") : sql` and ${plan.id} ${raw(descending ? "<" : ">")} ${after.id}`;
  return sql`select ${plan.id} as id from ${plan.from} where ${plan.where}${behind}
    order by ${plan.id} ${raw(descending ? "desc" : "asc")} ${limited(page)}`;
}

/** Keys of a page, and which of them have metadata with timespans. */
export interface KeyPage {
  readonly keys: readonly number[];
  readonly timed: readonly number[];
}

/**
 * A page of keys and, when asked for, the number of hits, in one statement and one row: a row for each key would cost
 * more than finding them. Ordered within: the server's parser knows no `order by` in an aggregate.
 */
export function keyPageStatement(keys: Fragment, descending: boolean, count: Fragment | undefined): Statement {
  const order = raw(`order by p.id ${descending ? "desc" : "asc"}`);
  return sql`select json_group_array(id) as keys, json_group_array(id) filter (where timed = 1) as timed,
      ${count === undefined ? raw("null") : sql`(${count})`} as hits
    from (select p.id, (select timed from search_document where id = p.id) as timed from (${keys}) p ${order})`;
}

export function keyPageOf(row: Row | undefined): KeyPage & { readonly hits: number } {
  return {
    keys: JSON.parse(String(row?.keys ?? "[]")) as number[],
    timed: JSON.parse(String(row?.timed ?? "[]")) as number[],
    hits: Number(row?.hits ?? 0),
  };
}

export function limited({ limit, offset }: PageRequest): Fragment {
  return offset === 0 ? sql`limit ${limit}` : sql`limit ${limit} offset ${offset}`;
}
