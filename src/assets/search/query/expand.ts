import type { Row, Statement } from "../../../store/database.ts";
import type { IndexField } from "../tokens/field-analysis.ts";
import { fieldToken } from "../tokens/token.ts";
import type { Criterion, RelatedKind, ValueTest } from "./criterion.ts";
import { type Lookup, lookupStatement, type TokenTable, tokensOf, valueLookup, wordLookup } from "./token-lookup.ts";

type Read = (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;

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

/** A range of text as a span of tokens, without looking up what is in it. */
export function asSpan(field: IndexField, test: ValueTest): Criterion | undefined {
  const isWord = field.analysis === "words";
  const prefix = isWord ? fieldToken.word(field.key, "") : fieldToken.exact(field.key, "");
  const lookup = test.test === "between" ? valueLookup("search_index_token", prefix, isWord, test) : undefined;
  return lookup === undefined ? undefined : { is: "span", span: lookup.span };
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
