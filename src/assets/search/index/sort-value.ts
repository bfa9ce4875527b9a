import { epochOf, exactNumber, type IndexField, secondsOf } from "../tokens/field-analysis.ts";
import { cut } from "../tokens/words.ts";

/** What is sorted by and counted in facets. */
export type SortValue = string | number | bigint;

/** Of longer texts only the beginning is compared, and shown in facets. */
export const longestSortText = 200;

/** The value to sort by and to count: text in lower case where the field ignores case, dates as epoch milliseconds. */
export function sortValueOf(field: Pick<IndexField, "analysis">, text: string): SortValue | undefined {
  switch (field.analysis) {
    case "words":
      return cut(text.normalize("NFKC").toLowerCase(), longestSortText);
    case "exact":
    case "boolean":
      return cut(text, longestSortText);
    case "date":
      return epochOf(text);
    case "time":
      return secondsOf(text);
    case "number":
      return numberValue(text);
  }
}

function numberValue(text: string): number | bigint | undefined {
  const exact = exactNumber(text);
  if (exact === "") return undefined;
  const number = Number(exact);
  if (Number.isSafeInteger(number) || !/^[+-]?\d+$/.test(exact)) return number;
  const whole = BigInt(exact.replace("+", ""));
  return BigInt.asIntN(64, whole) === whole ? whole : number;
}

/** Negative, zero or positive, as the database orders two values of one field. */
export function compareSortValues(a: SortValue, b: SortValue): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** As a JSON value; whole numbers keep all digits. */
export function sortValueInJson(value: SortValue): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
