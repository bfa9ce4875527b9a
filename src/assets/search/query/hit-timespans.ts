import type { IndexedValue } from "../../index-port.ts";
import { compareTimeSpans, generic, isGeneric, type TimeSpan, timeSpanKey } from "../../metadata/time/time-span.ts";
import type { HitTimespan } from "../documents/search-answer.ts";
import type { Highlighter } from "./highlight.ts";
import { type LeafCriterion, valueMatches } from "./hit-match.ts";
import type { Intervals } from "./match.ts";

/** Where in its time a hit matches. */
export interface HitPlace {
  readonly start: string;
  readonly end: string;
  readonly timespans: readonly HitTimespan[];
}

/** A hit by its untimed metadata, or by nothing in particular. */
export const everywhere: HitPlace = {
  start: "-INF",
  end: "+INF",
  timespans: [{ start: "-INF", end: "+INF" }],
};

/**
 * The timespans in which values of a hit match. The hit itself spans from the first to the last of them, and all time
 * when something untimed matches.
 */
export function placeOf(
  values: readonly IndexedValue[],
  leaves: readonly LeafCriterion[],
  intervals: Intervals,
  highlighter: Highlighter | undefined,
): HitPlace {
  const inInterval = values.filter(
    ({ span }) => intervals === "all" || (intervals === "timed") === (span !== undefined),
  );
  const spans = new Map<string, { readonly span: TimeSpan; readonly values: IndexedValue[] }>();
  for (const value of inInterval) {
    if (!leaves.some((leaf) => valueMatches(leaf, value))) continue;
    const span = value.span ?? generic;
    const key = timeSpanKey(span);
    const found = spans.get(key);
    if (found === undefined) spans.set(key, { span, values: [value] });
    else found.values.push(value);
  }
  if (spans.size === 0) return everywhere;
  const sorted = [...spans.values()].sort((a, b) => compareTimeSpans(a.span, b.span));
  const timespans = sorted.map(({ span, values: matching }) => ({
    start: span.start.text,
    end: span.end.text,
    ...(highlighter === undefined ? {} : { field: highlighter.fieldsOf(matching, inInterval, span) }),
  }));
  return { ...hull(sorted.map(({ span }) => span)), timespans };
}

function hull(spans: readonly TimeSpan[]): { readonly start: string; readonly end: string } {
  if (spans.some(isGeneric)) return { start: "-INF", end: "+INF" };
  const starts = [...spans].sort(compareTimeSpans);
  const ends = [...spans].sort((a, b) => compareTimeSpans({ start: a.end, end: a.end }, { start: b.end, end: b.end }));
  return { start: starts[0]?.start.text ?? "-INF", end: ends.at(-1)?.end.text ?? "+INF" };
}
