import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dateTimeInJson, dateTimeInXml, fromEpoch, parseDateTime, toEpoch } from "../../src/documents/date-time.ts";

describe("is the same moment", () => {
  test.each([
    ["2024-03-05T10:11:12.345Z", "2024-03-05T10:11:12.345Z"],
    ["2024-03-05T10:11:12.345+00:00", "2024-03-05T10:11:12.345Z"],
    ["2024-03-05T10:11:12.345+0000", "2024-03-05T10:11:12.345Z"],
    ["2024-03-05T10:11:12.345-0000", "2024-03-05T10:11:12.345Z"],
    ["2024-03-05T10:11:12.345", "2024-03-05T10:11:12.345Z"],
    ["2024-03-05T10:11:12", "2024-03-05T10:11:12.000Z"],
    ["2024-03-05T10:11", "2024-03-05T10:11:00.000Z"],
    ["2024-03-05T10:11:12.3456789Z", "2024-03-05T10:11:12.345Z"],
    ["2024-03-05T10:11:12,3Z", "2024-03-05T10:11:12.300Z"],
    ["2024-03-05t10:11:12z", "2024-03-05T10:11:12.000Z"],
    ["2024-03-05T23:30:00-01:00", "2024-03-06T00:30:00.000Z"],
    ["2024-03-05T00:30:00+05:45", "2024-03-04T18:45:00.000Z"],
    ["2024-03-05T00:30:00+14", "2024-03-04T10:30:00.000Z"],
    ["2024-02-29T24:00:00Z", "2024-03-01T00:00:00.000Z"],
    ["1000-01-01T00:00:00Z", "1000-01-01T00:00:00.000Z"],
    ["0001-01-01T00:00:00", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("%s", (text, expected) => {
    expect(parseDateTime(text)).toBe(expected);
    expect(toEpoch(text)).toBe(Date.parse(expected));
  });
});

describe("is no date-time", () => {
  test.each([
    "",
    "now",
    "2024-03-05",
    "20240305T101112Z",
    "2024-3-5T10:11:12Z",
    "2024-00-05T10:11:12Z",
    "2024-13-05T10:11:12Z",
    "2024-02-30T10:11:12Z",
    "2023-02-29T10:11:12Z",
    "2024-03-00T10:11:12Z",
    "2024-03-05T24:00:01Z",
    "2024-03-05T25:00:00Z",
    "2024-03-05T10:60:00Z",
    "2024-03-05T10:11:60Z",
    "2024-03-05T10:11:12+15:00",
    "2024-03-05T10:11:12+01:60",
    "2024-03-05T10:11:12 +01:00",
    "2024-03-05T10:11:12+1:00",
    "2024-03-05 10:11:12Z",
    "+002024-03-05T10:11:12Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "1709633472345",
  ])("%j", (text) => {
    expect(parseDateTime(text)).toBeUndefined();
    expect(toEpoch(text)).toBeNaN();
  });
});

test("every moment comes back from XML and from JSON", () => {
  const moment = fc.integer({ min: Date.parse("0001-01-01T00:00:00Z"), max: Date.parse("9999-12-31T23:59:59.999Z") });
  fc.assert(
    fc.property(moment, (epoch) => {
      const text = fromEpoch(epoch);
      expect(toEpoch(text)).toBe(epoch);
      expect(toEpoch(dateTimeInXml(text))).toBe(epoch);
      expect(toEpoch(dateTimeInJson(text))).toBe(epoch);
    }),
  );
});

test("an absent moment stays absent", () => {
  expect([fromEpoch(undefined), fromEpoch(null)]).toEqual([undefined, undefined]);
});
