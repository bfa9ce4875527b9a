import { KinoraError } from "../../../errors.ts";

/** What one search may ask for. More would tie up the service for others. */
export const searchLimits = {
  /** Criteria within criteria. */
  depth: 64,
  /** Values, ranges and words to look for. */
  clauses: 1000,
  /** Pieces that the index looks up: a range is several, a word with wildcards as many as it stands for. */
  terms: 20_000,
  /** Different words or values that a wildcard, or a word with `~`, may stand for. */
  expansions: 1000,
  /** Different words or values of a field that are looked through for one value: those that begin like it. */
  scannedValues: 100_000,
  facets: 50,
  facetRanges: 500,
  sorts: 8,
  /** Different weights of values. */
  boosts: 16,
  /** Characters of a value with query syntax. */
  queryText: 4000,
} as const;

type Limit = keyof typeof searchLimits;

const names: Readonly<Record<Limit, string>> = {
  depth: "levels of nesting",
  clauses: "values and ranges to look for",
  terms: "pieces to look up in the index",
  expansions: "different values that a wildcard or ~ stands for",
  scannedValues: "different values to look through for a wildcard at the beginning, or for ~",
  facets: "facets",
  facetRanges: "ranges of a facet",
  sorts: "fields to sort by",
  boosts: "different boosts",
  queryText: "characters in a value with query syntax",
};

/** 400 for a search that asks for more than a limit. */
export function tooCostly(limit: Limit, advice = ""): KinoraError {
  return new KinoraError("invalid-input", {
    context: "search",
    explanation: `The search has more than ${searchLimits[limit]} ${names[limit]}${advice === "" ? "" : `; ${advice}`}`,
  });
}

/** Counts what a search asks for. */
export interface CostMeter {
  /** @throws KinoraError `invalid-input` beyond the limit */
  spend(limit: Limit, amount?: number): void;
}

export function costMeter(): CostMeter {
  const spent = new Map<Limit, number>();
  return {
    spend(limit, amount = 1) {
      const total = (spent.get(limit) ?? 0) + amount;
      spent.set(limit, total);
      if (total > searchLimits[limit]) throw tooCostly(limit);
    },
  };
}
