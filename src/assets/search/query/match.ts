import { encodeExact, encodePrefix } from "../tokens/exact-token.ts";
import { type IndexField, orderedFormOf } from "../tokens/field-analysis.ts";
import { coverRange, type RangePart } from "../tokens/range-cover.ts";
import { fieldToken, hasTimed, timedMark, untimedMark } from "../tokens/token.ts";
import type { Criterion, ValueTest, WordTest } from "./criterion.ts";
import { type Fragment, raw, sql } from "./fragment.ts";
import type { CostMeter } from "./search-cost.ts";

/** Which metadata counts: all of it, only what has no timespan, or only what has one. */
export type Intervals = "all" | "generic" | "timed";

/** What the expressions of one search have in common. */
export interface MatchScope {
  /** The expression that everything searched matches. */
  readonly base: string;
  /** What full-text words begin with in this kind of entity. */
  readonly wordPrefix: string;
  readonly intervals: Intervals;
  readonly meter: CostMeter;
}

/** Whether all of a criterion is in the full-text index; what must be looked up for it was looked up before. */
export function isIndexed(criterion: Criterion): boolean {
  switch (criterion.is) {
    case "and":
    case "or":
      return criterion.of.every(isIndexed);
    case "not":
      return isIndexed(criterion.of);
    case "value":
      return (
        criterion.field.store === "index" && criterion.test.test !== "pattern" && criterion.test.test !== "between"
      );
    case "words":
      return criterion.test.test === "word" || criterion.test.test === "phrase";
    default:
      return criterion.is === "all" || criterion.is === "none" || criterion.is === "tokens";
  }
}

/**
 * An indexed criterion as one expression of the full-text index. Every text of the search stands in quotes there and is
 * nothing but data.
 */
export function matchOf(criterion: Criterion, scope: MatchScope): string {
  if (scope.intervals === "timed") return marked(criterion, scope, timedMark);
  const any = marked(criterion, scope, "");
  if (scope.intervals === "all" || criterion.is === "all") return any;
  // Only entities with timed metadata have their untimed metadata marked.
  const untimed = marked(criterion, scope, untimedMark);
  return `((${any}) NOT ${quoted(hasTimed)}) OR ((${untimed}) AND ${quoted(hasTimed)})`;
}

function marked(criterion: Criterion, scope: MatchScope, mark: string): string {
  const inner = (part: Criterion) => marked(part, scope, mark);
  switch (criterion.is) {
    case "all":
      return scope.base;
    case "none":
      return quoted(nothing);
    case "and":
      return conjunction(criterion.of, inner, scope);
    case "or":
      return anyOf(criterion.of.map(inner));
    case "not":
      return `(${scope.base}) NOT (${inner(criterion.of)})`;
    case "words":
      return wordsMatch(criterion.field, criterion.test, scope, mark);
    case "tokens":
      scope.meter.spend("terms", criterion.tokens.length);
      return anyOf(criterion.tokens.map((token) => quoted(criterion.anyTime === true ? token : mark + token)));
    case "value":
      if (criterion.field.store === "index") return valueMatch(criterion.field.field, criterion.test, scope, mark);
  }
  throw new TypeError(`A criterion of the kind ${criterion.is} is not in the index`);
}

/** The parts that must hold, without those that must not. */
function conjunction(parts: readonly Criterion[], inner: (part: Criterion) => string, scope: MatchScope): string {
  const wanted = parts.filter((part) => part.is !== "not").map(inner);
  const unwanted = parts.flatMap((part) => (part.is === "not" ? [inner(part.of)] : []));
  const all = wanted.length === 0 ? scope.base : wanted.map((part) => `(${part})`).join(" AND ");
  return unwanted.length === 0 ? all : `(${all}) NOT (${anyOf(unwanted)})`;
}

function anyOf(parts: readonly string[]): string {
  const [first] = parts;
  if (first === undefined) return quoted(nothing);
  return parts.length === 1 ? first : parts.map((part) => (simple.test(part) ? part : `(${part})`)).join(" OR ");
}

/** One quoted text needs no parentheses. */
const simple = /^"(?:[^"]|"")*"$/;
/** A token that nothing has. */
const nothing = "!none";

function wordsMatch(
  field: IndexField | undefined,
  test: WordTest,
  { wordPrefix, meter }: MatchScope,
  mark: string,
): string {
  const token = (word: string) => mark + (field === undefined ? wordPrefix + word : fieldToken.word(field.key, word));
  meter.spend("terms");
  if (test.test === "word") return quoted(token(test.word));
  if (test.test !== "phrase") throw new TypeError(`A test for ${test.test} is not in the index`);
  return quoted(test.words.map(token).join(" ")) + (test.open ? " *" : "");
}

function valueMatch(field: IndexField, test: ValueTest, scope: MatchScope, mark: string): string {
  const { key } = field;
  scope.meter.spend("terms");
  switch (test.test) {
    case "any":
      return quoted(mark + fieldToken.any(key));
    case "exact":
      return quoted(mark + fieldToken.exact(key, encodeExact(test.text)));
    case "beginning":
      return `${quoted(mark + fieldToken.exact(key, encodePrefix(test.text)))} *`;
    case "ordered": {
      const form = orderedFormOf(field.analysis);
      if (form === undefined) break;
      const parts = coverRange(form, test.low, test.high);
      scope.meter.spend("terms", parts.length);
      return parts.length === 0 ? quoted(nothing) : anyOf(parts.map((part) => rangePart(key, part, mark)));
    }
  }
  throw new TypeError(`A test for ${test.test} is not in the index`);
}

function rangePart(key: string, part: RangePart, mark: string): string {
  switch (part.part) {
    case "all":
      return quoted(mark + fieldToken.any(key));
    case "whole":
      return quoted(mark + fieldToken.whole(key, part.text));
    case "cell":
      return quoted(mark + fieldToken.cell(key, part.text));
    case "beginning":
      return `${quoted(mark + fieldToken.whole(key, part.text))} *`;
  }
}

/** A string of the expression language: all in it is data. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** A select of the keys that an expression finds. */
export function matching(table: "search_index" | "search_group_index", match: string): Fragment {
  return sql`select rowid from ${raw(table)} where ${raw(table)} match ${match}`;
}

/** The indexed parts together as one, which comes first, so that they become one expression; then the others. */
export function groupedParts(is: "and" | "or", parts: readonly Criterion[]): readonly Criterion[] {
  const indexed = parts.filter(isIndexed);
  const others = parts.filter((part) => !isIndexed(part));
  if (indexed.length === 0) return others;
  return [indexed.length === 1 ? (indexed[0] as Criterion) : { is, of: indexed }, ...others];
}
