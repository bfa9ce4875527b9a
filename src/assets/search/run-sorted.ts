import { KinoraError } from "../../errors.ts";
import type { Row, Statement } from "../../store/database.ts";
import type { SearchSort } from "./documents/item-search-document.ts";
import type { PreparedSearch } from "./prepare.ts";
import type { Criterion } from "./query/criterion.ts";
import type { CursorPosition } from "./query/cursor.ts";
import { byKey, countStatement, idsOf, type PageRequest } from "./query/page.ts";
import type { SearchPlan } from "./query/plan.ts";
import { searchLimits, tooCostly } from "./query/search-cost.ts";
import { positionsOf, type SortKey, sortedByLooking, sortedByOrder } from "./query/sort.ts";
import type { IndexField } from "./tokens/field-analysis.ts";
import { fieldToken } from "./tokens/token.ts";

type ReadAll = (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;

/** Sorts by how well a hit fits the search. */
export const relevance = "_relevance";

/**
 * What a search sorts by. Without an order a field ascends, and relevance descends.
 *
 * @throws KinoraError `invalid-input` for a field that has nothing to sort by
 */
export function sortKeysOf(sorts: readonly SearchSort[], search: PreparedSearch): readonly SortKey[] {
  if (sorts.length > searchLimits.sorts) throw tooCostly("sorts");
  return sorts.flatMap(({ field: name, order }): readonly SortKey[] => {
    if (name === relevance) return [{ by: "relevance", descending: order !== "ascending" }];
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

/** A page in the order of fields, found in the cheaper of two ways. */
export async function runSorted(
  search: PreparedSearch,
  plan: SearchPlan,
  sorts: readonly SortKey[],
  hits: number,
  page: PageRequest,
  readAll: ReadAll,
): Promise<readonly CursorPosition[]> {
  if (page.limit === 0 || hits === 0) return [];
  const keys = sorts.map((key) => (key.by === "relevance" && plan.match === undefined ? unranked(key) : key));
  const [key] = keys;
  const field = key === undefined ? undefined : indexField(key);
  if (
    keys.length === 1 &&
    key !== undefined &&
    field?.sortable &&
    plan.match !== undefined &&
    !search.searched.holder
  ) {
    const total = plan.everything ? hits : await totalOf(search, readAll);
    const steps = Math.min(total, ((page.offset + page.limit) * total) / hits);
    if (steps * (plan.everything ? steppingCost : askingCost) < hits * lookingCost) {
      return throughOrder(search, plan, { field, descending: key.descending }, page, readAll);
    }
  }
  const [rows = []] = await readAll([sortedByLooking(plan, keys, page)]);
  return positionsOf(rows, keys.length);
}

/** Everything fits an empty search alike. */
function unranked(key: SortKey): SortKey {
  return { ...key, by: { store: "transient", field: { name: relevance, analysis: "exact" } } };
}

async function totalOf({ searched }: PreparedSearch, readAll: ReadAll): Promise<number> {
  const [rows] = await readAll([countStatement(everything, { kinds: searched.kinds })]);
  return Number(rows?.[0]?.hits ?? 0);
}

const everything = { everything: true } as SearchPlan;

/** First the hits with a value in its order, behind them those without. */
async function throughOrder(
  search: PreparedSearch,
  plan: SearchPlan,
  order: { readonly field: IndexField; readonly descending: boolean },
  page: PageRequest,
  readAll: ReadAll,
): Promise<readonly CursorPosition[]> {
  const { field, descending } = order;
  const isBehindValues = page.after !== undefined && page.after.values[0] === null;
  const match = plan.everything ? undefined : plan.match;
  const [rows = []] = isBehindValues
    ? [[]]
    : await readAll([sortedByOrder(field, descending, { match, searched: search.searched }, page)]);
  const found = positionsOf(rows, 1);
  if (found.length === page.limit) return found;
  const hasValue: Criterion = { is: "tokens", tokens: [fieldToken.any(field.key)], anyTime: true };
  const limit = page.limit - found.length;
  const without = search.planWith({ is: "not", of: hasValue });
  const offset =
    page.after !== undefined || found.length > 0 ? 0 : page.offset - (await countOf(search, hasValue, readAll));
  const after = isBehindValues ? page.after : undefined;
  const [rest = []] = await readAll([byKey(without, { limit, offset: Math.max(0, offset), after }, descending)]);
  return [...found, ...idsOf(rest).map((id) => ({ id, values: [null] }))];
}

function indexField(key: SortKey): IndexField | undefined {
  return key.by !== "relevance" && key.by.store === "index" ? key.by.field : undefined;
}

async function countOf(search: PreparedSearch, further: Criterion, readAll: ReadAll): Promise<number> {
  const [rows] = await readAll([countStatement(search.planWith(further), search.searched)]);
  return Number(rows?.[0]?.hits ?? 0);
}
