import { isGeneric, overlaps, parseInterval, type TimeSpan } from "../time/time-span.ts";

/** Whether a timespan is shown. */
export type IntervalFilter = (span: TimeSpan) => boolean;

/**
 * Reads an `interval` parameter: spans `a-b`, of which those that have a moment in common are shown, `generic` for
 * untimed metadata, `all`. `undefined` shows all. In a query a plus sign may have become a space.
 *
 * @throws KinoraError `invalid-value` for anything else
 */
export function parseIntervalFilter(entries: readonly string[]): IntervalFilter | undefined {
  if (entries.length === 0 || entries.includes("all")) return undefined;
  const generic = entries.includes("generic");
  const spans = entries
    .filter((entry) => entry !== "generic")
    .map((entry) => parseInterval(entry.replaceAll(" ", "+")));
  return (span) => (generic && isGeneric(span)) || spans.some((wanted) => overlaps(span, wanted));
}
