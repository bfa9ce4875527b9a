import { KinoraError } from "../../errors.ts";
import type { Row, Statement } from "../../store/database.ts";
import type { SearchSort } from "./documents/item-search-document.ts";
import type { PreparedSearch } from "./prepare.ts";
import type { Criterion } from "./query/criterion.ts";
import { sql } from "./query/fragment.ts";
import { byKey, countStatement, keyPageOf, keyPageStatement, type PageRequest } from "./query/page.ts";
import type { SearchPlan } from "./query/plan.ts";
import { searchLimits, tooCostly } from "./query/search-cost.ts";
import {
  relevance,
  type SortExpression,
  type SortedPage,
  type SortKey,
  sortedByLooking,
  sortedByOrder,
  sortedPageOf,
} from "./query/sort.ts";
import type { IndexField } from "./tokens/field-analysis.ts";
import { fieldToken } from "./tokens/token.ts";

/**
 * What a search sorts by; without that, the place of a hit, where hits have one. Without an order a field ascends, and relevance descends.
 *
 * @throws KinoraError `invalid-input` for a field that has nothing to sort by
 */
export function sortKeysOf(
  sorts: readonly SearchSort[],
  search: PreparedSearch,
  place: SortExpression["place"] | undefined,
): readonly SortKey[] {
  if (sorts.length === 0 && place !== undefined) return [{ by: { store: "expression", place }, descending: false }];
  if (sorts.length > searchLimits.sorts) throw tooCostly("sorts");
  return sorts.flatMap(({ field: name, order }): readonly SortKey[] => {
    if (name === relevance) {
      return [{ by: { store: "scores", scores: search.scores }, descending: order !== "ascending" }];
    }
    const by = search.fieldNamed(name);
    if (by === "hidden") return [];
    if (by.store === "index" && !by.field.valued) {
      throw new KinoraError("invalid-input", {
        context: "search",
        id: name,
        explanation: `The search cannot be sorted by the field ${name}: it needs the type string-sortable or string-exact`,
      });
    }
    return [{ by, descending: order === "descending" }];
  });
}

/** What it costs to look at one hit, and to ask the index whether one entity is a hit, in microseconds. */
const lookingCost = 1.3;
const askingCost = 40;
const steppingCost = 0.5;

/** How a sorted search reads: one statement, one row. */
type ReadRow = (statement: Statement) => Promise<Row | undefined>;

/** A page in the order of fields, and the number of hits. The page is found in the cheaper of two ways. */
export async function runSorted(
  search: PreparedSearch,
  plan: SearchPlan,
  sorts: readonly SortKey[],
  page: PageRequest,
  readRow: ReadRow,
): Promise<SortedPage & { readonly hits: number }> {
  const { hits, total } = await count(search, plan, readRow);
  if (page.limit === 0 || hits === 0) return { hits, keys: [], timed: [] };
  const [key] = sorts;
  const field = key === undefined ? undefined : indexField(key);
  if (
    key !== undefined &&
    sorts.length === 1 &&
    field?.sortable &&
    plan.match !== undefined &&
    search.searched.visible === undefined
  ) {
    const steps = Math.min(total, ((page.offset + page.limit) * total) / hits);
    if (steps * (plan.everything ? steppingCost : askingCost) < hits * lookingCost) {
      return { hits, ...(await throughOrder(search, plan, { field, descending: key.descending }, page, readRow)) };
    }
  }
  return { hits, ...sortedPageOf(await readRow(sortedByLooking(plan, sorts, page)), sorts.length) };
}

/** The number of hits, and of everything that is searched. */
async function count({ searched }: PreparedSearch, plan: SearchPlan, readRow: ReadRow) {
  const all = countStatement({ everything: true }, { kinds: searched.kinds });
  const row = await readRow(sql`select (${countStatement(plan, searched)}) as hits, (${all}) as total`);
  return { hits: Number(row?.hits ?? 0), total: Number(row?.total ?? 0) };
}

/** First the hits with a value in its order, behind them those without. */
async function throughOrder(
  search: PreparedSearch,
  plan: SearchPlan,
  order: { readonly field: IndexField; readonly descending: boolean },
  page: PageRequest,
  readRow: ReadRow,
): Promise<SortedPage> {
  const { field, descending } = order;
  const isBehindValues = page.after !== undefined && page.after.values[0] === null;
  const match = plan.everything ? undefined : plan.match;
  const found = isBehindValues
    ? { keys: [], timed: [] }
    : sortedPageOf(await readRow(sortedByOrder(field, descending, { match, searched: search.searched }, page)), 1);
  const missing = page.limit - found.keys.length;
  if (missing === 0) return found;
  const hasValue: Criterion = { is: "tokens", tokens: [fieldToken.any(field.key)], anyTime: true };
  const without = search.planWith({ is: "not", of: hasValue });
  const skips = page.after === undefined && found.keys.length === 0;
  const offset = skips ? page.offset - (await countOf(search, hasValue, readRow)) : 0;
  const after = isBehindValues ? page.after : undefined;
  const keys = byKey(without, { limit: missing, offset: Math.max(0, offset), after }, descending);
  const rest = keyPageOf(await readRow(keyPageStatement(keys, descending, undefined)));
  const id = rest.keys.at(-1);
  return {
    ...found,
    keys: [...found.keys, ...rest.keys],
    timed: [...found.timed, ...rest.timed],
    ...(id === undefined ? {} : { last: { id, values: [null] } }),
  };
}

function indexField(key: SortKey): IndexField | undefined {
  return key.by.store === "index" ? key.by.field : undefined;
}

async function countOf(search: PreparedSearch, further: Criterion, readRow: ReadRow): Promise<number> {
  const row = await readRow(countStatement(search.planWith(further), search.searched));
  return Number(row?.hits ?? 0);
}
