import { escapeAttribute, escapeText } from "../xml/escape.ts";
import { dateTimeInJson, dateTimeInXml, parseDateTime } from "./date-time.ts";
import { quoteJson } from "./json-text.ts";

/** A kind of value without parts: how it is read from and written to text. */
export interface Scalar {
  /** What is expected, for an error: `a whole number`. */
  readonly expected: string;
  /** The simple type in the XSD, with its prefix. */
  readonly xsdType: string;
  /** The only texts allowed, for enumerations. */
  readonly values?: readonly string[];
  /** Whether white space around the value means nothing. */
  readonly trims: boolean;
  /** Whether a JSON number such as `1.0` or `1e3` may stand for the whole number it is. */
  readonly whole: boolean;
  /** The value of a text, or `undefined` when it is not of this kind. */
  parse(text: string): unknown;
  /** As the text of an XML element, escaped. */
  xml(value: never): string;
  /** As the value of an XML attribute, escaped. */
  xmlAttribute(value: never): string;
  /** As a JSON value, with its quotes where it needs any. */
  json(value: never): string;
}

const trues: ReadonlySet<string> = new Set(["true", "1", "yes"]);
const falses: ReadonlySet<string> = new Set(["false", "0", "no"]);

/** `true`, `1`, `yes` or `false`, `0`, `no`, in any letter case; `undefined` for anything else. */
export function parseBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase();
  if (trues.has(word)) return true;
  return falses.has(word) ? false : undefined;
}

const wholeNumber = /^[+-]?\d{1,30}$/;
const decimalNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const intBound = 2n ** 31n;
const longBound = 2n ** 63n;

function parseWhole(text: string, bound: bigint): number | bigint | undefined {
  if (!wholeNumber.test(text)) return undefined;
  const number = Number(text);
  if (Number.isSafeInteger(number) && bound === longBound) return number === 0 ? 0 : number;
  const exact = BigInt(text.startsWith("+") ? text.slice(1) : text);
  if (exact >= bound || exact < -bound) return undefined;
  return bound === intBound ? Number(exact) : exact;
}

function parseDouble(text: string): number | undefined {
  if (decimalNumber.test(text)) {
    const number = Number(text);
    return Number.isFinite(number) ? number : undefined;
  }
  if (text === "INF" || text === "+INF") return Number.POSITIVE_INFINITY;
  if (text === "-INF") return Number.NEGATIVE_INFINITY;
  return text === "NaN" ? Number.NaN : undefined;
}

function doubleInXml(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : String(value);
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "INF" : "-INF";
}

const asIs = (value: unknown): string => String(value);

export const textScalar: Scalar = {
  expected: "text",
  xsdType: "xs:string",
  trims: false,
  whole: false,
  parse: (text) => text,
  xml: escapeText,
  xmlAttribute: escapeAttribute,
  json: quoteJson,
};

export const booleanScalar: Scalar = {
  expected: "true or false",
  xsdType: "xs:boolean",
  trims: true,
  whole: true,
  parse: parseBoolean,
  xml: asIs,
  xmlAttribute: asIs,
  json: asIs,
};

export const intScalar: Scalar = {
  expected: "a whole number of at most 32 bits",
  xsdType: "xs:int",
  trims: true,
  whole: true,
  parse: (text) => parseWhole(text, intBound),
  xml: asIs,
  xmlAttribute: asIs,
  json: asIs,
};

export const longScalar: Scalar = {
  expected: "a whole number of at most 64 bits",
  xsdType: "xs:long",
  trims: true,
  whole: true,
  parse: (text) => parseWhole(text, longBound),
  xml: asIs,
  xmlAttribute: asIs,
  json: asIs,
};

export const doubleScalar: Scalar = {
  expected: "a number",
  xsdType: "xs:double",
  trims: true,
  whole: false,
  parse: parseDouble,
  xml: doubleInXml,
  xmlAttribute: doubleInXml,
  json: (value: number) => (Number.isFinite(value) ? doubleInXml(value) : `"${doubleInXml(value)}"`),
};

export const dateTimeScalar: Scalar = {
  expected: "a date-time like 2024-03-05T10:11:12.345Z",
  xsdType: "xs:dateTime",
  trims: true,
  whole: false,
  parse: parseDateTime,
  xml: dateTimeInXml,
  xmlAttribute: dateTimeInXml,
  json: (value: string) => quoteJson(dateTimeInJson(value)),
};

/** One of a fixed set of texts. */
export function enumeration(values: readonly string[]): Scalar {
  const allowed: ReadonlySet<string> = new Set(values);
  return {
    expected: `one of ${values.join(", ")}`,
    xsdType: "xs:string",
    values,
    trims: true,
    whole: false,
    parse: (text) => (allowed.has(text) ? text : undefined),
    xml: escapeText,
    xmlAttribute: escapeAttribute,
    json: quoteJson,
  };
}
