import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, compare, divide, multiply, rational, toDecimal } from "../../src/assets/metadata/time/rational.ts";
import { parseTimeBase } from "../../src/assets/metadata/time/time-base.ts";
import {
  compareTimePoints,
  convertTimePoint,
  exactTimePoint,
  parseTimePoint,
  timePointKey,
} from "../../src/assets/metadata/time/time-code.ts";
import {
  isGeneric,
  overlaps,
  parseInterval,
  parseTimeSpan,
  timeSpanKey,
} from "../../src/assets/metadata/time/time-span.ts";
import { KinoraError } from "../../src/errors.ts";

function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof KinoraError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "accepted";
}

const fraction = fc
  .tuple(fc.bigInt(-(10n ** 12n), 10n ** 12n), fc.bigInt(1n, 10n ** 9n))
  .map(([numerator, denominator]) => rational(numerator, denominator));

describe("exact fractions", () => {
  it("add and multiply like a field", () => {
    fc.assert(
      fc.property(fraction, fraction, fraction, (a, b, c) => {
        expect(add(a, b)).toEqual(add(b, a));
        expect(multiply(add(a, b), c)).toEqual(add(multiply(a, c), multiply(b, c)));
        if (b.numerator !== 0n) expect(multiply(divide(a, b), b)).toEqual(a);
      }),
    );
  });

  it("are ordered as their difference is signed", () => {
    fc.assert(
      fc.property(fraction, fraction, (a, b) => {
        const difference = add(a, multiply(b, rational(-1n)));
        const sign = difference.numerator < 0n ? -1 : difference.numerator > 0n ? 1 : 0;
        expect(compare(a, b)).toBe(sign);
      }),
    );
  });

  it.each([
    ["25", "1", "25"],
    ["25", "2", "12.5"],
    ["1", "3", "0.333333333"],
    ["2", "3", "0.666666667"],
    ["-1", "2", "-0.5"],
    ["-1", "1000000000000", "0"],
    ["1999999999", "2000000000", "1"],
  ])("writes %s/%s as %s", (numerator, denominator, text) => {
    expect(toDecimal(rational(BigInt(numerator), BigInt(denominator)), 9)).toBe(text);
  });
});

describe("time codes", () => {
  it.each([
    ["12", "12/1"],
    ["12.50", "25/2"],
    ["300@PAL", "12/1"],
    ["30@NTSC", "1001/1000"],
    ["15@NTSC30", "1/2"],
    ["5964120000@1000000", "149103/25"],
    ["17530000@2500", "7012/1"],
    ["1@30000:1001", "1001/30000"],
    ["-10", "-10/1"],
    ["-INF", "-INF"],
    ["+INF", "+INF"],
  ])("%s is %s seconds", (text, key) => {
    const point = parseTimePoint(text);
    expect(timePointKey(point)).toBe(key);
    expect(point.text).toBe(text);
  });

  it.each(["", "a", "12@", "@PAL", "12@0", "12@25:0", "12@SECAM", "1e5", "12:00:00", "--1", "1.", "9".repeat(19), "٣"])(
    "refuses %j",
    (text) => {
      expect(refusal(() => parseTimePoint(text))).toMatch(/^invalid-value: .*(time code|time base)/);
    },
  );

  it("reads back what it writes in another sample rate when a moment falls on a sample", () => {
    const rates = fc.constantFrom("PAL", "NTSC", "NTSC30", "48000", "30000:1001", "1");
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), rates, rates, (samples, from, to) => {
        const base = parseTimeBase(to);
        const point = exactTimePoint(multiply(rational(BigInt(samples)), base.seconds));
        const again = parseTimePoint(convertTimePoint(point, base).text);
        expect(timePointKey(again)).toBe(timePointKey(point));
        expect(convertTimePoint(point, parseTimeBase(from)).text.endsWith(`@${from}`)).toBe(true);
      }),
    );
  });

  it("becomes decimal between two samples", () => {
    expect(convertTimePoint(parseTimePoint("0.5"), parseTimeBase("PAL")).text).toBe("12.5@PAL");
    expect(convertTimePoint(parseTimePoint("+INF"), parseTimeBase("PAL")).text).toBe("+INF");
  });

  it("compares moments whatever their units are", () => {
    expect(compareTimePoints(parseTimePoint("250@PAL"), parseTimePoint("10"))).toBe(0);
    expect(compareTimePoints(parseTimePoint("-INF"), parseTimePoint("-1000000"))).toBe(-1);
    expect(compareTimePoints(parseTimePoint("+INF"), parseTimePoint("10"))).toBe(1);
    expect(compareTimePoints(parseTimePoint("30@NTSC"), parseTimePoint("30@NTSC30"))).toBe(1);
  });
});

describe("timespans", () => {
  it.each([
    ["12.00-34.50", "12/1|69/2"],
    ["250@PAL-500@PAL", "10/1|20/1"],
    ["-INF-+INF", "-INF|+INF"],
    ["-5--1", "-5/1|-1/1"],
    ["0-+INF", "0/1|+INF"],
    ["7-7", "7/1|7/1"],
  ])("reads the interval %s", (text, key) => {
    expect(timeSpanKey(parseInterval(text))).toBe(key);
  });

  it.each(["", "12", "5-", "-", "1-2-3", "INF", "a-b"])("refuses the interval %j", (text) => {
    expect(refusal(() => parseInterval(text))).toMatch(/^invalid-value/);
  });

  it("refuses a span that ends before it starts", () => {
    expect(refusal(() => parseTimeSpan("500@PAL", "250@PAL"))).toBe(
      "invalid-value: The timespan from 500@PAL to 250@PAL ends before it starts",
    );
    expect(refusal(() => parseTimeSpan("+INF", "-INF"))).toMatch(/ends before/);
  });

  it("knows untimed metadata and spans that touch", () => {
    expect(isGeneric(parseTimeSpan("-INF", "+INF"))).toBe(true);
    expect(isGeneric(parseTimeSpan("0", "+INF"))).toBe(false);
    expect(overlaps(parseTimeSpan("0", "10"), parseTimeSpan("250@PAL", "500@PAL"))).toBe(true);
    expect(overlaps(parseTimeSpan("0", "9"), parseTimeSpan("250@PAL", "500@PAL"))).toBe(false);
    expect(overlaps(parseTimeSpan("-INF", "+INF"), parseTimeSpan("3", "4"))).toBe(true);
  });
});
