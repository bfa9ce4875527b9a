import type { InValue, ResultSet } from "@libsql/client/web";
import type { Result, Row, SqlValue, Statement, ValueRows } from "./database.ts";

/** The client is asked for bigints, so that no number is ever out of its range; almost all become numbers here. */
export const integerMode = "bigint";

/** A client's answer as rows by column name. */
export function toResult(set: ResultSet): Result {
  const { columns } = set;
  const width = columns.length;
  const rows = set.rows.map((source) => {
    const row: Record<string, SqlValue> = {};
    for (let index = 0; index < width; index++) row[columns[index] as string] = toValue(source[index]);
    return row as Row;
  });
  return { rows, rowsAffected: width > 0 ? rows.length : set.rowsAffected };
}

/** A client's answer as rows of values. */
export function toValueRows(set: ResultSet): ValueRows {
  return set.rows.map((source) => Array.from({ length: set.columns.length }, (_, index) => toValue(source[index])));
}

function toValue(value: null | string | number | bigint | ArrayBuffer | undefined): SqlValue {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return value ?? null;
}

/** A statement as the client takes it; whole numbers are bound as integers by every client. */
export function toClientStatement(statement: Statement): { sql: string; args: InValue[] } {
  return { sql: statement.sql, args: statement.args === undefined ? [] : statement.args.map(toArgument) };
}

function toArgument(value: SqlValue): InValue {
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}
