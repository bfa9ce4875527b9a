import { describe, expect, test } from "vitest";
import type { ItemSearch } from "../../src/assets/search/documents/item-search-document.ts";
import { makeSearchWorld, type SearchWorld, type WorldValue } from "./search-world.ts";

const items: readonly (readonly WorldValue[])[] = [
  [
    { field: "title", text: "Harbour at dawn" },
    { field: "keyword", text: "Boats" },
    { field: "keyword", text: "sea side" },
    { field: "count", text: "3" },
    { field: "day", text: "2024-03-05T10:11:12.345Z" },
    { field: "ok", text: "true" },
    { field: "tc", text: "300@PAL" },
    { field: "note", text: "quiet" },
  ],
  [
    { field: "title", text: "Dawn chorus at the harbour" },
    { field: "keyword", text: "boats" },
    { field: "count", text: "30" },
    { field: "day", text: "2024-04-01T00:00:00.000Z" },
    { field: "ok", text: "false" },
    { field: "tc", text: "12" },
    { field: "ratio", text: "-1.5" },
  ],
  [
    { field: "title", text: "Harbours' clip_0042.mxf, VX-12" },
    { field: "keyword", text: "What*?" },
    { field: "size", text: "9223372036854775807" },
    { field: "ratio", text: "0.1" },
    { field: "secret", text: "harbour" },
  ],
  [
    { field: "title", text: "Ærlig talt: 東京の港 CAFÉ" },
    { field: "code", text: "Case 'x' \"y\" % _ ; -- OR" },
    { field: "size", text: "-9223372036854775808" },
    { field: "day", text: "1999-12-31T23:59:59.999Z" },
    { field: "count", text: "0" },
  ],
];

async function world(): Promise<SearchWorld> {
  const made = await makeSearchWorld();
  for (const [index, values] of items.entries()) await made.put("item", index + 1, values);
  await made.put("collection", 5, [{ field: "title", text: "Harbour collection" }]);
  return made;
}

const field = (name: string, ...values: readonly string[]): ItemSearch => ({
  field: [{ name, value: values.map((value) => ({ value })) }],
});
const text = (...values: readonly string[]): ItemSearch => ({ text: values.map((value) => ({ value })) });
const syntax = (value: string): ItemSearch => ({ text: [{ value, noescape: true }] });
const range = (name: string, low: string, high: string, more: object = {}): ItemSearch => ({
  field: [{ name, range: [{ value: [{ value: low }, { value: high }], ...more }] }],
});

