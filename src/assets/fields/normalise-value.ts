import { parseDateTime } from "../../documents/date-time.ts";
import { parseBoolean } from "../../documents/scalar.ts";
import { KinoraError } from "../../errors.ts";
import { isTimeCode } from "../metadata/time/time-code.ts";
import { brokenRule } from "./broken-rule.ts";
import type { FieldDefinition } from "./field-definition.ts";
import { type ValueKind, valueKind } from "./field-types.ts";

const wholeNumber = /^[+-]?\d{1,30}$/;
const decimalNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const plainDate = /^\d{4}-\d\d-\d\d$/;
const longestNumber = 400;

function bounded(text: string, bits: bigint): string | undefined {
  if (!wholeNumber.test(text)) return undefined;
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  const bound = 2n ** (bits - 1n);
  return value >= -bound && value < bound ? String(value) : undefined;
}

function decimal(text: string): string | undefined {
  if (text.length > longestNumber || !decimalNumber.test(text)) return undefined;
  return Number.isFinite(Number(text)) ? text : undefined;
}

function timeCode(text: string): string | undefined {
  return isTimeCode(text) ? text : undefined;
}

/** The normal form of a value of each kind, `undefined` when the text is none; and what is expected, for a person. */
const readers: Readonly<Record<Exclude<ValueKind, "string">, readonly [(text: string) => string | undefined, string]>> =
  {
    integer: [(text) => bounded(text, 32n), "a whole number of at most 32 bits"],
    long: [(text) => bounded(text, 64n), "a whole number of at most 64 bits"],
    float: [decimal, "a number"],
    date: [
      (text) => parseDateTime(plainDate.test(text) ? `${text}T00:00:00Z` : text),
      "a date-time like 2024-03-05T10:11:12.345Z",
    ],
    boolean: [
      (text) => {
        const value = parseBoolean(text);
        return value === undefined ? undefined : String(value);
      },
      "true or false",
    ],
    timeCode: [timeCode, "a time code like 300@PAL, in samples a second, PAL, NTSC or NTSC30"],
  };

/**
 * Brings a value into the normal form of its field's type: dates in UTC with milliseconds, whole numbers without signs
 * and zeros in front, `true` or `false`; text as it stands.
 *
 * Answers `undefined` for a blank text of a type other than text: it stands for no value.
 *
 * @throws KinoraError `invalid-value` naming the field and the rule that the value breaks.
 */
export function normaliseValue(field: FieldDefinition, text: string): string | undefined {
  const kind = valueKind(field.type);
  const value = kind === "string" ? text : readTyped(field, kind, text.trim());
  if (value === undefined || field.restriction === undefined) return value;
  const rule = brokenRule(field.restriction, value);
  if (rule !== undefined) throw invalid(field, text, rule);
  return value;
}

function readTyped(field: FieldDefinition, kind: Exclude<ValueKind, "string">, text: string): string | undefined {
  if (text === "") return undefined;
  const [read, expected] = readers[kind];
  const value = read(text);
  if (value === undefined) throw invalid(field, text, `be ${expected}`);
  return value;
}

/** Long values are shown by their beginning. */
function excerpt(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function invalid(field: FieldDefinition, text: string, rule: string): KinoraError {
  return new KinoraError("invalid-value", {
    context: "metadata-field",
    id: field.name,
    value: excerpt(text),
    explanation: `The value ${JSON.stringify(excerpt(text))} of the field ${field.name} must ${rule}`,
  });
}
