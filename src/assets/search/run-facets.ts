import { KinoraError } from "../../errors.ts";
import type { Row, Statement } from "../../store/database.ts";
import type { FacetRequest } from "./documents/item-search-document.ts";
import type { Facet } from "./documents/search-answer.ts";
import type { PreparedSearch } from "./prepare.ts";
import type { Criterion, SearchedField } from "./query/criterion.ts";
import { asSpan } from "./query/expand.ts";
import {
  countByLooking,
  countByTerms,
  countsByLooking,
  countsOfTerms,
  countsOfTransient,
  countTransient,
  type FacetCounts,
  hasTerms,
  mostTerms,
  termsStatement,
  topCounts,
} from "./query/facets.ts";
import { countStatement } from "./query/page.ts";
import type { SearchPlan } from "./query/plan.ts";
import { searchLimits, tooCostly } from "./query/search-cost.ts";
import { readRange } from "./query/value-test.ts";

type ReadAll = (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;

/** From here on, counting a few values in the index is cheaper than looking at every hit. */
const manyHits = 70_000;
const mostValues = 10_000;
const usualValues = 100;

/** A facet that was asked for, its field looked up. */
interface AskedFacet {
  readonly request: FacetRequest;
  readonly field: SearchedField;
  readonly plan: SearchPlan;
}

/** Rows still to be read, and what is done with them. */
interface Reading {
  readonly statement: Statement;
  readonly take: (rows: readonly Row[]) => void;
}

/**
 * Counts the facets of a search. Each is counted in the way that costs least: the few values of a field in the index,
 * or all hits once for all facets.
 *
 * @param hits number of hits, as far as known
 */
export async function runFacets(
  search: PreparedSearch,
  requests: readonly FacetRequest[],
  hits: number | undefined,
  readAll: ReadAll,
): Promise<readonly Facet[]> {
  if (requests.length > searchLimits.facets) throw tooCostly("facets");
  const facets = requests.map((request) => askFacet(search, request));
  const counted = facets.filter(countsValues);
  const inIndex = await findInIndex(counted, search, hits, readAll);
  const counts = new Map<AskedFacet, FacetCounts>();
  const ranges = new Map<AskedFacet, number[]>();
  const readings = [
    ...inIndex.map((facet) => readTerms(facet, search, counts)),
    ...counted.filter(({ field }) => field.store === "transient").map((facet) => readTransient(facet, counts)),
    ...readByLooking(
      counted.filter((facet) => facet.field.store === "index" && !inIndex.includes(facet)),
      counts,
    ),
    ...facets.flatMap((facet) => readRanges(facet, search, ranges)),
  ];
  const results = await readAll(readings.map(({ statement }) => statement));
  for (const [index, reading] of readings.entries()) reading.take(results[index] ?? []);
  return facets.map((facet) => facetDocument(facet, counts.get(facet), ranges.get(facet)));
}

/** Values are counted when that is asked for, or when no ranges are. */
function countsValues({ request }: AskedFacet): boolean {
  return request.count ?? (request.range ?? []).length === 0;
}

function askFacet(search: PreparedSearch, request: FacetRequest): AskedFacet {
  if ((request.range ?? []).length > searchLimits.facetRanges) throw tooCostly("facetRanges");
  const found = search.fieldNamed(request.field);
  const field: SearchedField = found === "hidden" ? hiddenField(request.field) : found;
  return { request, field, plan: search.planWithout(request.exclude ?? []) };
}

/** A field without values, in place of one that the caller may not see. */
function hiddenField(name: string): SearchedField {
  return { store: "transient", field: { name: `hidden ${name}`, analysis: "exact" } };
}

/** Facets that are counted in the index: those on words always, others when the hits are many and the values few. */
async function findInIndex(
  facets: readonly AskedFacet[],
  { searched }: PreparedSearch,
  hits: number | undefined,
  readAll: ReadAll,
): Promise<readonly AskedFacet[]> {
  const words = facets.filter(({ field }) => isWords(field));
  const many = hits !== undefined && hits >= manyHits && searched.readable === undefined;
  const candidates = many ? facets.filter(({ field, plan }) => hasTerms(field) && plan.match !== undefined) : [];
  const asked = [...words, ...candidates];
  const results = await readAll(asked.map(({ field }) => termsStatement(field)));
  return asked.filter((facet, index) => {
    const few = Number(results[index]?.[0]?.terms ?? 0) <= mostTerms;
    if (!few && isWords(facet.field)) throw tooManyWords(facet.field.field.name);
    return few;
  });
}

function isWords(field: SearchedField): boolean {
  return field.store === "index" && !field.field.valued;
}

function tooManyWords(name: string): KinoraError {
  return new KinoraError("invalid-input", {
    context: "search",
    id: name,
    explanation: `The field ${name} has more than ${mostTerms} words; facets of it need the type string-exact`,
  });
}

function readTerms(facet: AskedFacet, { searched }: PreparedSearch, counts: Map<AskedFacet, FacetCounts>): Reading {
  return {
    statement: countByTerms(facet.field, facet.plan, searched, mostTerms),
    take: (rows) => {
      counts.set(facet, countsOfTerms(facet.field, rows));
    },
  };
}

function readTransient(facet: AskedFacet, counts: Map<AskedFacet, FacetCounts>): Reading {
  return {
    statement: countTransient(facet.plan, facet.field),
    take: (rows) => {
      counts.set(facet, countsOfTransient(facet.field, rows));
    },
  };
}

/** Combinations of values multiply, so only so many fields are counted in one go. */
const fieldsAtOnce = 3;

/** Facets with the same filters share a look at the hits. */
function readByLooking(facets: readonly AskedFacet[], counts: Map<AskedFacet, FacetCounts>): readonly Reading[] {
  const byFilters = new Map<string, AskedFacet[]>();
  for (const facet of facets) {
    const key = JSON.stringify([...(facet.request.exclude ?? [])].sort());
    const list = byFilters.get(key);
    if (list === undefined) byFilters.set(key, [facet]);
    else list.push(facet);
  }
  return [...byFilters.values()].flatMap((group) => {
    const readings: Reading[] = [];
    for (let from = 0; from < group.length; from += fieldsAtOnce) {
      const some = group.slice(from, from + fieldsAtOnce);
      const fields = some.map(({ field }) => field);
      readings.push({
        statement: countByLooking((some[0] as AskedFacet).plan, fields),
        take: (rows) => {
          for (const [index, found] of countsByLooking(fields, rows).entries()) {
            counts.set(some[index] as AskedFacet, found);
          }
        },
      });
    }
    return readings;
  });
}

function readRanges(facet: AskedFacet, search: PreparedSearch, ranges: Map<AskedFacet, number[]>): readonly Reading[] {
  const { field, request } = facet;
  return (request.range ?? []).map((range, index) => {
    const value = [{ value: range.start }, { value: range.end }];
    const test = readRange(field.field, { exclusiveMaximum: true, value }, search.context.now);
    const span = field.store === "index" ? asSpan(field.field, test) : undefined;
    const within: Criterion = span ?? { is: "value", field, test };
    return {
      statement: countStatement(search.planWith(within, request.exclude ?? []), search.searched),
      take: (rows) => {
        const list = ranges.get(facet) ?? [];
        list[index] = Number(rows[0]?.hits ?? 0);
        ranges.set(facet, list);
      },
    };
  });
}

function facetDocument(
  { request }: AskedFacet,
  counts: FacetCounts | undefined,
  ranges: readonly number[] | undefined,
): Facet {
  const { minCount = 1, maxResults = usualValues } = request;
  const top = counts === undefined ? [] : topCounts(counts, { minCount, maxResults: Math.min(maxResults, mostValues) });
  return {
    ...(request.name === undefined ? {} : { name: request.name }),
    field: request.field,
    count: top.map(([fieldValue, hits]) => ({ fieldValue, count: hits, value: hits })),
    range: (request.range ?? []).map(({ start, end }, index) => {
      const hits = ranges?.[index] ?? 0;
      return { start, end, count: hits, value: String(hits) };
    }),
  };
}
