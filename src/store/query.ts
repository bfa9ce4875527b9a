import type { SqlValue, Statement } from "./database.ts";

/** A statement, or a drizzle builder, which turns into one. */
export type Query = Statement | { toSQL(): { sql: string; params: unknown[] } };

/** The statement of a query. @throws TypeError when a parameter is of a type that SQL does not have. */
export function toStatement(query: Query): Statement {
  if (!("toSQL" in query)) return query;
  const { sql, params } = query.toSQL();
  return { sql, args: toArguments(params) };
}

/** Parameters as drizzle gives them, as values of SQL. */
export function toArguments(params: readonly unknown[]): readonly SqlValue[] {
  return params.map((param) => {
    if (param === null || typeof param === "string" || typeof param === "number" || typeof param === "bigint")
      return param;
    if (typeof param === "boolean") return param ? 1 : 0;
    if (param instanceof Uint8Array || param instanceof ArrayBuffer) return param;
    throw new TypeError(`A parameter of type ${typeof param} cannot be passed to the database`);
  });
}
