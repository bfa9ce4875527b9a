import { KinoraError } from "../errors.ts";
import { invalidXml, placeOf } from "./xml-error.ts";

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "iso-8859-1" | "us-ascii";

const encodings: ReadonlyMap<string, Encoding | "utf-16"> = new Map([
  ["utf-8", "utf-8"],
  ["utf8", "utf-8"],
  ["utf-16", "utf-16"],
  ["utf-16le", "utf-16le"],
  ["utf-16be", "utf-16be"],
  ["us-ascii", "us-ascii"],
  ["ascii", "us-ascii"],
  ["iso-8859-1", "iso-8859-1"],
  ["latin1", "iso-8859-1"],
  ["windows-1252", "windows-1252"],
  ["cp1252", "windows-1252"],
]);

/** Bytes of the document's beginning that are searched for its XML declaration. */
const declarationBytes = 200;

/**
 * The text of an XML document.
 *
 * A byte order mark decides; then `charset` (the Content-Type's parameter, RFC 7303 §3); then the XML declaration;
 * then UTF-8. Offered are UTF-8, UTF-16 with a mark, US-ASCII, ISO-8859-1 and windows-1252.
 *
 * @throws KinoraError `invalid-xml` with line and column of the first byte that is not of the encoding
 */
export function decodeXml(bytes: Uint8Array, charset?: string): string {
  const marked = byteOrderMark(bytes);
  if (marked !== undefined) return decode(bytes.subarray(marked === "utf-8" ? 3 : 2), marked);
  if ((bytes[0] === 0 && bytes[1] === 0x3c) || (bytes[0] === 0x3c && bytes[1] === 0)) {
    throw invalidXml("A UTF-16 document must begin with a byte order mark", { line: 1, column: 1 });
  }
  const name = charset ?? declaredEncoding(bytes);
  const encoding = encodings.get(name.toLowerCase());
  if (encoding === undefined) {
    throw invalidXml(`The encoding \`${name.slice(0, 40)}\` is not offered; send UTF-8`, { line: 1, column: 1 });
  }
  if (encoding === "utf-16") {
    throw invalidXml("A UTF-16 document must begin with a byte order mark", { line: 1, column: 1 });
  }
  return decode(bytes, encoding);
}

function byteOrderMark(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function declaredEncoding(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, declarationBytes));
  return /^<\?xml\s[^?>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(start)?.[1] ?? "utf-8";
}

function decode(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === "iso-8859-1" || encoding === "windows-1252") return decodeSingleBytes(bytes, encoding);
  const decoder = new TextDecoder(encoding === "us-ascii" ? "utf-8" : encoding, { ignoreBOM: true });
  const text = decoder.decode(bytes);
  const wrong = firstReplacement(text, bytes, encoding);
  if (wrong !== -1) throw invalidXml(`The document is not valid ${encoding.toUpperCase()}`, placeOf(text, wrong));
  return text;
}

/**
 * The index of the first U+FFFD that the decoder put in for bytes it could not read, or -1. One that the document
 * itself holds is no error; the bytes at its place tell.
 */
function firstReplacement(text: string, bytes: Uint8Array, encoding: Encoding): number {
  if (encoding === "us-ascii") return text.search(/[\u0080-\uffff]/);
  const encoder = new TextEncoder();
  let offset = 0;
  let from = 0;
  for (;;) {
    const at = text.indexOf("\ufffd", from);
    if (at === -1) return -1;
    if (encoding === "utf-8") {
      offset += encoder.encode(text.slice(from, at)).length;
      if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) return at;
      offset += 3;
    } else {
      const [high, low] = encoding === "utf-16be" ? [2 * at, 2 * at + 1] : [2 * at + 1, 2 * at];
      if (bytes[high] !== 0xff || bytes[low] !== 0xfd) return at;
    }
    from = at + 1;
  }
}

/** What windows-1252 has at 0x80–0x9f; the five gaps are the control characters of ISO-8859-1. */
const windows1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** Done by hand because not every runtime's TextDecoder knows these. Plain ISO-8859-1 has control characters at 0x80–0x9f. */
function decodeSingleBytes(bytes: Uint8Array, encoding: "iso-8859-1" | "windows-1252"): string {
  const chunk = 8192;
  let text = "";
  for (let start = 0; start < bytes.length; start += chunk) {
    text += String.fromCharCode(...bytes.subarray(start, start + chunk));
  }
  return encoding === "windows-1252"
    ? text.replace(/[\u0080-\u009f]/g, (character) => windows1252[character.charCodeAt(0) - 0x80] ?? character)
    : text;
}

/**
 * The text of UTF-8 bytes, a byte order mark cut.
 *
 * @throws KinoraError with `code` when the bytes are not UTF-8; the explanation has line and column
 */
export function decodeUtf8(bytes: Uint8Array, code: "invalid-json" | "invalid-input"): string {
  const text = new TextDecoder("utf-8").decode(bytes);
  if (!text.includes("\ufffd")) return text;
  const body = byteOrderMark(bytes) === "utf-8" ? bytes.subarray(3) : bytes;
  const wrong = firstReplacement(text, body, "utf-8");
  if (wrong === -1) return text;
  const { line, column } = placeOf(text, wrong);
  throw new KinoraError(code, { explanation: `The text is not valid UTF-8 (line ${line}, column ${column})` });
}
