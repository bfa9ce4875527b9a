import type { Row, Statement } from "../../store/database.ts";
import type { AutocompleteRequest, SuggestionRequest } from "./documents/item-search-document.ts";
import type { Autocomplete, Suggestion } from "./documents/search-answer.ts";
import type { Criterion, SearchedField } from "./query/criterion.ts";
import { raw, sql } from "./query/fragment.ts";
import { quoted } from "./query/match.ts";
import { behind } from "./query/pattern.ts";
import { kindCondition, type Searched } from "./query/plan.ts";
import { similarity } from "./similarity.ts";
import { decodeExact, encodePrefix } from "./tokens/exact-token.ts";
import { fieldToken } from "./tokens/token.ts";
import { wordsOf } from "./tokens/words.ts";

type ReadAll = (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;

/** Tokens that are looked through for one completion or suggestion. */
const scanned = 20_000;
/** The best of them, of which those are shown that the caller can find. */
const candidates = 50;
const usualCompletions = 10;
const usualSuggestions = 5;
const mostShown = 100;

/** Words or values that begin like the end of a text, the most frequent first. */
export async function autocomplete(
  request: AutocompleteRequest,
  field: SearchedField | "hidden" | undefined,
  wordPrefix: string,
  searched: Searched,
  readAll: ReadAll,
): Promise<Autocomplete> {
  const named = request.field === undefined ? {} : { field: request.field };
  const limit = Math.min(request.maximumSuggestions ?? usualCompletions, mostShown);
  if (field === "hidden" || field?.store === "transient") return { ...named, suggestion: [] };
  const beginning = beginningOf(request.text, field?.field, wordPrefix);
  if (beginning === undefined) return { ...named, suggestion: [] };
  const tokens = await frequentTokens(beginning.token, readAll);
  const found = await findable(
    tokens.map(({ token }) => ({ token, match: [...beginning.with, token].map(quoted).join(" AND ") })),
    searched,
    readAll,
  );
  return { ...named, suggestion: found.slice(0, limit).map(beginning.show) };
}

interface Beginning {
  /** How the tokens begin. */
  readonly token: string;
  /** Tokens that an entity must have beside. */
  readonly with: readonly string[];
  readonly show: (token: string) => string;
}

function beginningOf(
  text: string,
  field: Extract<SearchedField, { readonly store: "index" }>["field"] | undefined,
  wordPrefix: string,
): Beginning | undefined {
  if (field !== undefined && field.analysis !== "words") {
    if (field.analysis !== "exact") return undefined;
    const prefix = fieldToken.exact(field.key, "");
    const show = (token: string) => decodeExact(token.slice(prefix.length));
    return { token: prefix + encodePrefix(text), with: [], show };
  }
  const prefix = field === undefined ? wordPrefix : fieldToken.word(field.key, "");
  const words = wordsOf(text);
  const last = words.at(-1);
  if (last === undefined) return undefined;
  const before = words.slice(0, -1);
  return {
    token: prefix + last,
    with: before.map((word) => prefix + word),
    show: (token) => [...before, token.slice(prefix.length)].join(" "),
  };
}

interface FrequentToken {
  readonly token: string;
  readonly entities: number;
}

async function frequentTokens(beginning: string, readAll: ReadAll): Promise<readonly FrequentToken[]> {
  const [rows] = await readAll([
    sql`select term, doc from (
        select term, doc from search_index_token where term >= ${beginning} and term < ${behind(beginning)} limit ${scanned}
      ) order by doc desc, term limit ${candidates}`,
  ]);
  return (rows ?? []).map((row) => ({ token: String(row.term), entities: Number(row.doc) }));
}

/** Those tokens whose entities the caller can find. */
async function findable(
  tokens: readonly { readonly token: string; readonly match: string }[],
  { readable, visible, kinds }: Searched,
  readAll: ReadAll,
): Promise<readonly string[]> {
  const id = raw("f.rowid");
  const bySet = readable !== undefined && visible === undefined;
  const access = bySet ? sql`d.access in (${readable})` : (visible?.(id) ?? raw("1"));
  const documents = bySet ? sql` cross join search_document d on d.id = ${id}` : raw("");
  const results = await readAll(
    tokens.map(
      ({ match }) => sql`select exists (
        select 1 from search_index f${documents}
        where f.search_index match ${match} and ${kindCondition(id, kinds)} and ${access}
      ) as found`,
    ),
  );
  return tokens.filter((_, index) => Number(results[index]?.[0]?.found) === 1).map(({ token }) => token);
}

/** For each word of a search: words that are more frequent and written much alike. */
export async function suggest(
  request: SuggestionRequest,
  criterion: Criterion,
  wordPrefix: string,
  searched: Searched,
  readAll: ReadAll,
): Promise<readonly Suggestion[]> {
  const limit = Math.min(request.maximumSuggestions ?? usualSuggestions, mostShown);
  const accuracy = Math.min(1, Math.max(0, request.accuracy ?? 0.5));
  const suggestions: Suggestion[] = [];
  for (const { prefix, word } of wordsIn(criterion, wordPrefix).slice(0, mostWords)) {
    const tokens = await similarTokens(prefix, word, accuracy, readAll);
    const found = await findable(
      tokens.map((token) => ({ token, match: quoted(token) })),
      searched,
      readAll,
    );
    if (found.length === 0) continue;
    suggestions.push({ term: word, suggestion: found.slice(0, limit).map((token) => token.slice(prefix.length)) });
  }
  return suggestions;
}

/** Words of one search for which suggestions are made. */
const mostWords = 10;

interface SearchedWord {
  readonly prefix: string;
  readonly word: string;
}

function wordsIn(criterion: Criterion, wordPrefix: string): readonly SearchedWord[] {
  switch (criterion.is) {
    case "and":
    case "or":
      return criterion.of.flatMap((part) => wordsIn(part, wordPrefix));
    case "words": {
      const prefix = criterion.field === undefined ? wordPrefix : fieldToken.word(criterion.field.key, "");
      const { test } = criterion;
      if (test.test === "word") return [{ prefix, word: test.word }];
      return test.test === "phrase" && !test.open ? test.words.map((word) => ({ prefix, word })) : [];
    }
    default:
      return [];
  }
}

async function similarTokens(
  prefix: string,
  word: string,
  accuracy: number,
  readAll: ReadAll,
): Promise<readonly string[]> {
  const [first = ""] = word;
  const beginning = prefix + first;
  const length = [...word].length;
  const furthest = Math.floor(length * (1 - accuracy));
  const [rows, own] = await readAll([
    sql`select term, doc from (
        select term, doc from search_index_token where term >= ${beginning} and term < ${behind(beginning)} limit ${scanned}
      ) where length(term) between ${prefix.length + length - furthest} and ${prefix.length + length + furthest}
      order by doc desc limit 2000`,
    sql`select doc from search_index_token where term = ${prefix + word}`,
  ]);
  const frequency = Number(own?.[0]?.doc ?? 0);
  return (rows ?? [])
    .map((row) => ({ token: String(row.term), entities: Number(row.doc) }))
    .map((row) => ({ ...row, alike: similarity(word, row.token.slice(prefix.length)) }))
    .filter(({ alike, entities }) => alike < 1 && alike >= accuracy && entities > frequency)
    .sort((a, b) => b.alike - a.alike || b.entities - a.entities || (a.token < b.token ? -1 : 1))
    .slice(0, candidates)
    .map(({ token }) => token);
}
