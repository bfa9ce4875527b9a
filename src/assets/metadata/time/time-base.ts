import { KinoraError } from "../../../errors.ts";
import { type Rational, rational } from "./rational.ts";

/** The length of one sample in seconds, and how it was written. */
export interface TimeBase {
  readonly text: string;
  readonly seconds: Rational;
}

const constants: ReadonlyMap<string, TimeBase> = new Map([
  ["PAL", { text: "PAL", seconds: rational(1n, 25n) }],
  ["NTSC", { text: "NTSC", seconds: rational(1001n, 30000n) }],
  ["NTSC30", { text: "NTSC30", seconds: rational(1n, 30n) }],
]);

/** More digits than any rate in use has; keeps exact arithmetic on hostile input cheap. */
const timeBasePattern = /^(\d{1,18})(?::(\d{1,18}))?$/;

function readTimeBase(text: string): TimeBase | undefined {
  const constant = constants.get(text);
  if (constant !== undefined) return constant;
  const match = timeBasePattern.exec(text);
  const denominator = BigInt(match?.[1] ?? 0);
  const numerator = BigInt(match?.[2] ?? 1);
  if (match === null || denominator === 0n || numerator === 0n) return undefined;
  return { text, seconds: rational(numerator, denominator) };
}

/** Whether a text is a time base. */
export function isTimeBase(text: string): boolean {
  return readTimeBase(text) !== undefined;
}

/**
 * Reads a time base: `25`, `30000:1001`, `48000` (samples a second, as denominator and numerator of the length of one
 * sample) or one of `PAL`, `NTSC`, `NTSC30`.
 *
 * @throws KinoraError `invalid-value` when the text is none of these, or zero.
 */
export function parseTimeBase(text: string): TimeBase {
  const timeBase = readTimeBase(text);
  if (timeBase !== undefined) return timeBase;
  throw new KinoraError("invalid-value", {
    context: "time-base",
    value: text,
    explanation: `The time base ${JSON.stringify(text)} is not samples a second such as 25 or 30000:1001, and not PAL, NTSC or NTSC30`,
  });
}
