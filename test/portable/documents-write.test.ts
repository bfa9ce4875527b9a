import { describe, expect, test } from "vitest";
import {
  attribute,
  boolean,
  content,
  dateTime,
  document,
  double,
  list,
  long,
  object,
  others,
  text,
} from "../../src/documents/declare.ts";
import { readXml } from "../../src/documents/read-xml.ts";
import { writeJson } from "../../src/documents/write-json.ts";
import { writeXml } from "../../src/documents/write-xml.ts";
import { xsd } from "../../src/documents/xsd.ts";
import * as samples from "./documents-samples.ts";

const prolog = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

const SampleDocument = document("SampleDocument", {
  id: attribute(text()),
  name: text(),
  "merged-access": object({ allowed: text(), size: long(), on: boolean() }),
  value: list({ lang: attribute(text()), value: content() }),
  when: dateTime(),
  ratio: double(),
  tag: list(text()).jsonEmptyList(),
  alias: list(text()),
});

describe("a value is written", () => {
  test.each([
    ["nothing", {}, "", '{"tag":[]}'],
    [
      "in declared order, whatever its own",
      { name: "b", id: "a" },
      ' id="a"><name>b</name>',
      '{"id":"a","name":"b","tag":[]}',
    ],
    [
      "a type with a dash",
      { "merged-access": { allowed: "100", size: 3, on: false } },
      "><merged-access><allowed>100</allowed><size>3</size><on>false</on></merged-access>",
      '{"merged-access":{"allowed":"100","size":3,"on":false},"tag":[]}',
    ],
    [
      "text with attributes",
      { value: [{ value: "x", lang: "sv" }, { value: "y" }, {}] },
      '><value lang="sv">x</value><value>y</value><value/>',
      '{"value":[{"lang":"sv","value":"x"},{"value":"y"},{}],"tag":[]}',
    ],
    [
      "a date-time",
      { when: "2024-03-05T10:11:12.345Z" },
      "><when>2024-03-05T10:11:12.345+00:00</when>",
      '{"when":"2024-03-05T10:11:12.345+0000","tag":[]}',
    ],
    [
      "a date-time with an offset",
      { when: "2024-03-05T10:11:12.345+0130" },
      "><when>2024-03-05T10:11:12.345+01:30</when>",
      '{"when":"2024-03-05T10:11:12.345+0130","tag":[]}',
    ],
    [
      "a date-time with an offset and a colon",
      { when: "2024-03-05T10:11:12-01:30" },
      "><when>2024-03-05T10:11:12-01:30</when>",
      '{"when":"2024-03-05T10:11:12-0130","tag":[]}',
    ],
    [
      "lists, also of one",
      { tag: ["a"], alias: ["b"] },
      "><tag>a</tag><alias>b</alias>",
      '{"tag":["a"],"alias":["b"]}',
    ],
    ["empty lists", { tag: [], alias: [] }, "", '{"tag":[]}'],
    [
      "large numbers exactly",
      { "merged-access": { size: 2n ** 63n - 1n } },
      "><merged-access><size>9223372036854775807</size></merged-access>",
      '{"merged-access":{"size":9223372036854775807},"tag":[]}',
    ],
    ["infinite numbers", { ratio: Number.POSITIVE_INFINITY }, "><ratio>INF</ratio>", '{"ratio":"INF","tag":[]}'],
    [
      "markup as text",
      { name: `<a href="x">'&amp;'</a>]]>` },
      `><name>&lt;a href="x"&gt;'&amp;amp;'&lt;/a&gt;]]&gt;</name>`,
      `{"name":"<a href=\\"x\\">'&amp;'</a>]]>","tag":[]}`,
    ],
    [
      "blanks",
      { name: " \t\n\r ", id: "\t\n\r\"'" },
      ` id="&#9;&#10;&#13;&quot;'"><name> \t\n&#13; </name>`,
      '{"id":"\\t\\n\\r\\"\'","name":" \\t\\n\\r ","tag":[]}',
    ],
    [
      "what XML cannot hold as U+FFFD",
      { name: "a\0\u001fb\ud800c\uffff", id: "\0" },
      ' id="\ufffd"><name>a\ufffd\ufffdb\ufffdc\ufffd</name>',
      '{"id":"\\u0000","name":"a\\u0000\\u001fb\\ud800c\uffff","tag":[]}',
    ],
    ["text beyond the basic plane", { name: "𝄞å" }, "><name>𝄞å</name>", '{"name":"𝄞å","tag":[]}'],
  ])("%s", (_, value, xml, json) => {
    const inner = xml === "" ? "/>" : `${xml}</SampleDocument>`;
    expect(writeXml(SampleDocument, value, "urn:x")).toBe(`${prolog}<SampleDocument xmlns="urn:x"${inner}`);
    expect(writeJson(SampleDocument, value)).toBe(json);
  });

  test("in no namespace, and in one with quotes in it", () => {
    expect(writeXml(SampleDocument, {}, "")).toBe(`${prolog}<SampleDocument/>`);
    expect(writeXml(SampleDocument, {}, 'a"&')).toBe(`${prolog}<SampleDocument xmlns="a&quot;&amp;"/>`);
  });

  test("the members of JSON alone, and open elements beside others", () => {
    expect(writeXml(samples.SearchDocument, samples.search, "")).toContain(
      '<count fieldValue="video">9007199254740993</count><range start="0">3</range><range start="4"/>',
    );
    expect(writeJson(samples.SearchDocument, samples.search)).toContain(
      '"count":[{"fieldValue":"video","value":9007199254740993,"count":9007199254740993}]',
    );
    expect(writeJson(samples.TerseListDocument, samples.terseList)).toBe(
      '{"item":[{"id":"VX-1","title":[{"value":"x"},{"value":"y"}]},{"id":"VX-2"}]}',
    );
  });

  test("never with a name that is none", () => {
    const value = { item: [{ id: "VX-1", fields: { "a><b": [{ value: "x" }] } }] };
    expect(() => writeXml(samples.TerseListDocument, value, "")).toThrow(/cannot be the name of an XML element/);
  });

  test("a document of the reference as it stands in its guide", () => {
    const xml = writeXml(samples.MetadataDocument, samples.metadata, "http://xml.vidispine.com/schema/vidispine");
    expect(xml).toContain(
      '<MetadataDocument xmlns="http://xml.vidispine.com/schema/vidispine"><revision>VX-41,VX-44</revision>',
    );
    expect(xml).toContain('<value mode="remove" lang="sv_SE"/>');
    expect(readXml(samples.MetadataDocument, xml)).toEqual(samples.metadata);
  });
});

