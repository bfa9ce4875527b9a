import type { Row, Statement } from "../../../store/database.ts";
import { editDistance } from "../edit-distance.ts";
import { decodeExact, encodeExact, encodePrefix } from "../tokens/exact-token.ts";
import type { Criterion, TokenSpan, ValueTest, WordTest } from "./criterion.ts";
import type { Fragment } from "./fragment.ts";
import { behind, globOf, matchesPattern } from "./pattern.ts";
import { searchLimits, tooCostly } from "./search-cost.ts";
import { literalBeginning } from "./value-test.ts";

/** Where tokens are looked up: in the index of entities, or in that of group instances. */
export type TokenTable = "search_index_token" | "search_group_index_token";

/** Tokens to look up in the vocabulary of the index. */
export interface Lookup {
  readonly table: TokenTable;
  readonly span: TokenSpan;
  readonly glob: string;
  /** Shortest and longest token, in characters. */
  readonly lengths?: readonly [shortest: number, longest: number];
  /** Decides on what the glob lets through. */
  readonly accepts: (token: string) => boolean;
  /** More tokens than may be listed are no error: the span itself is searched. */
  readonly orSpan: boolean;
}

function spanFrom(beginning: string): TokenSpan {
  return { low: beginning, lowInclusive: true, high: behind(beginning), highInclusive: false };
}

type LookedUpWord = Extract<WordTest, { readonly test: "pattern" | "fuzzy" }>;

/** The words that a test of a word stands for. */
export function wordLookup(table: TokenTable, prefix: string, test: LookedUpWord): Lookup {
  if (test.test === "fuzzy") return similarWords(table, prefix, test);
  return {
    table,
    span: spanFrom(prefix + literalBeginning(test.pattern)),
    glob: prefix + globOf(test.pattern, (text) => text, "?"),
    accepts: () => true,
    orSpan: false,
  };
}

/** Words that begin with the same character are looked through: all words would be too many in a large archive. */
function similarWords(
  table: TokenTable,
  prefix: string,
  { word, edits }: Extract<WordTest, { readonly test: "fuzzy" }>,
): Lookup {
  const characters = [...word];
  return {
    table,
    span: spanFrom(prefix + (characters[0] ?? "")),
    glob: "*",
    lengths: [prefix.length + characters.length - edits, prefix.length + characters.length + edits],
    accepts: (token) => editDistance(characters, [...token.slice(prefix.length)], edits) <= edits,
    orSpan: false,
  };
}

/** The values that a test stands for; `undefined` for one that the index answers itself. */
export function valueLookup(table: TokenTable, prefix: string, isWord: boolean, test: ValueTest): Lookup | undefined {
  const encode = isWord ? (text: string) => text.toLowerCase() : encodePrefix;
  if (test.test === "pattern") {
    return {
      table,
      span: spanFrom(prefix + encode(literalBeginning(test.pattern))),
      glob: prefix + globOf(test.pattern, encode, "*"),
      accepts: (token) => matchesPattern(test.pattern, decodeExact(token.slice(prefix.length))),
      orSpan: false,
    };
  }
  if (test.test !== "between") return undefined;
  const whole = spanFrom(prefix);
  const bound = (text: string) => prefix + (isWord ? text.toLowerCase() : encodeExact(text));
  const span = {
    ...whole,
    ...(test.low === undefined ? {} : { low: bound(test.low.value), lowInclusive: test.low.inclusive }),
    ...(test.high === undefined ? {} : { high: bound(test.high.value), highInclusive: test.high.inclusive }),
  };
  return { table, span, glob: "*", accepts: () => true, orSpan: true };
}

/** The condition that a token is in a span. */
export function inSpan(column: string, span: TokenSpan): Fragment & { readonly args: readonly string[] } {
  return {
    sql: `${column} >${span.lowInclusive ? "=" : ""} ? and ${column} <${span.highInclusive ? "=" : ""} ?`,
    args: [span.low, span.high],
  };
}

/** One pass over the span counts what it looks through and keeps what the glob lets through. */
export function lookupStatement({
  table,
  span,
  glob,
  lengths = [0, Number.MAX_SAFE_INTEGER],
  orSpan,
}: Lookup): Statement {
  const limit = (orSpan ? searchLimits.expansions : searchLimits.scannedValues) + 1;
  const tokens = `select term from ${table} where ${inSpan("term", span).sql} limit ?`;
  const wanted = "term glob ? and length(term) between ? and ?";
  return {
    sql: `select count(*) as scanned, json_group_array(term) filter (where ${wanted}) as found from (${tokens})`,
    args: [glob, ...lengths, span.low, span.high, limit],
  };
}

/** What was found, as a criterion. @throws KinoraError `invalid-input` when it is too much */
export function tokensOf(row: Row | undefined, lookup: Lookup): Criterion {
  const scanned = Number(row?.scanned ?? 0);
  if (lookup.orSpan && scanned > searchLimits.expansions) return { is: "span", span: lookup.span };
  if (scanned > searchLimits.scannedValues) {
    throw tooCostly("scannedValues", "put more characters in front of the wildcard, or search without ~");
  }
  const tokens = (JSON.parse(String(row?.found ?? "[]")) as string[]).filter(lookup.accepts);
  if (tokens.length > searchLimits.expansions) throw tooCostly("expansions", "be more specific");
  return tokens.length === 0 ? { is: "none" } : { is: "tokens", tokens };
}
