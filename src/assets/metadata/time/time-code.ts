import { KinoraError } from "../../../errors.ts";
import { add, compare, divide, multiply, type Rational, rational, toDecimal } from "./rational.ts";
import { isTimeBase, parseTimeBase, type TimeBase } from "./time-base.ts";

/** A moment on a time line: exact seconds, or one of the two open ends. */
export interface TimePoint {
  /** As it was written: `12`, `300@PAL`, `-INF`. */
  readonly text: string;
  readonly seconds: Rational | "-INF" | "+INF";
}

export const start: TimePoint = { text: "-INF", seconds: "-INF" };
export const end: TimePoint = { text: "+INF", seconds: "+INF" };

/** 18 digits before and 12 behind the point hold 30,000 years in nanoseconds; more would only make arithmetic slow. */
const timeCodePattern = /^(-?)(\d{1,18})(?:\.(\d{1,12}))?(?:@([A-Za-z0-9:]{1,40}))?$/;

/** Places behind the point when a converted time code falls between two samples. */
const decimalPlaces = 9;

/** Whether a text is a time code of a moment: seconds, or samples of a time base; open ends are none. */
export function isTimeCode(text: string): boolean {
  const match = timeCodePattern.exec(text);
  return match !== null && (match[4] === undefined || isTimeBase(match[4]));
}

function brokenTimeCode(text: string): KinoraError {
  return new KinoraError("invalid-value", {
    context: "time-code",
    value: text.slice(0, 200),
    explanation: `The time code ${JSON.stringify(text.slice(0, 200))} is not seconds such as 12.5, not samples and time base such as 300@PAL, and not -INF or +INF`,
  });
}

/**
 * Reads a time code: `{samples}[@{time base}]`, seconds without a time base; samples may have a fraction; `-INF` and
 * `+INF` are the open ends.
 *
 * @throws KinoraError `invalid-value` naming the text.
 */
export function parseTimePoint(text: string): TimePoint {
  if (text === "-INF") return start;
  if (text === "+INF" || text === "INF") return end;
  const match = timeCodePattern.exec(text);
  if (match === null) throw brokenTimeCode(text);
  const [, sign, whole = "", fraction = "", base] = match;
  const samples = rational(BigInt(`${whole}${fraction}`), 10n ** BigInt(fraction.length));
  const signed = sign === "-" ? rational(-samples.numerator, samples.denominator) : samples;
  return { text, seconds: base === undefined ? signed : multiply(signed, parseTimeBase(base).seconds) };
}

/** Negative, zero or positive, as `a` is before, at or behind `b`; the units need not match. */
export function compareTimePoints(a: TimePoint, b: TimePoint): number {
  if (a.text === b.text) return 0;
  if (a.seconds === b.seconds) return 0;
  if (a.seconds === "-INF" || b.seconds === "+INF") return -1;
  if (a.seconds === "+INF" || b.seconds === "-INF") return 1;
  return compare(a.seconds, b.seconds);
}

/** Equal for the same moment however it is written: `300@PAL` and `12` have one key. */
export function timePointKey(point: TimePoint): string {
  if (point.seconds === "-INF" || point.seconds === "+INF") return point.seconds;
  return `${point.seconds.numerator}/${point.seconds.denominator}`;
}

/** Writes the moment in another time base; a moment between two samples becomes a decimal number of samples. */
export function convertTimePoint(point: TimePoint, base: TimeBase): TimePoint {
  if (point.seconds === "-INF" || point.seconds === "+INF") return point;
  const samples = divide(point.seconds, base.seconds);
  return { text: `${toDecimal(samples, decimalPlaces)}@${base.text}`, seconds: point.seconds };
}

/** Moves the moment by a number of seconds; its text is then in seconds over the exact denominator. Open ends stay. */
export function shiftTimePoint(point: TimePoint, offset: Rational): TimePoint {
  if (point.seconds === "-INF" || point.seconds === "+INF" || offset.numerator === 0n) return point;
  return exactTimePoint(add(point.seconds, offset));
}

/** The moment of an exact number of seconds, written `{numerator}@{denominator}`. */
export function exactTimePoint(seconds: Rational): TimePoint {
  const { numerator, denominator } = seconds;
  return { text: denominator === 1n ? `${numerator}` : `${numerator}@${denominator}`, seconds };
}