describe("a declaration that makes no sense is a defect, told on first use", () => {
  const use = (members: object) => () => writeXml(document("XDocument", members), {} as never, "");
  test.each([
    ["two texts", use({ a: content(), b: content() }), 'two members with the place "content"'],
    ["text and elements", use({ a: content(), b: text() }), "both text content and child elements"],
    ["a list as attribute", use({ a: attribute(list(text()) as never) }), "cannot be attribute"],
    ["a list of lists", use({ a: list(list(text())) }), "list of lists"],
    ["a member that is not declared", use({ a: { b: text() } }), "a that is not declared"],
    ["a name that every object has", use({ constructor: text() }), "cannot have a member called constructor"],
    ["open elements twice", use({ a: others(text()), b: others(text()) }), 'two members with the place "others"'],
  ])("%s", (_, used, problem) => {
    expect(used).toThrow(problem);
  });

  test("what is required and read-only, told at once", () => {
    expect(() => text().required().readOnly()).toThrow("A required member cannot be read-only");
    expect(() => text().readOnly().required()).toThrow("A read-only member cannot be required");
  });

  test("two types of one name in a schema", () => {
    const one = document("ADocument", { x: object("SameType", { a: text() }) });
    const other = document("BDocument", { x: object("SameType", { b: text() }) });
    expect(() => xsd([one, other], "")).toThrow("Two types are called SameType");
  });
});
