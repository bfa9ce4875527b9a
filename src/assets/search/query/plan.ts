import { conditionOf, keysOf } from "./condition.ts";
import type { ConditionScope } from "./condition-scope.ts";
import type { Criterion } from "./criterion.ts";
import { type Fragment, joined, raw, sql } from "./fragment.ts";
import { isIndexed, matchOf } from "./match.ts";
import { transientCondition } from "./transient-condition.ts";

/** What a search reads from, before it is known what of it: a page, a count, facets. */
export interface SearchPlan {
  /** Tables, the first of which has the keys. */
  readonly from: Fragment;
  /** The column of the keys. */
  readonly id: Fragment;
  readonly where: Fragment;
  /** Everything of the searched kinds is a hit. */
  readonly everything: boolean;
  /** The search as one expression of the index, when it is that and nothing else. */
  readonly match?: string;
}

/** Which entities are searched, and for whom. */
export interface Searched {
  /** Numbers of the kinds, the low bits of a key. */
  readonly kinds: readonly number[];
  /** A select of the access sets that the caller may read; absent for administrators. */
  readonly readable?: Fragment | undefined;
  /** For kinds that have no access set of their own: the condition that the caller may find one, by its key. */
  readonly visible?: ((id: Fragment) => Fragment) | undefined;
}

/** How many keys the parts of a search stand for that are not in the full-text index. */
export interface Sizes {
  isFew(criterion: Criterion): boolean;
  isVeryFew(criterion: Criterion): boolean;
}

/** Decides where a search begins: in the index, in a short list of keys, or with all entities. */
export function planSearch(criterion: Criterion, searched: Searched, scope: ConditionScope, sizes: Sizes): SearchPlan {
  const parts = criterion.is === "and" ? criterion.of : criterion.is === "all" ? [] : [criterion];
  const indexed = parts.filter(isIndexed);
  const others = parts.filter((part) => !isIndexed(part));
  const list =
    others.find((part) => sizes.isVeryFew(part)) ?? (indexed.length === 0 ? startingList(others, sizes) : undefined);
  const rest = others.filter((part) => part !== list);
  const expression = indexed.length === 0 ? undefined : matchOf({ is: "and", of: indexed }, scope);

  const start =
    list !== undefined ? fromList(list, expression, scope) : expression !== undefined ? fromIndex(expression) : fromAll;
  const conditions = [...start.where, ...rest.map((part) => conditionOf(part, start.id, scope))];
  return {
    from: sql`${start.from}${accessTable(start, searched)}`,
    id: start.id,
    where: joined([...conditions, ...common(start, searched)], " and ", raw("1")),
    everything: parts.length === 0,
    ...(others.length === 0 ? { match: expression ?? scope.base } : {}),
  };
}

interface Start {
  /** Every key in it is that of an entity which can be found. */
  readonly isIndex?: boolean;
  readonly from: Fragment;
  readonly id: Fragment;
  readonly where: readonly Fragment[];
}

const fromAll: Start = { isIndex: true, from: raw("search_document f"), id: raw("f.id"), where: [] };

function fromIndex(expression: string): Start {
  return {
    isIndex: true,
    from: raw("search_index f"),
    id: raw("f.rowid"),
    where: [sql`f.search_index match ${expression}`],
  };
}

/** A part to begin with when none is in the index: one whose keys come in order, or few. */
function startingList(others: readonly Criterion[], sizes: Sizes): Criterion | undefined {
  const [first] = others;
  if (others.length === 1 && first !== undefined && comesInOrder(first)) return first;
  return (
    others.find((part) => sizes.isFew(part)) ??
    others.find(comesInOrder) ??
    others.find((part) => part.is === "group" || part.is === "related" || part.is === "span")
  );
}

/** Whether the keys of a part can be gone through as they are, however many: no key comes twice. */
export function comesInOrder(part: Criterion): boolean {
  if (part.is === "keys") return part.keys.exact === true;
  return part.is === "value" && part.field.store === "transient" && part.test.test === "exact";
}

function fromList(list: Criterion, expression: string | undefined, scope: ConditionScope): Start {
  const id = raw("f.id");
  const where =
    expression === undefined
      ? []
      : [sql`exists (select 1 from search_index x where x.search_index match ${expression} and x.rowid = f.id)`];
  if (list.is === "value" && list.field.store === "transient" && list.test.test === "exact") {
    // No key comes twice, and they come in the order of pages.
    const condition = transientCondition(list.field.field, list.test, "f");
    return { from: raw("search_transient f"), id, where: [condition, ...where] };
  }
  const keys = keysOf(list, scope);
  if (list.is === "keys" && list.keys.exact === true) return { isIndex: true, from: sql`(${keys}) f`, id, where };
  return { from: sql`(with k (id) as (${keys}) select distinct id from k) f`, id, where };
}

/** The access set of each hit: in the row itself when the search begins with all, else in a table beside. */
function accessTable(start: Start, { readable, visible }: Searched): Fragment {
  if (start === fromAll) return raw("");
  if ((readable === undefined || visible !== undefined) && start.isIndex) return raw("");
  return sql` cross join search_document d on d.id = ${start.id}`;
}

function common(start: Start, { kinds, readable, visible }: Searched): readonly Fragment[] {
  const conditions = [kindCondition(start.id, kinds)];
  const column = raw(start === fromAll ? "f.access" : "d.access");
  if (visible !== undefined) conditions.push(visible(start.id));
  else if (readable !== undefined) conditions.push(sql`${column} in (${readable})`);
  return conditions;
}

/** That a key is of one of the kinds. */
export function kindCondition(id: Fragment, kinds: readonly number[]): Fragment {
  const [first] = kinds;
  if (kinds.length === 1 && first !== undefined) return sql`${id} & 7 = ${raw(String(first))}`;
  return sql`${id} & 7 in (${raw(kinds.map(String).join(", "))})`;
}