const cases: readonly (readonly [what: string, query: ItemSearch, serials: readonly number[]])[] = [
  ["an empty document finds everything, newest first", {}, [4, 3, 2, 1]],
  ["a word in any letter case", text("HARBOUR"), [2, 1]],
  ["any of several words", text("chorus talt"), [4, 2]],
  ["all of several texts", text("dawn", "harbour"), [2, 1]],
  ["several values of a field: any", field("keyword", "Boats", "boats"), [2, 1]],
  ["an exact value keeps its letter case", field("keyword", "Boats"), [1]],
  ["an exact value is found as a whole only", field("keyword", "sea"), []],
  ["words of exact values are in the full text", text("side"), [1]],
  ["an exact value with a space", field("keyword", "sea side"), [1]],
  ["a beginning of an exact value", field("keyword", "sea*"), [1]],
  ["a beginning keeps its letter case", field("keyword", "Boa*"), [1]],
  ["a beginning of a word", field("title", "HARB*"), [3, 2, 1]],
  ["the end of a word", field("title", "*bours"), [3]],
  ["the middle of a word", text("*hor*"), [2]],
  ["wildcards in an exact value", field("keyword", "*a*s"), [2, 1]],
  ["any value of a field", field("keyword", "*"), [3, 2, 1]],
  ["a field without value has any", { field: [{ name: "ratio" }] }, [3, 2]],
  ["an escaped wildcard is data", field("keyword", "What\\*?"), [3]],
  ["a question mark is data", field("keyword", "What?*"), []],
  [
    "a question mark with noescape is one character",
    { field: [{ name: "keyword", value: [{ value: "?oats", noescape: true }] }] },
    [2, 1],
  ],
  ["a phrase", field("title", '"at dawn"'), [1]],
  ["a phrase in the full text", text('"dawn chorus"'), [2]],
  ["a phrase does not go over two values", text('"boats sea"'), []],
  ["words that hang together are a phrase", text("VX-12"), [3]],
  ["and in another order are not", text("12-VX"), []],
  ["parts of a file name", text("0042"), [3]],
  ["an apostrophe at the end", text("harbours"), [3]],
  ["letters beyond ASCII", text("ærlig"), [4]],
  ["accents count", text("cafe"), []],
  ["accents in any letter case", text("café"), [4]],
  ["a language without spaces", text("東京"), [4]],
  ["and another order of it", text("京東"), []],
  ["fields without full text are not in it", text("quiet"), []],
  ["but are found by name", field("note", "quiet"), [1]],
  ["fields that are stored only are never found", field("secret", "harbour"), []],
  ["quotes and signs of SQL are data", field("code", "Case 'x' \"y\" % _ ; -- OR"), [4]],
  ["operators are data without noescape", text("dawn NOT harbour"), [2, 1]],
  ["quotation marks inside are data", text('a" OR "b'), []],
  ["signs of the index are data", text("title:harbour* ^2 {x} NEAR(a b)"), []],
  ["with noescape: AND", syntax("dawn AND chorus"), [2]],
  ["with noescape: NOT", syntax("dawn AND NOT chorus"), [1]],
  ["with noescape: minus", syntax("harbour -chorus"), [1]],
  ["with noescape: plus", syntax("+chorus harbour"), [2]],
  ["with noescape: parentheses", syntax("(chorus OR clip_0042) AND (harbour OR mxf)"), [3, 2]],
  ["with noescape: a phrase", syntax('"at dawn" OR talt'), [4, 1]],
  ["with noescape: one character", syntax("harbour?"), [3]],
  ["a number", field("count", "3"), [1]],
  ["a number in another form", field("count", "3.0"), [1]],
  ["zero", field("count", "0"), [4]],
  ["the largest long", field("size", "9223372036854775807"), [3]],
  ["its neighbour", field("size", "9223372036854775806"), []],
  ["a range of numbers", range("count", "0", "3"), [4, 1]],
  ["without its ends", range("count", "0", "30", { exclusiveMinimum: true, exclusiveMaximum: true }), [1]],
  ["an open range", range("count", "3", "*"), [2, 1]],
  [
    "open by an attribute",
    { field: [{ name: "count", range: [{ value: [{ value: "x", minimum: true }, { value: "3" }] }] }] },
    [4, 1],
  ],
  ["a range over zero", range("ratio", "-2", "1"), [3, 2]],
  ["a range of negative numbers", range("ratio", "-1.6", "-1.4"), [2]],
  ["a range of long numbers", range("size", "-9223372036854775808", "-1"), [4]],
  ["a range that is upside down", range("count", "5", "1"), []],
  ["a day", field("day", "2024-03-05"), [1]],
  ["a month", field("day", "2024-04"), [2]],
  ["a moment", field("day", "2024-03-05T10:11:12.345Z"), [1]],
  ["a moment in another zone", field("day", "2024-03-05T11:11:12.345+01:00"), [1]],
  ["plain dates from long ago", range("day", "1000-01-01", "2024-03-31"), [4, 1]],
  ["days with their ends", range("day", "2024-03-05", "2024-04-01"), [2, 1]],
  ["relative to now", range("day", "NOW-3YEARS", "NOW"), [2, 1]],
  ["true", field("ok", "TRUE"), [1]],
  ["false", field("ok", "no"), [2]],
  ["a time code in another time base", field("tc", "12"), [2, 1]],
  ["a range of time codes", range("tc", "299@PAL", "301@PAL"), [2, 1]],
  ["a range of exact text", range("keyword", "B", "C"), [1]],
  ["NOT", { operator: { operation: "NOT", text: [{ value: "harbour" }] } }, [4, 3]],
  [
    "NOT of several: none of them",
    { operator: { operation: "NOT", text: [{ value: "harbour" }, { value: "talt" }] } },
    [3],
  ],
  [
    "OR",
    { operator: { operation: "OR", field: [{ name: "count", value: [{ value: "3" }] }], text: [{ value: "talt" }] } },
    [4, 1],
  ],
  [
    "nested operators",
    {
      operator: {
        operation: "AND",
        text: [{ value: "harbour" }],
        operator: [{ operation: "NOT", field: [{ name: "ok", value: [{ value: "true" }] }] }],
      },
    },
    [2],
  ],
  ["operators without content", { operator: { operation: "OR" } }, [4, 3, 2, 1]],
  ["a filter", { filter: [{ name: "f", field: [{ name: "count", value: [{ value: "30" }] }] }] }, [2]],
  [
    "a filter with NOT",
    { filter: [{ operation: "NOT", field: [{ name: "count", value: [{ value: "30" }] }] }] },
    [4, 3, 1],
  ],
  ["a facet filter by value", { facetFilter: [{ field: "keyword", value: "What*?" }] }, [3]],
  ["a facet filter by range", { facetFilter: [{ field: "count", range: { start: "0", end: "30" } }] }, [4, 1]],
];

describe("a search finds", () => {
  test("what each kind of criterion asks for", async () => {
    const made = await world();
    const wrong: unknown[] = [];
    for (const [what, query, serials] of cases) {
      const found = await made.find(query);
      const expected = serials.map((serial) => `item ${serial}`);
      if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push({ what, found, expected });
    }
    expect(wrong).toEqual([]);
  });
});
