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
export function countStatement(plan: SearchPlan, { kinds, readable, holder }: Searched): Statement {
  if (plan.everything && holder === undefined) {
    const access = readable === undefined ? raw("1") : sql`access in (${readable})`;
    return sql`select coalesce(sum(entities), 0) as hits from search_total
      where kind in (${raw(kinds.join(", "))}) and ${access}`;
  }
  return sql`select count(*) as hits from ${plan.from} where ${plan.where}`;
}

/** A page in the order of creation: newest first, or oldest first. */
export function byKey(plan: SearchPlan, page: PageRequest, descending: boolean): Statement {
  const { after } = page;
  const behind = after === undefined ? raw("") : sql` and ${plan.id} ${raw(descending ? "<" : ">")} ${after.id}`;
  return sql`select ${plan.id} as id from ${plan.from} where ${plan.where}${behind}
    order by ${plan.id} ${raw(descending ? "desc" : "asc")} ${limited(page)}`;
}

export function limited({ limit, offset }: PageRequest): Fragment {
  return offset === 0 ? sql`limit ${limit}` : sql`limit ${limit} offset ${offset}`;
}

export function idsOf(rows: readonly Row[]): readonly number[] {
  return rows.map((row) => Number(row.id));
}
