import { describe, expect, test } from "vitest";
import { decodeUtf8, decodeXml } from "../../src/xml/decode.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const singleBytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const bytes = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
const utf16 = (text: string, bigEndian: boolean): Uint8Array =>
  Uint8Array.from(
    text.split("").flatMap((unit) => {
      const code = unit.charCodeAt(0);
      return bigEndian ? [code >> 8, code & 0xff] : [code & 0xff, code >> 8];
    }),
  );
const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?><a>`;

describe("is read", () => {
  test.each([
    ["UTF-8 without a word", utf8("<a>å𝄞</a>"), undefined, "<a>å𝄞</a>"],
    ["UTF-8 with a byte order mark", bytes([0xef, 0xbb, 0xbf], utf8("<a>å</a>")), undefined, "<a>å</a>"],
    ["UTF-8 with U+FFFD in it", utf8("<a>\ufffd\ufffd</a>"), undefined, "<a>\ufffd\ufffd</a>"],
    ["UTF-16 with a little-endian mark", bytes([0xff, 0xfe], utf16("<a>å𝄞</a>", false)), undefined, "<a>å𝄞</a>"],
    ["UTF-16 with a big-endian mark", bytes([0xfe, 0xff], utf16("<a>å𝄞</a>", true)), undefined, "<a>å𝄞</a>"],
    ["UTF-16 with U+FFFD in it", bytes([0xfe, 0xff], utf16("<a>\ufffd</a>", true)), undefined, "<a>\ufffd</a>"],
    [
      "ISO-8859-1 by declaration",
      singleBytes(`${declared("ISO-8859-1")}å</a>`),
      undefined,
      `${declared("ISO-8859-1")}å</a>`,
    ],
    [
      "windows-1252 by declaration",
      singleBytes(`${declared("windows-1252")}\x80\x99</a>`),
      undefined,
      `${declared("windows-1252")}€™</a>`,
    ],
    [
      "single quotes in the declaration",
      singleBytes("<?xml version='1.0' encoding='latin1' ?><a>å</a>"),
      undefined,
      "<?xml version='1.0' encoding='latin1' ?><a>å</a>",
    ],
    [
      "the charset of the Content-Type before the declaration",
      utf8(`${declared("ISO-8859-1")}å</a>`),
      "UTF-8",
      `${declared("ISO-8859-1")}å</a>`,
    ],
    [
      "a mark before everything",
      bytes([0xef, 0xbb, 0xbf], utf8(`${declared("ISO-8859-1")}å</a>`)),
      "us-ascii",
      `${declared("ISO-8859-1")}å</a>`,
    ],
    ["US-ASCII", utf8(`${declared("US-ASCII")}x</a>`), undefined, `${declared("US-ASCII")}x</a>`],
    ["nothing at all", new Uint8Array(0), undefined, ""],
  ])("%s", (_, source, charset, text) => {
    expect(decodeXml(source, charset)).toBe(text);
  });
});

describe("is refused with its place", () => {
  test.each([
    ["Latin-1 without a word", singleBytes("<a>\n<b>xå</b></a>"), undefined, "not valid UTF-8", 2, 5],
    ["an overlong form", bytes(utf8("<a>"), [0xc0, 0xaf]), undefined, "not valid UTF-8", 1, 4],
    ["an encoded surrogate", bytes(utf8("<a>"), [0xed, 0xa0, 0x80]), undefined, "not valid UTF-8", 1, 4],
    ["a cut-off character", bytes(utf8("<a>\ufffd"), [0xe2, 0x82]), undefined, "not valid UTF-8", 1, 5],
    ["half a character of UTF-16", bytes([0xfe, 0xff], utf16("<a", true), [0]), undefined, "not valid UTF-16BE", 1, 3],
    [
      "a lone surrogate in UTF-16",
      bytes([0xff, 0xfe], utf16("<a\ud800>", false)),
      undefined,
      "not valid UTF-16LE",
      1,
      3,
    ],
    ["UTF-16 without a mark", utf16("<a/>", false), undefined, "byte order mark", 1, 1],
    ["UTF-16 only declared", utf8(`${declared("UTF-16")}</a>`), undefined, "byte order mark", 1, 1],
    ["more than ASCII in US-ASCII", utf8(`${declared("US-ASCII")}å</a>`), undefined, "not valid US-ASCII", 1, 45],
    ["an encoding that is not offered", utf8(`${declared("EBCDIC-CP-SE")}</a>`), undefined, "EBCDIC-CP-SE", 1, 1],
    ["a charset that is not offered", utf8("<a/>"), "utf-7", "utf-7", 1, 1],
  ])("%s", (_, source, charset, problem, line, column) => {
    expect(() => decodeXml(source, charset)).toThrow(
      expect.objectContaining({
        code: "invalid-xml",
        message: expect.stringMatching(new RegExp(`${problem}.*\\(line ${line}, column ${column}\\)$`)),
      }),
    );
  });

  test("JSON and text that are not UTF-8", () => {
    const source = bytes(utf8('{\n "a": "'), [0xe5, 0x22, 0x7d]);
    expect(() => decodeUtf8(source, "invalid-json")).toThrow(/not valid UTF-8 \(line 2, column 8\)/);
    expect(decodeUtf8(bytes([0xef, 0xbb, 0xbf], utf8("å\ufffd")), "invalid-json")).toBe("å\ufffd");
  });
});
