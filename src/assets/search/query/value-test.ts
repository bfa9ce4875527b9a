import { shown } from "../../../documents/input-error.ts";
import { parseBoolean } from "../../../documents/scalar.ts";
import { KinoraError } from "../../../errors.ts";
import type { SearchField, SearchValue } from "../documents/item-search-document.ts";
import { type Analysis, orderedFormOf, orderedValue } from "../tokens/field-analysis.ts";
import { nextDate } from "../tokens/ordered-date.ts";
import type { Bound } from "../tokens/range-cover.ts";
import { anything, type Pattern, type ValueTest } from "./criterion.ts";
import { readDate } from "./date-text.ts";
import { checkWildcards, patternOf, wholeTerm } from "./text-syntax.ts";

/** A field of which a value is read. */
export interface TestedField {
  readonly name: string;
  readonly analysis: Analysis;
}

export type SearchRange = NonNullable<SearchField["range"]>[number];

/**
 * What a whole value must be to match a text. In exact values `*` is a wildcard, `?` too with `noescape`; a backslash
 * takes their meaning.
 *
 * @throws KinoraError `invalid-value` for a text that is no number, date or time code where the field holds such
 */
export function readValue(field: TestedField, value: SearchValue, now: number): ValueTest {
  const text = value.value ?? "";
  if (field.analysis === "exact" || field.analysis === "words") return readExact(text, value.noescape === true);
  if (text.trim() === "*") return { test: "any" };
  if (field.analysis === "boolean") return { test: "exact", text: String(booleanOf(field, text)) };
  const span = spanOf(field, text, now);
  return {
    test: "ordered",
    low: { value: span.first, inclusive: true },
    high: { value: span.last, inclusive: true },
  };
}

function readExact(text: string, noescape: boolean): ValueTest {
  const unquoted = noescape && /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text;
  const pattern = patternOf(wholeTerm(unquoted), noescape);
  const wildcards = pattern.filter((part) => typeof part !== "string").length;
  if (wildcards === 0) return { test: "exact", text: pattern.join("") };
  checkWildcards(wildcards);
  const [first, second] = pattern;
  if (first === anything && pattern.length === 1) return { test: "any" };
  if (typeof first === "string" && second === anything && pattern.length === 2)
    return { test: "beginning", text: first };
  return { test: "pattern", pattern };
}

/**
 * A range of two values; an end with `minimum` or `maximum`, `*` or nothing is open. A plain day, month or year stands
 * for all of it: `2024-03` to `2024-04` is two whole months.
 */
export function readRange(field: TestedField, range: SearchRange, now: number): ValueTest {
  const [from, to] = range.value;
  const low = isOpen(from, "minimum") ? undefined : from?.value;
  const high = isOpen(to, "maximum") ? undefined : to?.value;
  const above = range.exclusiveMinimum === true;
  const below = range.exclusiveMaximum === true;
  if (low === undefined && high === undefined) return { test: "any" };
  if (orderedFormOf(field.analysis) === undefined) {
    return { test: "between", low: textBound(low, !above), high: textBound(high, !below) };
  }
  const first = low === undefined ? undefined : spanOf(field, low, now);
  const last = high === undefined ? undefined : spanOf(field, high, now);
  return {
    test: "ordered",
    low: first && orderedBound(field, above ? first.last : first.first, above ? 1 : undefined),
    high: last && orderedBound(field, below ? last.first : last.last, below ? -1 : undefined),
  };
}

/** Without the end itself, `step` leads to what is next; of dates that is known, and makes whole days and months. */
function orderedBound({ analysis }: TestedField, value: string, step: 1 | -1 | undefined): Bound {
  if (step === undefined) return { value, inclusive: true };
  const next = analysis === "date" ? nextDate(value, step) : value;
  return { value: next, inclusive: next !== value };
}

function isOpen(value: SearchValue | undefined, end: "minimum" | "maximum"): boolean {
  if (value === undefined || value[end] === true) return true;
  const text = (value.value ?? "").trim();
  return text === "" || text === "*";
}

function textBound(value: string | undefined, inclusive: boolean): Bound | undefined {
  return value === undefined ? undefined : { value, inclusive };
}

function spanOf(field: TestedField, text: string, now: number): { readonly first: string; readonly last: string } {
  if (field.analysis === "date") {
    const span = readDate(text, now);
    if (span !== undefined) return span;
  } else {
    const ordered = orderedValue(field.analysis, text);
    if (ordered !== undefined) return { first: ordered, last: ordered };
  }
  throw wrongValue(field, text);
}

function booleanOf(field: TestedField, text: string): boolean {
  const value = parseBoolean(text.trim());
  if (value === undefined) throw wrongValue(field, text);
  return value;
}

function wrongValue(field: TestedField, text: string): KinoraError {
  return new KinoraError("invalid-value", {
    context: "search",
    id: field.name,
    value: text.slice(0, 100),
    explanation: `The value ${shown(text)} of the field ${field.name} must be ${expected[field.analysis] ?? "text"}`,
  });
}

const expected: Partial<Readonly<Record<Analysis, string>>> = {
  number: "a number",
  date: "a date such as 2024-03-05 or 2024-03-05T10:11:12Z, or relative such as NOW-7DAYS",
  time: "a time code such as 300@PAL",
  boolean: "true or false",
};

export function literalBeginning(pattern: Pattern): string {
  const [first] = pattern;
  return typeof first === "string" ? first : "";
}
