import { KinoraError } from "../../errors.ts";
import type { Row, Statement } from "../../store/database.ts";
import type { PartAccess } from "../access-port.ts";
import type { Criteria, FacetFilter, ItemSearch } from "./documents/item-search-document.ts";
import { kindNumbers, wordPrefixOf } from "./kinds.ts";
import { type Boost, expandBoosts, type Score, scoreOf } from "./query/boost.ts";
import type { ConditionScope, RelatedScope } from "./query/condition-scope.ts";
import type { CriteriaContext, SearchedFields } from "./query/criteria-context.ts";
import { type Criterion, type RelatedKind, type SearchedField, simplified } from "./query/criterion.ts";
import { expandPatterns, type WordPrefixes } from "./query/expand.ts";
import { type Fragment, raw, sql } from "./query/fragment.ts";
import { groupInstances } from "./query/group-condition.ts";
import type { Intervals } from "./query/match.ts";
import { quoted } from "./query/match.ts";
import { measure } from "./query/measure.ts";
import { planSearch, type Searched, type SearchPlan, type Sizes } from "./query/plan.ts";
import { readCriteria, readFilter } from "./query/read-criteria.ts";
import { type CostMeter, costMeter } from "./query/search-cost.ts";
import { relevance } from "./query/sort.ts";
import type { SearchKind, SearchKinds } from "./search-ports.ts";
import type { SearchRequest } from "./search-request.ts";
import { kindToken } from "./tokens/token.ts";

/** What a search runs with. */
export interface SearchSurroundings {
  readonly readAll: (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;
  readonly now: number;
  readonly kinds: SearchKinds;
  /** Fields of items and collections that the caller may search. */
  readonly fields: SearchedFields;
  readonly readable: Searched["readable"];
  /** What the caller may read of shapes; absent for administrators. */
  readonly shapes: PartAccess | undefined;
  readonly groupStyle: ConditionScope["groupStyle"];
}

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
    groupInstances: (names, columns) => groupInstances(names, criterion, scope, columns),
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

function relatedKindOf(kind: SearchKind): RelatedKind | undefined {
  return kind === "item" || kind === "shape" || kind === "file" ? kind : undefined;
}

const noFields: SearchedFields = { field: () => "hidden" };

function fieldsOf(kind: RelatedKind | "self", self: SearchKind, { kinds, fields }: SearchSurroundings): SearchedFields {
  const asked = kind === "self" ? self : kind;
  return asked === "shape" || asked === "file" ? (kinds.declared(asked)?.fields ?? noFields) : fields;
}

function wordPrefixes(self: SearchKind): WordPrefixes {
  return {
    self: wordPrefixOf(self),
    item: wordPrefixOf("item"),
    shape: wordPrefixOf("shape"),
    file: wordPrefixOf("file"),
  };
}

function searchedOf(kinds: readonly SearchKind[], surroundings: SearchSurroundings): Searched {
  const { shapes, readable } = surroundings;
  const declared = kinds.map((kind) => surroundings.kinds.declared(kind)).find((found) => found !== undefined);
  return {
    kinds: kinds.map((kind) => kindNumbers[kind]),
    readable,
    visible: declared && ((id) => (shapes === undefined ? raw("1") : declared.visible(id, shapes))),
  };
}

/**
 * That a caller may find an entity through which others are searched. Who has no grants that are for shapes alone may find
 * it whenever they may find the others.
 */
function visibleThrough(
  kind: RelatedKind,
  { kinds, shapes, readable }: SearchSurroundings,
): RelatedScope["visible"] | undefined {
  if (shapes === undefined || readable === undefined) return undefined;
  const declared = kinds.declared(kind);
  return (id) => {
    const visible =
      declared?.visible(id, shapes) ??
      sql`exists (select 1 from search_document va where va.id = ${id} and va.access in (${readable}))`;
    return sql`(not ${shapes.limited} or ${visible})`;
  };
}

/** How criteria on some kinds become SQL; criteria on other kinds lead on to theirs. */
function scopeOf(
  kinds: readonly SearchKind[],
  intervals: Intervals,
  meter: CostMeter,
  surroundings: SearchSurroundings,
): Omit<ConditionScope, "isFew"> {
  const self = kinds[0] ?? "item";
  const isFew = () => true;
  return {
    base: kinds.map((kind) => quoted(kindToken(kind))).join(" OR "),
    wordPrefix: wordPrefixOf(self),
    intervals: isTimed(self) ? intervals : "all",
    meter,
    groupStyle: surroundings.groupStyle,
    related: (kind) => ({
      visible: visibleThrough(kind, surroundings),
      scope: { ...scopeOf([kind], intervals, meter, surroundings), isFew },
      keysOf: surroundings.kinds.linked(kind, relatedKindOf(self) ?? kind) ?? (() => raw("select null where 0")),
    }),
  };
}

function isTimed(kind: SearchKind): boolean {
  return kind !== "shape" && kind !== "file";
}
