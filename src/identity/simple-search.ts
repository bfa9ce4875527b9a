import { KinoraError } from "../errors.ts";
import type { SqlValue } from "../store/database.ts";
import type { SimpleSearch } from "./documents.ts";

/** A condition and an order as SQL over the table `e`. */
export interface Selection {
  readonly where: string;
  readonly args: readonly SqlValue[];
  readonly order: string;
  readonly orderArgs: readonly SqlValue[];
}

/** Which entities are searched, and which names of fields mean a column; all other names are keys of its metadata. */
export interface Searchable {
  readonly entity: "user" | "group";
  readonly columns: Readonly<Record<string, string>>;
}

/** Fields and sort keys of one search, and characters of one value. */
const mostFields = 100;
const longestValue = 1000;

/**
 * Turns a search into SQL. All fields must match, and of the operator's fields all (`AND`, the default) or one (`OR`).
 * A value matches as a whole, letter case apart for ASCII; `*` stands for any text, `?` for one character. Without a
 * sort key the order is that of the names.
 *
 * @throws KinoraError `invalid-input`
 */
export function selectionOf(search: SimpleSearch, searchable: Searchable): Selection {
  const fields = [...(search.field ?? []), ...(search.operator?.field ?? []), ...(search.sort ?? [])];
  if (fields.length > mostFields) refuse("field", `A search has at most ${mostFields} fields`);

  const args: SqlValue[] = [];
  const condition = ({ name, value }: { readonly name: string; readonly value: string }): string => {
    if (value.length > longestValue) refuse(name, `A value to search for has at most ${longestValue} characters`);
    const column = columnOf(name, searchable);
    if (column === undefined) args.push(name);
    args.push(likePattern(value));
    return column === undefined
      ? `exists (${metadataOf(searchable)} and value like ? escape '\\')`
      : `${column} like ? escape '\\'`;
  };
  const conditions = (search.field ?? []).map(condition);
  const alternatives = (search.operator?.field ?? []).map(condition);
  if (alternatives.length > 0)
    conditions.push(`(${alternatives.join(search.operator?.operation === "OR" ? " or " : " and ")})`);

  const orderArgs: SqlValue[] = [];
  const order = (search.sort ?? []).map(({ field, order: direction }) => {
    const column = columnOf(field, searchable);
    if (column === undefined) orderArgs.push(field);
    const value = column ?? `(${metadataOf(searchable)})`;
    return `${value} collate nocase ${direction === "descending" ? "desc" : "asc"}`;
  });
  return {
    where: conditions.length === 0 ? "true" : conditions.join(" and "),
    args,
    order: [...order, "e.name"].join(", "),
    orderArgs,
  };
}

function columnOf(name: string, searchable: Searchable): string | undefined {
  return searchable.columns[name.toLowerCase()];
}

function metadataOf({ entity }: Searchable): string {
  return `select value from key_value where entity = '${entity}' and entity_id = e.id and key = ?`;
}

function likePattern(value: string): string {
  return value
    .replace(/[\\%_]/g, "\\$&")
    .replaceAll("*", "%")
    .replaceAll("?", "_");
}

function refuse(context: string, explanation: string): never {
  throw new KinoraError("invalid-input", { context, explanation });
}
