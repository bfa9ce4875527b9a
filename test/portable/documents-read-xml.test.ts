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
  oneOf,
  text,
} from "../../src/documents/declare.ts";
import { readXml } from "../../src/documents/read-xml.ts";
import { writeXml } from "../../src/documents/write-xml.ts";
import * as samples from "./documents-samples.ts";

const SampleDocument = document("SampleDocument", {
  id: attribute(text()),
  enabled: attribute(boolean()),
  stamp: attribute(text()).readOnly(),
  name: text(),
  count: int(),
  size: long(),
  ratio: double(),
  on: boolean(),
  when: dateTime(),
  state: oneOf("ON", "IN QUEUE"),
  value: list({ lang: attribute(text()), value: content() }),
  limit: list({ at: attribute(text()), value: content(int()) }),
  part: list({ key: text().required() }),
  terse: anyMap(text()),
  usage: long().readOnly(),
  owner: list({ name: text() }).readOnly(),
});

const sample = (inner: string, attributes = ""): string => `<SampleDocument${attributes}>${inner}</SampleDocument>`;

describe("an XML document means", () => {
  test.each([
    ["nothing when it is empty", "<SampleDocument/>", {}],
    ["elements in any order", sample("<size>2</size><name>a</name><count>1</count>"), { name: "a", count: 1, size: 2 }],
    [
      "lists whose entries need not stand together",
      sample("<value>a</value><name>n</name><value>b</value>"),
      { name: "n", value: [{ value: "a" }, { value: "b" }] },
    ],
    ["text as it stands", sample("<name> a\n  b </name>"), { name: " a\n  b " }],
    [
      "text around comments, CDATA and references",
      sample("<name>a<!-- x --><![CDATA[<b>&amp;]]>&lt;&#x41;&quot;&apos;</name>"),
      { name: "a<b>&amp;<A\"'" },
    ],
    ["line ends as XML counts them", sample("<name>a\r\nb\rc&#13;</name>"), { name: "a\nb\nc\r" }],
    ["the empty text", sample("<name/><value/>"), { name: "", value: [{ value: "" }] }],
    [
      "numbers with blanks around",
      sample("<count> 12\n</count><ratio>\t1.5e3 </ratio><size>+7</size>"),
      { count: 12, ratio: 1500, size: 7 },
    ],
    [
      "numbers at their bounds",
      sample("<count>-2147483648</count><size>-9223372036854775808</size>"),
      { count: -2147483648, size: -9223372036854775808n },
    ],
    ["large numbers exactly", sample("<size>9007199254740993</size>"), { size: 9007199254740993n }],
    ["safe numbers plainly", sample("<size>9007199254740991</size>"), { size: 9007199254740991 }],
    ["infinite numbers", sample("<ratio>-INF</ratio>"), { ratio: Number.NEGATIVE_INFINITY }],
    ["booleans in any letter case", sample("<on>True</on>", ' enabled="0"'), { on: true, enabled: false }],
    ["booleans as words", sample("<on>yes</on>", ' enabled=" NO "'), { on: true, enabled: false }],
    ["a date-time with Z", sample("<when>2024-03-05T10:11:12.345Z</when>"), { when: "2024-03-05T10:11:12.345Z" }],
    [
      "a date-time with an offset",
      sample("<when>2024-03-05T10:11:12+02:00</when>"),
      { when: "2024-03-05T08:11:12.000Z" },
    ],
    [
      "a date-time with an offset without colon",
      sample("<when>2024-03-05T10:11:12.3+0000</when>"),
      { when: "2024-03-05T10:11:12.300Z" },
    ],
    ["words of a list", sample("<state> IN QUEUE </state>"), { state: "IN QUEUE" }],
    ["absent text of a number", sample('<limit at="x"/><limit> 3 </limit>'), { limit: [{ at: "x" }, { value: 3 }] }],
    [
      "elements of any name",
      sample("<terse><title>a</title><title>b</title><x_y>c</x_y></terse>"),
      { terse: { title: ["a", "b"], x_y: ["c"] } },
    ],
    [
      "elements of any name and nothing else",
      sample("<terse><__proto__>a</__proto__><constructor>b</constructor></terse>"),
      {
        terse: Object.fromEntries([
          ["__proto__", ["a"]],
          ["constructor", ["b"]],
        ]),
      },
    ],
    [
      "read-only members dropped, whatever they hold",
      sample("<name>a</name><usage>x<y z='1'/></usage><owner><b xmlns='urn:x'/></owner>", " stamp='1'"),
      { name: "a" },
    ],
    [
      "nil elements as absent ones",
      sample(
        '<count xsi:nil="true"/><name xsi:nil="false">a</name>',
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"',
      ),
      { name: "a" },
    ],
    ["xml attributes as nothing", sample("<name xml:space='preserve'> </name>", " xml:lang='en'"), { name: " " }],
    [
      "the same in the reference's namespace",
      sample("<name>a</name>", ' xmlns="http://xml.vidispine.com/schema/vidispine" id="1"'),
      { name: "a", id: "1" },
    ],
    [
      "the same in the configured namespace",
      sample("<name>a</name>", ' xmlns="urn:kinora:schema:media-asset"'),
      { name: "a" },
    ],
    [
      "the same with prefixes",
      '<k:SampleDocument xmlns:k="urn:kinora:schema:media-asset" id="1"><k:name>a</k:name></k:SampleDocument>',
      { id: "1", name: "a" },
    ],
    [
      "the same with namespaces mixed",
      '<SampleDocument><name xmlns="urn:kinora:schema:media-asset">a</name></SampleDocument>',
      { name: "a" },
    ],
    [
      "the same behind a prolog",
      '\ufeff<?xml version="1.0" standalone="yes"?>\n<!-- x --><?style y?><SampleDocument/>\n<!-- z -->',
      {},
    ],
    ["the same when it says XML 1.1", '<?xml version="1.1"?><SampleDocument/>', {}],
  ])("%s", (_, source, value) => {
    expect(readXml(SampleDocument, source)).toEqual(value);
  });

  test("nothing in a namespace that was configured before", () => {
    const source = '<SampleDocument xmlns="urn:mine"/>';
    expect(readXml(SampleDocument, source, { namespace: "urn:mine" })).toEqual({});
    expect(() => readXml(SampleDocument, source, { namespace: "urn:other" })).toThrow(/"urn:mine", which is not known/);
  });

  test("the same under any root where the route says so", () => {
    expect(readXml(SampleDocument, "<Whatever><name>a</name></Whatever>", { anyRoot: true })).toEqual({ name: "a" });
  });
});

