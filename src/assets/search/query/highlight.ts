import type { IndexedValue } from "../../index-port.ts";
import { isReference } from "../../indexed-reference.ts";
import { type TimeSpan, timeSpanKey } from "../../metadata/time/time-span.ts";
import type { HighlightRequest } from "../documents/item-search-document.ts";
import type { HitTimespan } from "../documents/search-answer.ts";
import { wordPlaces } from "../tokens/words.ts";
import { type LeafCriterion, matchedPlaces, valueMatches } from "./hit-match.ts";

/** Shows values with what matches in them marked. */
export interface Highlighter {
  /** Fields of one timespan; `matching` are the values in it that match, `values` all of the entity. */
  fieldsOf(
    matching: readonly IndexedValue[],
    values: readonly IndexedValue[],
    span: TimeSpan,
  ): NonNullable<HitTimespan["field"]>;
}

/** @param mayRead whether the caller may see a field */
export function createHighlighter(
  request: HighlightRequest,
  leaves: readonly LeafCriterion[],
  mayRead: (field: string) => boolean,
): Highlighter {
  const { prefix = "<em>", suffix = "</em>", matchingOnly = true } = request;
  const only = request.field === undefined ? undefined : new Set(request.field);
  const shows = ({ field }: IndexedValue) =>
    (only?.has(field.name) ?? true) && !isReference(field) && mayRead(field.name);

  function marked(value: IndexedValue): string {
    const { text } = value;
    const matching = leaves.filter((leaf) => valueMatches(leaf, value));
    if (matching.length === 0) return text;
    const places = wordPlaces(text);
    const words = places.map(({ word }) => word);
    const ranges: [start: number, end: number][] = [];
    for (const leaf of matching) {
      const found = matchedPlaces(leaf, value, words);
      if (found === "all") return prefix + text + suffix;
      for (const place of found) {
        const word = places[place];
        if (word !== undefined) ranges.push([word.start, word.end]);
      }
    }
    return withMarks(text, ranges, prefix, suffix);
  }

  return {
    fieldsOf(matching, values, span) {
      const key = timeSpanKey(span);
      const names = new Set(matching.map(({ field }) => field.name));
      const inSpan = values.filter((value) =>
        value.span === undefined ? key === "-INF|+INF" : timeSpanKey(value.span) === key,
      );
      const shown = (
        matchingOnly ? matching : inSpan.filter(({ field }) => names.has(field.name) || only?.has(field.name))
      ).filter(shows);
      const fields = new Map<string, string[]>();
      for (const value of shown) {
        const list = fields.get(value.field.name);
        if (list === undefined) fields.set(value.field.name, [marked(value)]);
        else list.push(marked(value));
      }
      return [...fields].map(([name, value]) => ({ name, value }));
    },
  };
}

/** Marks ranges of a text; those that touch or overlap become one. */
function withMarks(text: string, ranges: [number, number][], prefix: string, suffix: string): string {
  ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let result = "";
  let at = 0;
  for (let index = 0; index < ranges.length; index++) {
    const [start, firstEnd] = ranges[index] as [number, number];
    let end = firstEnd;
    while (index + 1 < ranges.length && (ranges[index + 1] as [number, number])[0] <= end) {
      index++;
      end = Math.max(end, (ranges[index] as [number, number])[1]);
    }
    if (start < at) continue;
    result += text.slice(at, start) + prefix + text.slice(start, end) + suffix;
    at = end;
  }
  return result + text.slice(at);
}
