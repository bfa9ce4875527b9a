import { KinoraError } from "../../errors.ts";
import type { Criteria, FacetFilter, ItemSearch } from "./documents/item-search-document.ts";
import { type Boost, expandBoosts, type Score, scoreOf } from "./query/boost.ts";
import type { ConditionScope } from "./query/condition-scope.ts";
import type { CriteriaContext } from "./query/criteria-context.ts";
import { type Criterion, type SearchedField, simplified } from "./query/criterion.ts";
import { expandPatterns } from "./query/expand.ts";
import type { Fragment } from "./query/fragment.ts";
import { groupInstances, ofInstances } from "./query/group-condition.ts";
import { measure } from "./query/measure.ts";
import { planSearch, type Searched, type SearchPlan, type Sizes } from "./query/plan.ts";
import { readCriteria, readFilter } from "./query/read-criteria.ts";
import { type CostMeter, costMeter } from "./query/search-cost.ts";
import { relevance } from "./query/sort.ts";
import type { SearchRequest } from "./search-request.ts";
import { fieldsOf, relatedKindOf, type SearchSurroundings, scopeOf, searchedOf, wordPrefixes } from "./search-scope.ts";

/** A search that was read and looked up, ready to be planned with or without its named filters. */
export interface PreparedSearch {
  /** All criteria together. */
  readonly criterion: Criterion;
  /** What tells how well a hit fits; filled when hits are sorted by relevance. */
  readonly scores: readonly Score[];
  readonly searched: Searched;
  readonly meter: CostMeter;
  readonly context: CriteriaContext;
  /** A field of what is searched; `"hidden"` also when nothing of it is kept. @throws KinoraError `not-found` */
  fieldNamed(name: string): SearchedField | "hidden";
  /** The plan of the search without the filters of these names. */
  planWithout(names: readonly string[]): SearchPlan;
  /** A select of columns of the instances `g` of field groups, of one of these names, in which all criteria hold. */
  groupInstances(names: readonly string[], columns: Fragment): Fragment;
  /** The plan with a further criterion, without the filters of these names. */
  planWith(further: Criterion, names?: readonly string[]): SearchPlan;
}

/** Looks up everything that a search speaks of. @throws KinoraError for what is wrong with the search */
export async function prepare(request: SearchRequest, surroundings: SearchSurroundings): Promise<PreparedSearch> {
  const { query, kinds, scope: keys } = request;
  const meter = costMeter();
  const self = kinds[0] ?? "item";
  const context: CriteriaContext = {
    fields: (kind) => fieldsOf(kind, self, surroundings),
    kind: relatedKindOf(self) ?? "self",
    meter,
    now: surroundings.now,
  };
  const filters = (query.filter ?? []).map((filter) => ({ name: filter.name, of: readFilter(filter, context) }));
  const facetFilters = readFilter({ field: (query.facetFilter ?? []).map(asField) }, context);
  const boosts: Boost[] = [];
  const counted = (query.sort ?? []).some(({ field }) => field === relevance);
  const criteria = readCriteria(criteriaOf(query), counted ? { ...context, boosts } : context);

  const prefixes = wordPrefixes(self);
  const expand = async (criterion: Criterion) =>
    simplified(await expandPatterns(simplified(criterion), prefixes, surroundings.readAll));
  const main = await expand(criteria);
  const base = simplified({
    is: "and",
    of: [main, await expand(facetFilters), keys === undefined ? { is: "all" } : { is: "keys", keys }],
  });
  const expandedFilters: { readonly name: string | undefined; readonly of: Criterion }[] = [];
  for (const { name, of } of filters) expandedFilters.push({ name, of: await expand(of) });
  const without = (names: readonly string[]): Criterion =>
    simplified({
      is: "and",
      of: [
        base,
        ...expandedFilters.filter(({ name }) => name === undefined || !names.includes(name)).map(({ of }) => of),
      ],
    });

  const intervals = query.intervals ?? "all";
  const unmeasured = scopeOf(kinds, intervals, meter, surroundings);
  const criterion = without([]);
  const sizes: Sizes = await measure(criterion, unmeasured, surroundings.readAll);
  const scope: ConditionScope = { ...unmeasured, isFew: sizes.isFew };
  const searched = searchedOf(kinds, surroundings);
  const plan = (of: Criterion) => planSearch(of, searched, scope, sizes);
  const scored = [{ by: 1, of: main }, ...(await expandBoosts(boosts, expand))];
  return {
    criterion,
    scores: counted ? scored.flatMap((boost) => scoreOf(boost, scope)) : [],
    searched,
    meter,
    context,
    fieldNamed(name) {
      const found = context.fields(context.kind).field(name);
      if (found === undefined) throw new KinoraError("not-found", { type: "metadata-field", id: name });
      return found === "hidden" || found.store === "derived" ? "hidden" : found;
    },
    planWithout: (names) => plan(without(names)),
    groupInstances: (names, columns) =>
      groupInstances(names, simplified(ofInstances(criterion, scope.groupStyle)), scope, columns),
    planWith: (further, names = []) => plan(simplified({ is: "and", of: [without(names), further] })),
  };
}

/** The document's own criteria; the operator at its top is one of a list elsewhere. */
function criteriaOf({ operator, ...query }: ItemSearch): Criteria {
  return { ...query, ...(operator === undefined ? {} : { operator: [operator] }) };
}

/** A facet filter is a criterion on its field: a value as it was counted, or a range without its end. */
function asField({ field, value, range }: FacetFilter): NonNullable<Criteria["field"]>[number] {
  if (range === undefined) return { name: field, value: [{ value: escapedValue(value ?? "") }] };
  return {
    name: field,
    range: [{ exclusiveMaximum: true, value: [{ value: range.start }, { value: range.end }] }],
  };
}

/** A value of a facet means itself, also when it has wildcards in it. */
export function escapedValue(value: string): string {
  return value.replace(/[\\*]/g, "\\$&");
}
