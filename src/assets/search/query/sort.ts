import type { Row, SqlValue, Statement } from "../../../store/database.ts";
import { highest, lowest } from "../index/sort-rows.ts";
import type { SortValue } from "../index/sort-value.ts";
import { type Score, type Scored, scoreColumn, scoreTables } from "./boost.ts";
import type { SearchedField } from "./criterion.ts";
import type { CursorPosition } from "./cursor.ts";
import { type Fragment, joined, raw, sql } from "./fragment.ts";
import { type KeyPage, keyPageOf, limited, type PageRequest } from "./page.ts";
import { kindCondition, type Searched, type SearchPlan } from "./plan.ts";
import { transientCondition } from "./transient-condition.ts";

/** Sorts by how well a hit fits the search. */
export const relevance = "_relevance";

/** A field to sort by, or how well a hit fits the search. */
export interface SortKey {
  readonly by: SearchedField | SortScores | SortExpression;
  readonly descending: boolean;
}

/** How well a hit fits: the sum of these. */
export interface SortScores {
  readonly store: "scores";
  readonly scores: readonly Score[];
}

/** An order that a domain gives: the place of a key, which is a column. */
export interface SortExpression {
  readonly store: "expression";
  readonly place: (id: Fragment) => Fragment;
}

/** A page of hits in the order of fields. */
export interface SortedPage extends KeyPage {
  /** The last hit of the page, behind which the next begins. */
  readonly last?: CursorPosition;
}

/**
 * The keys of an ordered page in one row, with the values of its last hit: those are compared with again, so they must
 * come as they are and not as numbers in JSON.
 */
function inOneRow(page: Fragment, sorts: number): Statement {
  const values = Array.from({ length: sorts }, (_, index) => raw(`k${index}`));
  return sql`select json_group_array(id) as keys, json_group_array(id) filter (where timed = 1) as timed,
      max(place) as hits, id as last, ${joined(values, ", ", raw(""))}
    from (
      select p.*, row_number() over () as place, (select timed from search_document where id = p.id) as timed
      from (${page}) p
    )`;
}

export function sortedPageOf(row: Row | undefined, sorts: number): SortedPage {
  const { keys, timed } = keyPageOf(row);
  if (row === undefined || keys.length === 0) return { keys, timed };
  const values = Array.from({ length: sorts }, (_, index) => row[`k${index}`] as SortValue | null);
  return { keys, timed, last: { id: Number(row.last), values } };
}

/**
 * A page that is found by looking at every hit: for small results, or several fields. An entity with several values
 * stands at the lowest when ascending, at the highest when descending; those without a value come last.
 */
export function sortedByLooking(plan: SearchPlan, keys: readonly SortKey[], page: PageRequest): Statement {
  const scored = { id: plan.id, match: plan.everything ? undefined : plan.match };
  const columns = keys.map((key, index) => sql`${keyColumn(key, scored)} as ${raw(`k${index}`)}`);
  const scores = keys.flatMap(({ by }) => (by.store === "scores" ? by.scores : []));
  const order = keys.map((key, index) => raw(`k${index} ${key.descending ? "desc" : "asc"} nulls last`));
  const tie = raw(`id ${tieDescends(keys) ? "desc" : "asc"}`);
  const behind = page.after === undefined ? raw("1") : keysetCondition(keys, page.after);
  return inOneRow(
    sql`select * from (
      select ${plan.id} as id, ${joined(columns, ", ", raw(""))}
      from ${plan.from} left join search_value v on v.id = ${plan.id} ${scoreTables(scores, scored)}
      where ${plan.where}
    ) where ${behind} order by ${joined([...order, tie], ", ", raw(""))} ${limited(page)}`,
    keys.length,
  );
}

function tieDescends(keys: readonly SortKey[]): boolean {
  return keys[0]?.descending === true;
}

function keyColumn({ by, descending }: SortKey, scored: Scored): Fragment {
  const { id } = scored;
  if (by.store === "scores") return scoreColumn(by.scores, scored);
  if (by.store === "expression") return by.place(id);
  if (by.store === "index") return raw(`v.value ->> '$."${by.field.key}"[${descending ? "#-1" : "0"}]'`);
  return sql`(select ${raw(descending ? "max" : "min")}(t.value) from search_transient t where t.id = ${id}
    and ${transientCondition(by.field, { test: "any" })})`;
}

/** Behind a position in the order of the keys and then of ids. */
function keysetCondition(keys: readonly SortKey[], after: CursorPosition): Fragment {
  const alternatives: Fragment[] = [];
  const equal: Fragment[] = [];
  for (const [index, key] of keys.entries()) {
    const column = raw(`k${index}`);
    const value: SqlValue = after.values[index] ?? null;
    if (value !== null) {
      const further = sql`(${column} ${raw(key.descending ? "<" : ">")} ${value} or ${column} is null)`;
      alternatives.push(sql`(${joined([...equal, further], " and ", raw("1"))})`);
    }
    equal.push(sql`${column} is ${value}`);
  }
  const id = sql`id ${raw(tieDescends(keys) ? "<" : ">")} ${after.id}`;
  alternatives.push(sql`(${joined([...equal, id], " and ", raw("1"))})`);
  return sql`(${joined(alternatives, " or ", raw("0"))})`;
}

/**
 * A page that is found by going through the order of a field and looking which entities are hits: for large results. It
 * has only entities with a value of the field.
 */
export function sortedByOrder(
  field: { readonly key: string },
  descending: boolean,
  hits: { readonly match?: string | undefined; readonly searched: Searched },
  page: PageRequest,
): Statement {
  const { kinds, readable } = hits.searched;
  const id = raw("s.id");
  const conditions = [
    sql`s.field = ${field.key}`,
    raw(`s.ends & ${descending ? highest : lowest}`),
    kindCondition(id, kinds),
  ];
  if (readable !== undefined) conditions.push(sql`d.access in (${readable})`);
  if (hits.match !== undefined) {
    conditions.push(
      sql`exists (select 1 from search_index f where f.search_index match ${hits.match} and f.rowid = s.id)`,
    );
  }
  const value = page.after?.values[0] ?? null;
  if (page.after !== undefined && value !== null) {
    conditions.push(sql`(s.value, s.id) ${raw(descending ? "<" : ">")} (${value}, ${page.after.id})`);
  }
  const access = raw(readable === undefined ? "" : " cross join search_document d on d.id = s.id");
  const direction = raw(descending ? "desc" : "asc");
  return inOneRow(
    sql`select s.id as id, s.value as k0 from search_sort s${access}
    where ${joined(conditions, " and ", raw("1"))} order by s.value ${direction}, s.id ${direction} ${limited(page)}`,
    1,
  );
}
