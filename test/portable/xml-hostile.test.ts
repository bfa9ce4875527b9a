import { describe, expect, test } from "vitest";
import { type AnyDocument, attribute, document, list, object, text } from "../../src/documents/declare.ts";
import { readXml } from "../../src/documents/read-xml.ts";
import type { KinoraError } from "../../src/errors.ts";

const Node = object("NodeType", {
  name: attribute(text()),
  note: text(),
  get node() {
    return list(Node);
  },
});
const TreeDocument: AnyDocument = document("TreeDocument", Node);

function refusal(source: string | Uint8Array, options: Parameters<typeof readXml>[2] = {}): KinoraError {
  try {
    readXml(TreeDocument, source, options);
  } catch (error) {
    return error as KinoraError;
  }
  throw new Error("It was accepted");
}

const nested = (depth: number): string => `${"<node>".repeat(depth)}${"</node>".repeat(depth)}`;
const tree = (inner: string): string => `<TreeDocument>${inner}</TreeDocument>`;
const manyAttributes = (count: number): string => tree('<node name="x"/>'.repeat(count));

describe("is refused with its place", () => {
  test.each([
    ["a document type", '<!DOCTYPE TreeDocument SYSTEM "http://x/y.dtd"><TreeDocument/>', "type declaration", 1, 47],
    [
      "a billion laughs",
      '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>\n<TreeDocument><note>&b;</note></TreeDocument>',
      "type declaration",
      1,
      54,
    ],
    [
      "an external entity",
      '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>\n<TreeDocument><note>&f;</note></TreeDocument>',
      "type declaration",
      2,
      54,
    ],
    ["a document type that never ends", "<!DOCTYPE x [<!ENTITY a 'b'", "root element", 1, 27],
    ["an undeclared entity", "<TreeDocument>\n <note>&foo;</note></TreeDocument>", "undefined entity", 2, 12],
    ["an entity called like a property", tree("<note>&constructor;</note>"), "undefined entity", 1, 33],
    ["an entity called __proto__", tree("<note>&__proto__;</note>"), "undefined entity", 1, 31],
    ["a reference to NUL", tree("<note>&#0;</note>"), "malformed character entity", 1, 24],
    ["a reference to a surrogate", tree("<note>&#xD800;</note>"), "malformed character entity", 1, 28],
    ["a reference beyond Unicode", tree("<note>&#x110000;</note>"), "malformed character entity", 1, 30],
    ["NUL", tree("\n<note>a\0b</note>"), "does not allow", 2, 8],
    ["a control character", tree("<note>\u0008</note>"), "does not allow", 1, 21],
    ["an unpaired surrogate", tree("<note>\ud800</note>"), "does not allow", 1, 21],
    ["surrogates in the wrong order", tree("<note>\udc00\ud800</note>"), "does not allow", 1, 21],
    ["U+FFFE", tree("<note>\ufffe</note>"), "does not allow", 1, 21],
    ["nothing", "", "root element", 1, 1],
    ["blanks", " \n ", "root element", 2, 1],
    ["a text", "hello", "text data outside of root", 1, 5],
    ["JSON", '{"name":"x"}', "text data outside of root", 1, 12],
    ["a second root", "<TreeDocument/><TreeDocument/>", "only one root", 1, 29],
    ["text behind the root", "<TreeDocument/>x", "text data outside of root", 1, 16],
    ["the end in a start tag", "<TreeDocument>\n<no", "unclosed tag", 2, 3],
    ["the end in a text", "<TreeDocument><note>abc", "unclosed tag: note", 1, 23],
    ["the end in an attribute", '<TreeDocument><node name="x', "unclosed tag", 1, 27],
    ["the end in an entity", "<TreeDocument><note>a &am", "unclosed tag", 1, 25],
    ["the end in a comment", "<TreeDocument><!-- ", "unclosed tag", 1, 19],
    ["the end in CDATA", "<TreeDocument><note><![CDATA[ ]]", "unclosed tag", 1, 32],
    ["crossed tags", "<TreeDocument><node><note></node></note></TreeDocument>", "unexpected close tag", 1, 33],
    ["an attribute twice", tree('<node name="a" name="b"/>'), "duplicate attribute", 1, 39],
    ["an attribute without quotes", tree("<node name=a/>"), "unquoted attribute", 1, 26],
    ["a less-than sign in an attribute", tree('<node name="<"/>'), "disallowed character", 1, 27],
    ["]]> in a text", tree("<note>]]></note>"), "disallowed in char data", 1, 23],
    ["a prefix that is not bound", "<x:TreeDocument/>", "unbound namespace prefix", 1, 17],
    ["a declaration that is not first", ' <?xml version="1.0"?><TreeDocument/>', "start of the document", 1, 7],
    ["a foreign namespace", '<TreeDocument xmlns="urn:other"/>', "namespace", 1, 33],
    ["a processing instruction called xml", tree('<?xml version="1.0"?>'), "start of the document", 1, 20],
  ])("%s", (_, source, problem, line, column) => {
    const { code, status, message } = refusal(source);
    expect(code).toBe("invalid-xml");
    expect(status).toBe(400);
    expect(message).toContain(problem);
    expect(message).toMatch(new RegExp(`\\(line ${line}, column ${column}\\)$`));
  });
});

describe("each bound is held", () => {
  test.each([
    ["depth 64", tree(nested(63)), tree(nested(64)), {}],
    ["10,000 attributes", manyAttributes(10_000), manyAttributes(10_001), {}],
    ["a depth of one's own", tree(nested(2)), tree(nested(3)), { depth: 3 }],
    ["attributes of one's own", manyAttributes(3), manyAttributes(4), { attributes: 3 }],
    ["nodes of one's own", tree("<node/>".repeat(9)), tree("<node/>".repeat(10)), { nodes: 10 }],
    ["texts count as nodes", tree("<note>x</note>"), tree("<note>x</note> "), { nodes: 3 }],
    ["attributes count as nodes", tree('<node name=""/>'), tree('<node name="" />x'), { nodes: 3 }],
  ])("%s", (_, within, beyond, options) => {
    expect(() => readXml(TreeDocument, within, options)).not.toThrow();
    expect(refusal(beyond, options)).toMatchObject({
      code: "invalid-xml",
      message: expect.stringMatching(/more than/),
    });
  });

  test("1,000,000 nodes", () => {
    const { message } = refusal(tree("<node/>".repeat(1_000_000)));
    expect(message).toMatch(/more than 1000000 nodes/);
  });

  test("100,000 attributes of one element", () => {
    const attributes = Array.from({ length: 100_000 }, (_, index) => `a${index}=""`).join(" ");
    expect(refusal(tree(`<node ${attributes}/>`)).message).toMatch(/more than 10000 attributes/);
  });

  test("100,000 levels", () => {
    expect(refusal("<TreeDocument>".repeat(100_000)).message).toMatch(/not known|deep/);
    expect(refusal(tree(nested(100_000))).message).toMatch(/nested more than 64 deep/);
  });

  test("16 MiB, before anything is read", () => {
    const blank = new Uint8Array(16 * 1024 * 1024 + 1).fill(0x20);
    expect(refusal(blank)).toMatchObject({ code: "too-large", status: 413 });
    expect(refusal("     ", { size: 4 })).toMatchObject({ code: "too-large" });
  });
});
