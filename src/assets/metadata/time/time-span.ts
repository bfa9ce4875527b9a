import { KinoraError } from "../../../errors.ts";
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

/** By start, then by end: the generic span first. */
export function compareTimeSpans(a: TimeSpan, b: TimeSpan): number {
  return compareTimePoints(a.start, b.start) || compareTimePoints(a.end, b.end);
}
