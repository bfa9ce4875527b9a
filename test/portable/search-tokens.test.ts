import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeExact, encodeExact, encodePrefix, longestExact } from "../../src/assets/search/tokens/exact-token.ts";
import { type DefinedField, indexFieldOf, orderedValue } from "../../src/assets/search/tokens/field-analysis.ts";
import { dateOf, firstDate, lastDate, orderedDate } from "../../src/assets/search/tokens/ordered-date.ts";
import { dateForm, numberForm, type OrderedForm } from "../../src/assets/search/tokens/ordered-form.ts";
import { numberOf, orderedNumber } from "../../src/assets/search/tokens/ordered-number.ts";
import { coverRange, type RangePart } from "../../src/assets/search/tokens/range-cover.ts";
import { fieldToken } from "../../src/assets/search/tokens/token.ts";
import { addValueTokens } from "../../src/assets/search/tokens/value-tokens.ts";
import { wordPlaces, wordsOf } from "../../src/assets/search/tokens/words.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const compareBytes = (a: string, b: string) => {
  const [x, y] = [bytes(a), bytes(b)];
  for (let index = 0; index < Math.min(x.length, y.length); index++) {
    const difference = (x[index] ?? 0) - (y[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(x.length - y.length);
};
const anyText = fc.string({ unit: "binary", maxLength: 40 }).filter((text) => !/\p{Surrogate}/u.test(text));

describe("a whole value as a token", () => {
  test("comes back as it was", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(decodeExact(encodeExact(text))).toBe(text);
      }),
    );
  });

  test("has nothing that the tokenizer folds or ends a token at", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the tokenizer ends a token at
        expect(encodeExact(text)).not.toMatch(/[\x00-\x20A-Z\x7f]/);
      }),
    );
  });

  test("keeps the order of code points, and beginnings", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(compareBytes(encodeExact(a), encodeExact(b))).toBe(compareBytes(a, b));
        expect(encodePrefix(a + b).startsWith(encodePrefix(a))).toBe(true);
      }),
    );
  });

  test("of a long value is short, and another for another value", () => {
    const long = "x".repeat(longestExact);
    expect(encodeExact(`${long}a`).length).toBeLessThan(longestExact + 20);
    expect(encodeExact(`${long}a`)).not.toBe(encodeExact(`${long}b`));
    expect(decodeExact(encodeExact(`${long}a`))).toBe(`${long}…`);
  });
});

const decimalText = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer({ min: -1000, max: 1000 }).map((number) => String(number / 8)),
);
const exact = (text: string): { readonly digits: bigint; readonly scale: number } => {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), scale: Number(exponent) - fraction.length };
};
const compareNumbers = (a: string, b: string) => {
  const [x, y] = [exact(a), exact(b)];
  const scale = Math.min(x.scale, y.scale);
  const [left, right] = [x.digits * 10n ** BigInt(x.scale - scale), y.digits * 10n ** BigInt(y.scale - scale)];
  return left < right ? -1 : left > right ? 1 : 0;
};

describe("ordered forms", () => {
  test("of numbers sort as the numbers do, at any size and precision", () => {
    fc.assert(
      fc.property(decimalText, decimalText, (a, b) => {
        const [x, y] = [orderedNumber(a) ?? "", orderedNumber(b) ?? ""];
        expect(x < y ? -1 : x > y ? 1 : 0).toBe(compareNumbers(a, b));
        expect(compareNumbers(numberOf(x), a)).toBe(0);
      }),
    );
  });

  test.each(["", "x", "1.2.3", "0x10", "1e", "--1", "NaN", "Infinity"])("%j is no number", (text) => {
    expect(orderedNumber(text)).toBeUndefined();
  });

  test("of dates sort as time goes, and come back", () => {
    const date = fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, date, (a, b) => {
        const [x, y] = [orderedDate(a.toISOString()), orderedDate(b.toISOString())];
        expect(x < y).toBe(a.getTime() < b.getTime());
        expect(dateOf(x)).toBe(a.toISOString());
      }),
    );
  });

  test.each([
    ["20", "20000101000000000", "20991231235959999"],
    ["2023", "20230101000000000", "20231231235959999"],
    ["20230", "20230101000000000", "20230930235959999"],
    ["20231", "20231001000000000", "20231231235959999"],
    ["202302", "20230201000000000", "20230228235959999"],
    ["202402", "20240201000000000", "20240229235959999"],
    ["2023020", "20230201000000000", "20230209235959999"],
    ["2023022", "20230220000000000", "20230228235959999"],
    ["2023042", "20230420000000000", "20230429235959999"],
    ["2023043", "20230430000000000", "20230430235959999"],
    ["202304302", "20230430200000000", "20230430235959999"],
    ["202304301", "20230430100000000", "20230430195959999"],
    ["20230430101", "20230430101000000", "20230430101959999"],
    ["20230430101112345", "20230430101112345", "20230430101112345"],
  ])("what begins with %s goes from %s to %s", (beginning, first, last) => {
    expect([firstDate(beginning), lastDate(beginning)]).toEqual([first, last]);
  });

  test("of time codes are the same in any time base", () => {
    expect(orderedValue("time", "300@PAL")).toBe(orderedValue("time", "12"));
    expect(orderedValue("time", "300@30000:1001")).toBe(orderedValue("time", "10.01"));
  });
});

