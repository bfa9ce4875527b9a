import type { Metadata } from "../model.ts";
import { divide, type Rational } from "./rational.ts";
import { parseTimeBase } from "./time-base.ts";
import { convertTimePoint, isTimeCode, parseTimePoint, shiftTimePoint, type TimePoint } from "./time-code.ts";
import { isGeneric, type TimeSpan } from "./time-span.ts";

/**
 * The start of an item's own time line in seconds, as its field `startTimeCode` tells it; `undefined` without one.
 *
 * @throws KinoraError `invalid-value` when its time base is none
 */
export function startOf(metadata: Metadata): Rational | undefined {
  for (const timespan of metadata.timespans) {
    if (!isGeneric(timespan.span)) continue;
    const text = timespan.fields.find((field) => field.name === "startTimeCode")?.values[0]?.text;
    if (text === undefined || !isTimeCode(text)) return undefined;
    const { seconds } = parseTimePoint(text);
    return typeof seconds === "string" ? undefined : seconds;
  }
  return undefined;
}

/** A span counted from a moment of its own time line; time codes keep their time base where they stay whole in it. */
export function countedFrom(span: TimeSpan, origin: Rational): TimeSpan {
  if (isGeneric(span)) return span;
  const offset = { numerator: -origin.numerator, denominator: origin.denominator };
  return { start: moved(span.start, offset), end: moved(span.end, offset) };
}

function moved(point: TimePoint, offset: Rational): TimePoint {
  const shifted = shiftTimePoint(point, offset);
  const base = point.text.split("@")[1];
  if (base === undefined || typeof shifted.seconds === "string") return shifted;
  const timeBase = parseTimeBase(base);
  return divide(shifted.seconds, timeBase.seconds).denominator === 1n ? convertTimePoint(shifted, timeBase) : shifted;
}
