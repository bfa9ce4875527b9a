import type { Row, SqlValue } from "../store/database.ts";

/** Rows by the value of a column; a value that no row has gives none. */
export function rowsBy(
  column: string,
  rows: readonly Row[] | undefined,
): (value: SqlValue | undefined) => readonly Row[] {
  const groups = new Map<SqlValue | undefined, Row[]>();
  for (const row of rows ?? []) {
    const group = groups.get(row[column]);
    if (group) group.push(row);
    else groups.set(row[column], [row]);
  }
  return (value) => groups.get(value) ?? [];
}