const field = (type: DefinedField["type"]) => indexFieldOf({ name: "x", id: 1, type, index: "index", fullText: false });

/** Whether a value's tokens are among those that a part looks up. */
function isFound(tokens: readonly string[], part: RangePart): boolean {
  switch (part.part) {
    case "all":
      return true;
    case "whole":
      return tokens.includes(fieldToken.whole("1", part.text));
    case "cell":
      return tokens.includes(fieldToken.cell("1", part.text));
    case "beginning":
      return tokens.some((token) => token.startsWith(fieldToken.whole("1", part.text)));
  }
}

function checkRange(
  form: OrderedForm,
  type: DefinedField["type"],
  value: string,
  low: string,
  high: string,
  ends: readonly [boolean, boolean],
) {
  const indexed = field(type);
  if (indexed === undefined) throw new Error("The field is not indexed");
  const ordered = (text: string) => orderedValue(indexed.analysis, text) ?? "";
  const [is, from, to] = [ordered(value), ordered(low), ordered(high)];
  const expected = (ends[0] ? is >= from : is > from) && (ends[1] ? is <= to : is < to);
  const tokens: string[] = [];
  addValueTokens(tokens, indexed, value);
  const parts = coverRange(form, { value: from, inclusive: ends[0] }, { value: to, inclusive: ends[1] });
  expect(parts.some((part) => isFound(tokens, part))).toBe(expected);
  // At each digit behind the one where the ends part, at most 15 cells on either side; and those in between there.
  expect(parts.length).toBeLessThanOrEqual(15 * (from.length + to.length + 1));
}

describe("the parts of a range", () => {
  const ends = fc.tuple(fc.boolean(), fc.boolean());
  test("find exactly the numbers in it", () => {
    const near = fc.integer({ min: -130, max: 130 }).map(String);
    const text = fc.oneof(near, decimalText);
    fc.assert(
      fc.property(text, text, text, ends, (value, low, high, which) => {
        checkRange(numberForm, "float", value, low, high, which);
        checkRange(numberForm, "float", low, low, high, which);
        checkRange(numberForm, "float", high, low, high, which);
      }),
      { numRuns: 500 },
    );
  });

  test("find exactly the dates in it", () => {
    const start = Date.UTC(2023, 11, 25);
    const near = fc.integer({ min: 0, max: 12 * 86_400_000 }).map((offset) => new Date(start + offset).toISOString());
    const round = fc.constantFrom("2023-12-31T23:59:59.999Z", "2024-01-01T00:00:00.000Z", "2024-02-01T00:00:00.000Z");
    const far = fc
      .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
      .map((date) => date.toISOString());
    const date = fc.oneof(near, round, far);
    fc.assert(
      fc.property(date, date, date, ends, (value, low, high, which) => {
        checkRange(dateForm, "date", value, low, high, which);
        checkRange(dateForm, "date", low, low, high, which);
        checkRange(dateForm, "date", high, low, high, which);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["a month", "20240201000000000", "20240229235959999", 1],
    ["a year", "20230101000000000", "20231231235959999", 1],
    ["a day", "20230105000000000", "20230105235959999", 1],
    ["two months", "20240201000000000", "20240331235959999", 2],
  ])("are few for %s", (_what, low, high, parts) => {
    expect(coverRange(dateForm, { value: low, inclusive: true }, { value: high, inclusive: true })).toHaveLength(parts);
  });
});

describe("the words of a text", () => {
  test.each([
    ["Harbour at DAWN", ["harbour", "at", "dawn"]],
    ["don't stop—now", ["dont", "stop", "now"]],
    ["clip_0042.mxf", ["clip", "0042", "mxf"]],
    ["ＦＵＬＬ ｗｉｄｔｈ", ["full", "width"]],
    ["東京の港", ["東", "京", "の", "港"]],
    ["Ελλάδα Ωμέγα", ["ελλάδα", "ωμέγα"]],
    ["  ... ", []],
    ["e\u0301", ["é"]],
  ])("%j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
    expect(wordPlaces(text).map(({ word }) => word)).toEqual(words);
  });

  test("stand where their places say", () => {
    const text = "An apple, don't!";
    expect(wordPlaces(text).map(({ start, end }) => text.slice(start, end))).toEqual(["An", "apple", "don't"]);
  });
});
