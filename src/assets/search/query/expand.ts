import type { Row } from "../../../store/database.ts";
import { editDistance } from "../edit-distance.ts";
import { decodeExact, encodeExact, encodePrefix } from "../tokens/exact-token.ts";
import type { IndexField } from "../tokens/field-analysis.ts";
import { fieldToken } from "../tokens/token.ts";
import type { Criterion, RelatedKind, TokenSpan, ValueTest, WordTest } from "./criterion.ts";
import type { Fragment } from "./fragment.ts";
import { behind, globOf, matchesPattern } from "./pattern.ts";
import { searchLimits, tooCostly } from "./search-cost.ts";
import { literalBeginning } from "./value-test.ts";

/** Where tokens are looked up: in the index of entities, or in that of group instances. */
export type TokenTable = "search_index_token" | "search_group_index_token";

interface Lookup {
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

type Read = (
  statements: readonly { readonly sql: string; readonly args: readonly (string | number)[] }[],
) => Promise<readonly (readonly Row[])[]>;

/**
 * Finds out which words and values stand behind wildcards, similar words and ranges of text, in one round trip.
 *
 * @throws KinoraError `invalid-input` when they are too many, or too many would have to be looked through
 */
export async function expandPatterns(criterion: Criterion, prefixes: WordPrefixes, readAll: Read): Promise<Criterion> {
  const lookups = new Map<Criterion, Lookup>();
  collect(criterion, "search_index_token", prefixes.self, prefixes, lookups);
  if (lookups.size === 0) return criterion;
  const found = new Map<Criterion, Criterion>();
  const results = await readAll([...lookups.values()].map(lookupStatement));
  for (const [index, [leaf, lookup]] of [...lookups].entries()) found.set(leaf, tokensOf(results[index]?.[0], lookup));
  return replaced(criterion, found);
}

/** What full-text words begin with, in what is searched and in entities of other kinds. */
export type WordPrefixes = Readonly<Record<RelatedKind | "self", string>>;

function collect(
  criterion: Criterion,
  table: TokenTable,
  wordPrefix: string,
  prefixes: WordPrefixes,
  into: Map<Criterion, Lookup>,
): void {
  switch (criterion.is) {
    case "and":
    case "or":
      for (const part of criterion.of) collect(part, table, wordPrefix, prefixes, into);
      return;
    case "not":
      collect(criterion.of, table, wordPrefix, prefixes, into);
      return;
    case "group":
      collect(criterion.of, "search_group_index_token", wordPrefix, prefixes, into);
      return;
    case "related":
      collect(criterion.of, "search_index_token", prefixes[criterion.kind], prefixes, into);
      return;
    case "words":
      if (criterion.test.test === "pattern" || criterion.test.test === "fuzzy") {
        const prefix = criterion.field === undefined ? wordPrefix : fieldToken.word(criterion.field.key, "");
        into.set(criterion, wordLookup(table, prefix, criterion.test));
      }
      return;
    case "value":
      if (criterion.field.store === "index") {
        const { key, analysis } = criterion.field.field;
        const prefix = analysis === "words" ? fieldToken.word(key, "") : fieldToken.exact(key, "");
        const lookup = valueLookup(table, prefix, analysis === "words", criterion.test);
        if (lookup !== undefined) into.set(criterion, lookup);
      }
      return;
    default:
      return;
  }
}

function spanFrom(beginning: string): TokenSpan {
  return { low: beginning, lowInclusive: true, high: behind(beginning), highInclusive: false };
}

type LookedUpWord = Extract<WordTest, { readonly test: "pattern" | "fuzzy" }>;

function wordLookup(table: TokenTable, prefix: string, test: LookedUpWord): Lookup {
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

function valueLookup(table: TokenTable, prefix: string, isWord: boolean, test: ValueTest): Lookup | undefined {
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

/** A range of text as a span of tokens, without looking up what is in it. */
export function asSpan(field: IndexField, test: ValueTest): Criterion | undefined {
  const isWord = field.analysis === "words";
  const prefix = isWord ? fieldToken.word(field.key, "") : fieldToken.exact(field.key, "");
  const lookup = test.test === "between" ? valueLookup("search_index_token", prefix, isWord, test) : undefined;
  return lookup === undefined ? undefined : { is: "span", span: lookup.span };
}

/** The condition that a token is in a span. */
export function inSpan(column: string, span: TokenSpan): Fragment & { readonly args: readonly string[] } {
  return {
    sql: `${column} >${span.lowInclusive ? "=" : ""} ? and ${column} <${span.highInclusive ? "=" : ""} ?`,
    args: [span.low, span.high],
  };
}

/** One pass over the span counts what it looks through and keeps what the glob lets through. */
function lookupStatement({ table, span, glob, lengths = [0, Number.MAX_SAFE_INTEGER], orSpan }: Lookup) {
  const limit = (orSpan ? searchLimits.expansions : searchLimits.scannedValues) + 1;
  const tokens = `select term from ${table} where ${inSpan("term", span).sql} limit ?`;
  const wanted = "term glob ? and length(term) between ? and ?";
  return {
    sql: `select count(*) as scanned, json_group_array(term) filter (where ${wanted}) as found from (${tokens})`,
    args: [glob, ...lengths, span.low, span.high, limit],
  };
}

function tokensOf(row: Row | undefined, lookup: Lookup): Criterion {
  const scanned = Number(row?.scanned ?? 0);
  if (lookup.orSpan && scanned > searchLimits.expansions) return { is: "span", span: lookup.span };
  if (scanned > searchLimits.scannedValues) {
    throw tooCostly("scannedValues", "put more characters in front of the wildcard, or search without ~");
  }
  const tokens = (JSON.parse(String(row?.found ?? "[]")) as string[]).filter(lookup.accepts);
  if (tokens.length > searchLimits.expansions) throw tooCostly("expansions", "be more specific");
  return tokens.length === 0 ? { is: "none" } : { is: "tokens", tokens };
}

function replaced(criterion: Criterion, found: ReadonlyMap<Criterion, Criterion>): Criterion {
  const other = found.get(criterion);
  if (other !== undefined) return other;
  switch (criterion.is) {
    case "and":
    case "or":
      return { ...criterion, of: criterion.of.map((part) => replaced(part, found)) };
    case "not":
    case "group":
    case "related":
      return { ...criterion, of: replaced(criterion.of, found) };
    default:
      return criterion;
  }
}
