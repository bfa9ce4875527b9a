import { KinoraError } from "../../../errors.ts";
import type { MetadataTimespan } from "../../documents/metadata-document.ts";
import { compareTimePoints, end, parseTimePoint, start, type TimePoint, timePointKey } from "./time-code.ts";

/** A stretch of a time line; both ends may be the same moment, or open. */
export interface TimeSpan {
  readonly start: TimePoint;
  readonly end: TimePoint;
}

/** `-INF` to `+INF`: where untimed metadata lives. */
export const generic: TimeSpan = { start, end };

/** Two time points with a minus sign between; a sign may also stand before each. */
const spanPattern = /^([-+]?[^-+]+)-([-+]?[^-+]+)$/;

/**
 * Makes a span of the texts of its ends.
 *
 * @throws KinoraError `invalid-value` when an end is no time code, or the span ends before it starts.
 */
export function parseTimeSpan(startText: string, endText: string): TimeSpan {
  if (startText === "-INF" && endText === "+INF") return generic;
  const span = { start: parseTimePoint(startText), end: parseTimePoint(endText) };
  if (span.start.seconds === "+INF" || span.end.seconds === "-INF" || compareTimePoints(span.start, span.end) > 0) {
    throw new KinoraError("invalid-value", {
      context: "timespan",
      value: `${startText}-${endText}`,
      explanation: `The timespan from ${startText} to ${endText} ends before it starts`,
    });
  }
  return span;
}

/** A time code of a document in the time base that its timespan names, where it names none itself. */
function inBase(text: string, base: string | undefined): string {
  return base === undefined || base === "" || /[@I]/.test(text) ? text : `${text}@${base}`;
}

/**
 * The span of a timespan in a document: untimed when it names no ends. Ends without a time base of their own are in
 * that of the attribute `base`, else in seconds.
 *
 * @throws KinoraError `invalid-value`
 */
export function timeSpanOf({ start = "-INF", end = "+INF", base }: MetadataTimespan): TimeSpan {
  return parseTimeSpan(inBase(start, base), inBase(end, base));
}

/** Reads an interval `a-b`, such as `12.00-34.50`, `250@PAL-500@PAL` or `-INF-+INF`. @throws KinoraError `invalid-value`. */
export function parseInterval(text: string): TimeSpan {
  const match = spanPattern.exec(text);
  if (match?.[1] !== undefined && match[2] !== undefined) return parseTimeSpan(match[1], match[2]);
  throw new KinoraError("invalid-value", {
    context: "interval",
    value: text.slice(0, 200),
    explanation: `The interval ${JSON.stringify(text.slice(0, 200))} is not two time codes with a minus sign between`,
  });
}

/** Equal for the same span however it is written. */
export function timeSpanKey(span: TimeSpan): string {
  return span === generic ? "-INF|+INF" : `${timePointKey(span.start)}|${timePointKey(span.end)}`;
}

export function isGeneric(span: TimeSpan): boolean {
  return span === generic || (span.start.seconds === "-INF" && span.end.seconds === "+INF");
}

/** Whether two spans have a moment in common; touching ends count. */
export function overlaps(a: TimeSpan, b: TimeSpan): boolean {
  return compareTimePoints(a.start, b.end) <= 0 && compareTimePoints(b.start, a.end) <= 0;
}

/** The generic span first, then by start, then by end. */
export function compareTimeSpans(a: TimeSpan, b: TimeSpan): number {
  return (
    Number(isGeneric(b)) - Number(isGeneric(a)) ||
    compareTimePoints(a.start, b.start) ||
    compareTimePoints(a.end, b.end)
  );
}
