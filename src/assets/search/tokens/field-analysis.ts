import { toEpoch } from "../../../documents/date-time.ts";
import type { FieldType, IndexMode } from "../../fields/field-types.ts";
import { isSortable, valueKind } from "../../fields/field-types.ts";
import type { Rational } from "../../metadata/time/rational.ts";
import { parseTimePoint } from "../../metadata/time/time-code.ts";
import { orderedDate } from "./ordered-date.ts";
import { dateForm, numberForm, type OrderedForm } from "./ordered-form.ts";
import { orderedNumber } from "./ordered-number.ts";

/** How values of a field become tokens: words, the whole value, or an ordered form. */
export type Analysis = "words" | "exact" | "boolean" | "number" | "date" | "time";

/** A field as the index sees it. */
export interface IndexField {
  readonly name: string;
  /** Stands for the field in tokens: short, without `"` and white space, and never used for another field. */
  readonly key: string;
  readonly analysis: Analysis;
  /** Found by a text search that names no field. */
  readonly fullText: boolean;
  /** Kept in order, so that a page of a large result in its order costs no more than the page. */
  readonly sortable: boolean;
  /** Has a value to sort by or to count facets of. */
  readonly valued: boolean;
  /** How much matches in it count when hits are sorted by relevance. Default 1. */
  readonly boost?: number;
}

/** What the analysis needs of a definition. */
export interface DefinedField {
  readonly name: string;
  readonly id: number;
  readonly type: FieldType;
  readonly index: IndexMode;
  readonly fullText: boolean;
  readonly boost?: number;
}

/** The analysis of a defined field; `undefined` when it is stored only. */
export function indexFieldOf(field: DefinedField): IndexField | undefined {
  if (field.index === "noindex" || field.type.endsWith("-noindex")) return undefined;
  const analysis = analysisOf(field.type);
  const sortable = isSortable(field.type);
  return {
    name: field.name,
    key: field.id.toString(36),
    analysis,
    fullText: field.fullText && (analysis === "words" || analysis === "exact"),
    sortable,
    valued: sortable || analysis !== "words",
    ...(field.boost === undefined ? {} : { boost: field.boost }),
  };
}

export function analysisOf(type: FieldType): Analysis {
  const kind = valueKind(type);
  if (kind === "string") return type.startsWith("string-exact") ? "exact" : "words";
  if (kind === "boolean") return "boolean";
  if (kind === "date") return "date";
  return kind === "timeCode" ? "time" : "number";
}

/** The ordered form that an analysis uses; `undefined` for text. */
export function orderedFormOf(analysis: Analysis): OrderedForm | undefined {
  if (analysis === "date") return dateForm;
  return analysis === "number" || analysis === "time" ? numberForm : undefined;
}

const plainDate = /^-?\d{4}-\d\d-\d\d$/;

/** A value in ordered form; `undefined` for a text that is no value of the analysis. */
export function orderedValue(analysis: Analysis, text: string): string | undefined {
  if (analysis === "date") {
    const epoch = epochOf(text);
    return epoch === undefined ? undefined : orderedDate(new Date(epoch).toISOString());
  }
  if (analysis === "time") {
    const seconds = secondsOf(text);
    return seconds === undefined ? undefined : orderedNumber(String(seconds));
  }
  return orderedNumber(exactNumber(text));
}

/** Milliseconds of a date-time, or of a plain date at midnight UTC. */
export function epochOf(text: string): number | undefined {
  const trimmed = text.trim();
  const epoch = toEpoch(plainDate.test(trimmed) ? `${trimmed}T00:00:00Z` : trimmed);
  return Number.isNaN(epoch) ? undefined : epoch;
}

const whole = /^[+-]?\d{1,30}$/;

/** Whole numbers keep all digits; others have those of a double, so that `1.50` and `1.5` are one value. */
export function exactNumber(text: string): string {
  const trimmed = text.trim();
  if (whole.test(trimmed)) return trimmed;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/.test(trimmed) ? String(Number(trimmed)) : "";
}

const timeCode = /^(-?)(\d{1,18})(?:\.(\d{1,12}))?(?:@([A-Za-z0-9:]{1,40}))?$/;

/** Seconds of a time code as the nearest double: equal moments in different time bases are the same number. */
export function secondsOf(text: string): number | undefined {
  const trimmed = text.trim();
  if (!timeCode.test(trimmed)) return undefined;
  const { seconds } = parseTimePoint(trimmed);
  return typeof seconds === "string" ? undefined : nearestDouble(seconds);
}

const safe = BigInt(Number.MAX_SAFE_INTEGER);

/** A division that is rounded once, so that equal fractions give equal numbers. */
function nearestDouble({ numerator, denominator }: Rational): number {
  const magnitude = numerator < 0n ? -numerator : numerator;
  if (magnitude <= safe && denominator <= safe) return Number(numerator) / Number(denominator);
  const shift = BigInt(Math.max(0, denominator.toString(2).length + 60 - magnitude.toString(2).length));
  const quotient = Number((magnitude << shift) / denominator) / 2 ** Number(shift);
  return numerator < 0n ? -quotient : quotient;
}
