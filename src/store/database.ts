/** A value that a statement takes or a row holds. Rows hold numbers up to 2^53, bigints beyond, blobs as `Uint8Array`. */
export type SqlValue = null | string | number | bigint | ArrayBuffer | Uint8Array;

/** One SQL statement with positional arguments (`?`). */
export interface Statement {
  readonly sql: string;
  readonly args?: readonly SqlValue[];
}

/** A row by column name. Of two columns with one name the last counts: give them aliases. */
export interface Row {
  readonly [column: string]: SqlValue;
}

/** What a statement gave. */
export interface Result {
  readonly rows: readonly Row[];
  /** Rows inserted, changed or deleted; for a statement with `returning`, the number of rows that it returned. */
  readonly rowsAffected: number;
}

/** Rows as arrays in the order of the columns. */
export type ValueRows = readonly (readonly SqlValue[])[];

/**
 * The one port to a database. Embedded file, libSQL server and Workers differ only behind it.
 *
 * Every function throws `DatabaseUnavailable` (a `KinoraError` `unavailable`) when the database is busy for too long,
 * full, read-only or unreachable, and `ConstraintError` when a constraint of a table does not hold.
 */
export interface Database {
  readonly kind: "embedded" | "server";
  /** True where a promise of one request must not be awaited by another (Workers): nothing in flight is shared there. */
  readonly isolated?: boolean;
  /** Runs one statement. */
  query(statement: Statement): Promise<Result>;
  /** Runs one statement and gives its rows as arrays, so that two columns of one name both arrive. */
  values(statement: Statement): Promise<ValueRows>;
  /** Runs all statements in one transaction and one round trip: all of it is written, or nothing. */
  batch(statements: readonly Statement[], mode: "read" | "write"): Promise<readonly Result[]>;
  close(): Promise<void>;
}

/** Whether a statement surely only reads. A `with` can end in an insert, so it counts only without such a word. */
export function onlyReads({ sql }: Statement): boolean {
  if (/^\s*(select|values|explain)\b/i.test(sql)) return true;
  return /^\s*with\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql);
}
