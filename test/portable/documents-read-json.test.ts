import { describe, expect, test } from "vitest";
import {
  anyMap,
  attribute,
  boolean,
  content,
  dateTime,
  document,
  double,
  int,
  list,
  long,
  object,
  oneOf,
  text,
} from "../../src/documents/declare.ts";
import { readJson } from "../../src/documents/read-json.ts";
import * as samples from "./documents-samples.ts";

const Part = object("PartType", {
  key: text(),
  get part() {
    return list(Part);
  },
});

const SampleDocument = document("SampleDocument", {
  id: attribute(text()),
  name: text(),
  count: int(),
  size: long(),
  ratio: double(),
  on: boolean(),
  when: dateTime(),
  state: oneOf("ON", "OFF"),
  tag: list(text()),
  value: list({ lang: attribute(text()), value: content() }),
  part: Part,
  terse: anyMap(text()),
  usage: long().readOnly(),
});

describe("a JSON document means", () => {
  test.each([
    ["nothing when it is empty", " {\r\n} ", {}],
    ["attributes and elements side by side", '{"id":"1","name":"a"}', { id: "1", name: "a" }],
    [
      "text with attributes under the key value",
      '{"value":[{"lang":"sv","value":"å"},{"value":""},{"lang":"en"}]}',
      { value: [{ lang: "sv", value: "å" }, { value: "" }, { lang: "en" }] },
    ],
    ["numbers for text, as they were written", '{"name":1.50,"tag":[1,true]}', { name: "1.50", tag: ["1", "true"] }],
    ["texts for numbers", '{"count":"12","size":" 7 ","ratio":"1.5"}', { count: 12, size: 7, ratio: 1.5 }],
    [
      "texts and numbers for booleans",
      '[{"on":"True"},{"on":0},{"on":"yes"}]',
      [{ on: true }, { on: false }, { on: true }],
    ],
    ["whole numbers in any writing", '{"count":1e3,"size":12.0}', { count: 1000, size: 12 }],
    ["large numbers exactly", '{"size":9007199254740993}', { size: 9007199254740993n }],
    ["infinite numbers as text", '{"ratio":"INF"}', { ratio: Number.POSITIVE_INFINITY }],
    [
      "date-times in all three writings",
      '[{"when":"2024-03-05T10:11:12.345+0000"},{"when":"2024-03-05T12:11:12.345+02:00"},{"when":"2024-03-05T10:11:12.345Z"}]',
      [1, 2, 3].map(() => ({ when: "2024-03-05T10:11:12.345Z" })),
    ],
    ["null as absent", '{"name":null,"tag":null,"part":null,"count":null}', {}],
    ["empty lists as absent", '{"tag":[],"terse":{"a":[]}}', { terse: {} }],
    [
      "every escape",
      String.raw`{"name":"\"\\\/\b\f\n\r\tA\ud834\udd1e"}`.replace(String.raw`\b\f`, ""),
      { name: '"\\/\n\r\tA𝄞' },
    ],
    [
      "elements of any name",
      '{"terse":{"title":["a"],"__proto__":["b"]}}',
      {
        terse: Object.fromEntries([
          ["title", ["a"]],
          ["__proto__", ["b"]],
        ]),
      },
    ],
    ["read-only members dropped, whatever they hold", '{"usage":{"a":[1,{"a":null}]},"name":"x"}', { name: "x" }],
    ["types in themselves", '{"part":{"part":[{"key":"a"},{}]}}', { part: { part: [{ key: "a" }, {}] } }],
    ["the same behind a byte order mark", '\ufeff{"name":"a"}', { name: "a" }],
  ])("%s", (_, source, value) => {
    const parts = source.startsWith("[")
      ? (JSON.parse(source) as unknown[]).map((part) => JSON.stringify(part))
      : [source];
    const read = parts.map((part) => readJson(SampleDocument, part));
    expect(source.startsWith("[") ? read : read[0]).toEqual(value);
  });

  test("the same in bytes", () => {
    expect(readJson(SampleDocument, new TextEncoder().encode('{"name":"å𝄞"}'))).toEqual({ name: "å𝄞" });
  });
});