describe("what is wrong in an XML document is told with its place", () => {
  test.each([
    [
      "another root",
      "<SampelDocument/>",
      "unknown-element",
      'The root must be SampleDocument, not "SampelDocument"',
      1,
      17,
    ],
    [
      "a misspelt element",
      sample("\n  <nmae>x</nmae>"),
      "unknown-element",
      'The element "nmae" is not known in SampleDocument; did you mean name?',
      2,
      8,
    ],
    [
      "an element nobody knows",
      sample("<quux/>"),
      "unknown-element",
      'The element "quux" is not known in SampleDocument',
      1,
      23,
    ],
    [
      "a misspelt attribute",
      sample("", ' ide="1"'),
      "unknown-element",
      'The attribute "ide" is not known in SampleDocument; did you mean id?',
      1,
      24,
    ],
    [
      "an attribute in a namespace",
      sample("", ' xmlns:k="urn:kinora:schema:media-asset" k:id="1"'),
      "unknown-element",
      'The attribute "id"',
      1,
      65,
    ],
    [
      "an attribute of a plain element",
      sample('<name lang="sv">x</name>'),
      "unknown-element",
      'The attribute "lang" is not known in name',
      1,
      32,
    ],
    [
      "an element in a plain element",
      sample("<name><b>x</b></name>"),
      "unknown-element",
      'The element "b" is not known in name',
      1,
      25,
    ],
    [
      "an element beside text",
      sample("<value>a<b/></value>"),
      "unknown-element",
      'The element "b" is not known in value',
      1,
      28,
    ],
    [
      "text beside elements",
      sample("<count>1</count> and"),
      "invalid-input",
      'SampleDocument cannot have text beside its elements: "and"',
      1,
      37,
    ],
    [
      "text in an element of any names",
      sample("<terse>x</terse>"),
      "invalid-input",
      'terse cannot have text beside its elements: "x"',
      1,
      25,
    ],
    [
      "an element twice",
      sample("<name>a</name>\n<name>b</name>"),
      "invalid-input",
      "SampleDocument has name more than once",
      2,
      6,
    ],
    [
      "a fraction",
      sample("<count>1.5</count>"),
      "invalid-value",
      'count in SampleDocument must be a whole number of at most 32 bits, not "1.5"',
      1,
      34,
    ],
    ["more than 32 bits", sample("<count>2147483648</count>"), "invalid-value", "at most 32 bits", 1, 41],
    ["more than 64 bits", sample("<size>9223372036854775808</size>"), "invalid-value", "at most 64 bits", 1, 48],
    ["no number", sample("<ratio>1,5</ratio>"), "invalid-value", "a number", 1, 34],
    ["a number beyond all bounds", sample("<ratio>1e999</ratio>"), "invalid-value", "a number", 1, 36],
    ["an empty number", sample("<count/>"), "invalid-value", 'not ""', 1, 24],
    ["no boolean", sample("<on>maybe</on>"), "invalid-value", "true or false", 1, 30],
    [
      "no boolean in an attribute",
      sample("", ' enabled="maybe"'),
      "invalid-value",
      'enabled in SampleDocument must be true or false, not "maybe"',
      1,
      32,
    ],
    ["no date-time", sample("<when>2024-02-30T00:00:00Z</when>"), "invalid-value", "a date-time like", 1, 49],
    [
      "a word that is none of the list",
      sample("<state>on</state>"),
      "invalid-value",
      'one of ON, IN QUEUE, not "on"',
      1,
      33,
    ],
    [
      "no number as text of an element",
      sample("<limit>x</limit>"),
      "invalid-value",
      "the text in limit must be a whole number",
      1,
      32,
    ],
    [
      "a long wrong value, cut",
      sample(`<on>${"x".repeat(500)}</on>`),
      "invalid-value",
      `"${"x".repeat(100)}…"`,
      1,
      525,
    ],
    ["a missing element", sample("<part></part>"), "invalid-input", "part must have key", 1, 29],
  ])("%s", (_, source, code, problem, line, column) => {
    expect(() => readXml(SampleDocument, source)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(problem) }),
    );
    expect(() => readXml(SampleDocument, source)).toThrow(`(line ${line}, column ${column})`);
  });

  test.each([
    ["neither of a choice", "<resource><name>item</name><limit>1</limit></resource>", "must have one of user, group"],
    [
      "two of a choice",
      "<user>a</user><group>b</group><resource><name>item</name><limit>1</limit></resource>",
      "only one of user and group",
    ],
    [
      "two of a choice that may be left out",
      "<user>a</user><library>a</library><collection>b</collection><resource><name>item</name><limit>1</limit></resource>",
      "only one of collection and library",
    ],
    ["no entry of a list that needs one", "<user>a</user>", "must have resource"],
  ])("%s", (_, inner, problem) => {
    expect(() => readXml(samples.QuotaRuleDocument, `<QuotaRuleDocument>${inner}</QuotaRuleDocument>`)).toThrow(
      problem,
    );
  });

  test.each([[1], [3]])("%i entries of a list that has two", (count) => {
    const source = `<SearchDocument><range>${"<value>1</value>".repeat(count)}</range></SearchDocument>`;
    expect(() => readXml(samples.SearchDocument, source)).toThrow(`range must have exactly 2 of value, not ${count}`);
  });
});

test.each([
  ["metadata", samples.MetadataDocument, samples.metadata],
  ["terse list", samples.TerseListDocument, samples.terseList],
])("a %s comes back as it was", (_, declared, value) => {
  expect(readXml(declared, writeXml(declared, value as never, ""))).toEqual(value);
});
