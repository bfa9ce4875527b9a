import { encodeExact, encodePrefix } from "../tokens/exact-token.ts";
import { type IndexField, orderedFormOf } from "../tokens/field-analysis.ts";
import { coverRange, type RangePart } from "../tokens/range-cover.ts";
import { fieldToken, hasTimed, timedMark, untimedMark } from "../tokens/token.ts";
import type { Criterion, ValueTest, WordTest } from "./criterion.ts";
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

/**
 * A criterion as one expression of the full-text index, or `undefined` when a part of it is not in that index. Every
 * text of the search stands in quotes there and is nothing but data.
 */
export function matchOf(criterion: Criterion, scope: MatchScope): string | undefined {
  if (scope.intervals === "timed") return marked(criterion, scope, timedMark);
  const any = marked(criterion, scope, "");
  if (any === undefined || scope.intervals === "all" || criterion.is === "all") return any;
  // Only entities with timed metadata have their untimed metadata marked.
  const untimed = marked(criterion, scope, untimedMark) as string;
  return `((${any}) NOT ${quoted(hasTimed)}) OR ((${untimed}) AND ${quoted(hasTimed)})`;
}

function marked(criterion: Criterion, scope: MatchScope, mark: string): string | undefined {
  const inner = (part: Criterion) => marked(part, scope, mark);
  switch (criterion.is) {
    case "all":
      return scope.base;
    case "none":
      return quoted("!none");
    case "and":
      return conjunction(criterion.of, inner, scope);
    case "or": {
      const parts = criterion.of.map(inner);
      return parts.every((part) => part !== undefined) ? anyOf(parts) : undefined;
    }
    case "not": {
      const of = inner(criterion.of);
      return of === undefined ? undefined : `(${scope.base}) NOT (${of})`;
    }
    case "words":
      return wordsMatch(criterion.field, criterion.test, scope, mark);
    case "tokens":
      scope.meter.spend("terms", criterion.tokens.length);
      return anyOf(criterion.tokens.map((token) => quoted(mark + token)));
    case "value":
      return criterion.field.store === "index"
        ? valueMatch(criterion.field.field, criterion.test, scope, mark)
        : undefined;
    default:
      return undefined;
  }
}

/** The parts that must hold, without those that must not. */
function conjunction(
  parts: readonly Criterion[],
  inner: (part: Criterion) => string | undefined,
  scope: MatchScope,
): string | undefined {
  const wanted = parts.filter((part) => part.is !== "not").map(inner);
  const unwanted = parts.filter((part) => part.is === "not").map((part) => inner(part.of));
  if (![...wanted, ...unwanted].every((part) => part !== undefined)) return undefined;
  const all = wanted.length === 0 ? scope.base : wanted.map((part) => `(${part})`).join(" AND ");
  return unwanted.length === 0 ? all : `(${all}) NOT (${anyOf(unwanted as string[])})`;
}

function anyOf(parts: readonly string[]): string {
  return parts.length === 1
    ? (parts[0] as string)
    : parts.map((part) => (simple.test(part) ? part : `(${part})`)).join(" OR ");
}

/** One quoted text needs no parentheses. */
const simple = /^"(?:[^"]|"")*"$/;

function wordsMatch(
  field: IndexField | undefined,
  test: WordTest,
  { wordPrefix, meter }: MatchScope,
  mark: string,
): string | undefined {
  const token = (word: string) => mark + (field === undefined ? wordPrefix + word : fieldToken.word(field.key, word));
  meter.spend("terms");
  if (test.test === "pattern") return undefined;
  if (test.test === "word") return quoted(token(test.word));
  return quoted(test.words.map(token).join(" ")) + (test.open ? " *" : "");
}

function valueMatch(field: IndexField, test: ValueTest, scope: MatchScope, mark: string): string | undefined {
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
      if (form === undefined) return undefined;
      const parts = coverRange(form, test.low, test.high);
      scope.meter.spend("terms", parts.length);
      return parts.length === 0 ? quoted("!none") : anyOf(parts.map((part) => rangePart(key, part, mark)));
    }
    default:
      return undefined;
  }
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
