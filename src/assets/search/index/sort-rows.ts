import type { IndexedValue } from "../../index-port.ts";
import type { IndexField } from "../tokens/field-analysis.ts";
import { fieldOf } from "./entity-tokens.ts";
import { compareSortValues, type SortValue, sortValueInJson, sortValueOf } from "./sort-value.ts";

/** An entity stands in the order of a field once for each value; which of them is its lowest, which its highest. */
export const lowest = 1;
export const highest = 2;

/** Values of an entity by the key of their field, each once, ascending. */
export type ValuesByField = ReadonlyMap<string, readonly SortValue[]>;

/** The values of metadata with the fields of the index that they belong to. */
export function fieldValues(values: readonly IndexedValue[]): readonly FieldValue[] {
  return values.flatMap((value) => {
    const field = fieldOf(value);
    return field === undefined ? [] : [{ field, text: value.text }];
  });
}

export interface FieldValue {
  readonly field: IndexField;
  readonly text: string;
}

/** The values to sort by and to count, of all fields that have such or only of those that are kept in order. */
export function valuesByField(values: readonly FieldValue[], which: "valued" | "sortable"): ValuesByField {
  const found = new Map<string, SortValue[]>();
  for (const { field, text } of values) {
    if (!field[which]) continue;
    const sortValue = sortValueOf(field, text);
    if (sortValue === undefined) continue;
    const list = found.get(field.key);
    if (list === undefined) found.set(field.key, [sortValue]);
    else if (!list.includes(sortValue)) list.push(sortValue);
  }
  for (const list of found.values()) if (list.length > 1) list.sort(compareSortValues);
  return found;
}

/** As a JSON object of lists. */
export function valuesInJson(values: ValuesByField): string {
  const members: string[] = [];
  for (const [key, list] of values) members.push(`${JSON.stringify(key)}:[${list.map(sortValueInJson).join(",")}]`);
  return `{${members.join(",")}}`;
}

/** One place of an entity in the order of a field. */
export interface SortRow {
  readonly field: string;
  readonly value: SortValue;
  /** {@link lowest}, {@link highest}, both, or 0. */
  readonly ends: number;
}

function rowsOf(field: string, values: readonly SortValue[]): readonly SortRow[] {
  const last = values.length - 1;
  return values.map((value, index) => ({
    field,
    value,
    ends: (index === 0 ? lowest : 0) + (index === last ? highest : 0),
  }));
}

/** All places of an entity. */
export function orderOf(values: ValuesByField): readonly SortRow[] {
  return [...values].flatMap(([field, list]) => rowsOf(field, list));
}

/** The rows to write and the rows to delete when an entity's values change from one state to another. */
export function sortRowChanges(
  before: ValuesByField,
  after: ValuesByField,
): { readonly put: readonly SortRow[]; readonly drop: readonly SortRow[] } {
  const put: SortRow[] = [];
  const drop: SortRow[] = [];
  for (const field of new Set([...before.keys(), ...after.keys()])) {
    const old = new Map(rowsOf(field, before.get(field) ?? []).map((row) => [row.value, row]));
    for (const row of rowsOf(field, after.get(field) ?? [])) {
      if (old.get(row.value)?.ends !== row.ends) put.push(row);
      old.delete(row.value);
    }
    drop.push(...old.values());
  }
  return { put, drop };
}

/** Rows as a JSON list of `[field, value, ends]`. */
export function sortRowsInJson(rows: readonly SortRow[]): string {
  return `[${rows.map((row) => `[${JSON.stringify(row.field)},${sortValueInJson(row.value)},${row.ends}]`).join(",")}]`;
}
