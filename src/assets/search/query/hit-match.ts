import type { IndexedValue } from "../../index-port.ts";
import { fieldOf } from "../index/entity-tokens.ts";
import { encodeExact } from "../tokens/exact-token.ts";
import { orderedValue } from "../tokens/field-analysis.ts";
import type { Bound } from "../tokens/range-cover.ts";
import { fieldToken } from "../tokens/token.ts";
import { assetWords } from "../tokens/value-tokens.ts";
import { wordsOf } from "../tokens/words.ts";
import type { Criterion, ValueTest, WordTest } from "./criterion.ts";

/** A part of a search that looks at single values. */
export type LeafCriterion = Extract<Criterion, { readonly is: "words" | "value" | "tokens" }>;

/** The leaves of a search that speak for a hit: not those under a NOT, nor of other entities. */
export function leavesFor(criterion: Criterion): readonly LeafCriterion[] {
  switch (criterion.is) {
    case "and":
    case "or":
      return criterion.of.flatMap(leavesFor);
    case "group":
      return leavesFor(criterion.of);
    case "words":
    case "value":
    case "tokens":
      return [criterion];
    default:
      return [];
  }
}

/** Whether a value is one of those for which a leaf holds. */
export function valueMatches(leaf: LeafCriterion, value: IndexedValue): boolean {
  const field = fieldOf(value);
  if (field === undefined) return false;
  if (leaf.is === "tokens") {
    const words = wordsOf(value.text);
    const tokens = new Set([
      fieldToken.exact(field.key, encodeExact(value.text)),
      ...words.map((word) => fieldToken.word(field.key, word)),
      ...(field.fullText ? words.map((word) => assetWords + word) : []),
    ]);
    return leaf.tokens.some((token) => tokens.has(token));
  }
  if (leaf.is === "words") {
    const looksHere = leaf.field === undefined ? field.fullText : leaf.field.key === field.key;
    return looksHere && matchedWords(leaf.test, wordsOf(value.text)).size > 0;
  }
  return (
    leaf.field.store === "index" && leaf.field.field.key === field.key && holds(leaf.test, field.analysis, value.text)
  );
}

/** Places of the words of a value that a leaf looks for; `"all"` when it looks for the value as a whole. */
export function matchedPlaces(
  leaf: LeafCriterion,
  value: IndexedValue,
  words: readonly string[],
): ReadonlySet<number> | "all" {
  if (leaf.is === "words") return matchedWords(leaf.test, words);
  const field = fieldOf(value);
  if (leaf.is === "value" || field === undefined) return "all";
  const tokens = new Set(leaf.tokens);
  if (tokens.has(fieldToken.exact(field.key, encodeExact(value.text)))) return "all";
  const places = new Set<number>();
  for (const [place, word] of words.entries()) {
    if (tokens.has(assetWords + word) || tokens.has(fieldToken.word(field.key, word))) places.add(place);
  }
  return places;
}

/** Places of the words in a row of words for which a test holds. */
function matchedWords(test: WordTest, words: readonly string[]): ReadonlySet<number> {
  const places = new Set<number>();
  if (test.test === "word") {
    for (const [place, word] of words.entries()) if (word === test.word) places.add(place);
  } else if (test.test === "phrase") {
    const last = test.words.length - 1;
    for (let from = 0; from + last < words.length; from++) {
      const found = test.words.every((wanted, index) => {
        const word = words[from + index] ?? "";
        return index === last && test.open ? word.startsWith(wanted) : word === wanted;
      });
      if (found) for (let index = 0; index <= last; index++) places.add(from + index);
    }
  }
  return places;
}

function holds(test: ValueTest, analysis: Parameters<typeof orderedValue>[0], text: string): boolean {
  switch (test.test) {
    case "any":
      return true;
    case "exact":
      return text === test.text;
    case "beginning":
      return text.startsWith(test.text);
    case "between":
      return isWithin(text, test.low, test.high);
    case "ordered": {
      const ordered = orderedValue(analysis, text);
      return ordered !== undefined && isWithin(ordered, test.low, test.high);
    }
    case "pattern":
      return false;
  }
}

function isWithin(value: string, low: Bound | undefined, high: Bound | undefined): boolean {
  const aboveLow = low === undefined || value > low.value || (low.inclusive && value === low.value);
  const belowHigh = high === undefined || value < high.value || (high.inclusive && value === high.value);
  return aboveLow && belowHigh;
}
