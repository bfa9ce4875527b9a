import { drizzle, type SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import type { Database } from "./database.ts";
import { toArguments } from "./query.ts";

/** drizzle over the port: for typed reads, and for building the statements of a change. It has no transactions. */
export function drizzleOver(database: Database): SqliteRemoteDatabase {
  return drizzle(async (sql, params, method) => {
    const rows = await database.values({ sql, args: toArguments(params) });
    // For `get` drizzle takes one row, or undefined when there is none, though its type asks for an array.
    return { rows: (method === "get" ? rows[0] : rows) as unknown[] };
  });
}