describe("what is wrong in a JSON document is told with its place", () => {
  test.each([
    ["nothing", "", "invalid-json", "SampleDocument must be an object", 1, 1],
    ["an array", "[]", "invalid-json", "SampleDocument must be an object", 1, 1],
    ["null", "null", "invalid-json", "SampleDocument must be an object", 1, 1],
    ["XML", "<SampleDocument/>", "invalid-json", "SampleDocument must be an object", 1, 1],
    ["a cut-off object", '{"name":"a"', "invalid-json", "ends too early", 1, 12],
    ["a cut-off string", '{"name":"a', "invalid-json", "ends too early", 1, 11],
    ["a cut-off word", '{"on":tru', "invalid-json", 'character "t"', 1, 7],
    ["more behind the end", '{"name":"a"}\n x', "invalid-json", 'character "x"', 2, 2],
    ["a comma at the end", '{"name":"a",}', "invalid-json", 'character "}"', 1, 13],
    ["a comma at the end of an array", '{"tag":["a",]}', "invalid-json", 'character "]"', 1, 13],
    ["single quotes", "{'name':1}", "invalid-json", `character "'"`, 1, 2],
    ["a comment", '{/*x*/"name":"a"}', "invalid-json", 'character "/"', 1, 2],
    ["a key without quotes", "{name:1}", "invalid-json", 'character "n"', 1, 2],
    ["a key without a value", '{"name"}', "invalid-json", 'character "}"', 1, 8],
    ["a number with a zero in front", '{"count":012}', "invalid-json", 'character "1"', 1, 11],
    ["a hexadecimal number", '{"count":0x12}', "invalid-json", 'character "x"', 1, 11],
    ["NaN", '{"ratio":NaN}', "invalid-json", 'character "N"', 1, 10],
    ["a line end in a string", '{"name":"a\nb"}', "invalid-json", "cannot stand here", 1, 11],
    ["a wrong escape", String.raw`{"name":"\x41"}`, "invalid-json", String.raw`character "\\"`, 1, 10],
    ["a short escape", String.raw`{"name":"\u12"}`, "invalid-json", "cannot stand here", 1, 10],
    [
      "an unknown key",
      '{\n "nmae": 1}',
      "unknown-element",
      'The key "nmae" is not known in SampleDocument; did you mean name?',
      2,
      2,
    ],
    ["a key of every object", '{"__proto__": {"name": "a"}}', "unknown-element", 'The key "__proto__"', 1, 2],
    [
      "a key twice",
      '{"name":"a",\n"name":"b"}',
      "invalid-input",
      'The key "name" stands twice in SampleDocument',
      2,
      1,
    ],
    ["a key twice that is read-only", '{"usage":1,"usage":2}', "invalid-input", 'The key "usage" stands twice', 1, 12],
    [
      "a key twice in an element of any names",
      '{"terse":{"a":["b"],"a":["c"]}}',
      "invalid-input",
      'The key "a" stands twice in terse',
      1,
      21,
    ],
    [
      "one value in place of a list",
      '{"tag":"a"}',
      "invalid-input",
      "tag in SampleDocument is repeatable and must be an array",
      1,
      8,
    ],
    [
      "a list in place of one value",
      '{"name":["a"]}',
      "invalid-input",
      "name in SampleDocument must be a single value, not an array",
      1,
      9,
    ],
    [
      "an object in place of a text",
      '{"name":{"a":"b"}}',
      "invalid-input",
      "must be a single value, not an object",
      1,
      9,
    ],
    [
      "null in a list",
      '{"tag":["a",null]}',
      "invalid-input",
      "tag in SampleDocument must be a single value, not null",
      1,
      13,
    ],
    ["a text in place of an object", '{"part":"a"}', "invalid-json", "part must be an object", 1, 9],
    [
      "a fraction",
      '{"count":1.5}',
      "invalid-value",
      'count in SampleDocument must be a whole number of at most 32 bits, not "1.5"',
      1,
      10,
    ],
    ["more than 64 bits", '{"size":1e30}', "invalid-value", "at most 64 bits", 1, 9],
    ["a number for a date-time", '{"when":1709633472345}', "invalid-value", "a date-time like", 1, 9],
    ["a word that is none of the list", '{"state":"on"}', "invalid-value", "one of ON, OFF", 1, 10],
    [
      "a character that XML cannot hold",
      String.raw`{"name":"a\u0000"}`,
      "invalid-input",
      "has the character U+0000",
      1,
      9,
    ],
    ["an unpaired surrogate", String.raw`{"tag":["\ud800"]}`, "invalid-input", "has the character U+D800", 1, 9],
  ])("%s", (_, source, code, problem, line, column) => {
    expect(() => readJson(SampleDocument, source)).toThrow(
      expect.objectContaining({ code, status: 400, message: expect.stringContaining(problem) }),
    );
    expect(() => readJson(SampleDocument, source)).toThrow(`(line ${line}, column ${column})`);
  });

  test.each([
    ["a missing member", '{"user":"a","resource":[{"name":"item"}]}', "resource must have limit"],
    [
      "two of a choice",
      '{"user":"a","group":"b","resource":[{"name":"item","limit":1}]}',
      "only one of user and group",
    ],
    ["an empty list that needs an entry", '{"user":"a","resource":[]}', "must have resource"],
  ])("%s", (_, source, problem) => {
    expect(() => readJson(samples.QuotaRuleDocument, source)).toThrow(problem);
  });
});

describe("each bound is held", () => {
  const nested = (depth: number): string => `{"part":${'{"part":['.repeat(depth)}${"]}".repeat(depth)}}`;
  test("depth: an element is two levels when it is repeated", () => {
    expect(() => readJson(SampleDocument, nested(63))).not.toThrow();
    expect(() => readJson(SampleDocument, nested(64))).toThrow(/nested more than 128 deep/);
    expect(() => readJson(SampleDocument, nested(100_000))).toThrow(/nested more than 128 deep/);
  });

  test("depth of what is dropped", () => {
    expect(() => readJson(SampleDocument, `{"usage":${"[".repeat(100_000)}`)).toThrow(/nested more than 128 deep/);
  });

  test("entries", () => {
    const tags = (count: number): string => JSON.stringify({ tag: Array.from({ length: count }, () => "") });
    expect(() => readJson(SampleDocument, tags(9), { nodes: 10 })).not.toThrow();
    expect(() => readJson(SampleDocument, tags(10), { nodes: 10 })).toThrow(/more than 10 entries/);
  });

  test("size", () => {
    expect(() => readJson(SampleDocument, '{"name":"abc"}', { size: 13 })).toThrow(
      expect.objectContaining({ code: "too-large", status: 413 }),
    );
  });
});
