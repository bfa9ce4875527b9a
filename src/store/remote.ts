import type { Client, ResultSet } from "@libsql/client/web";
import type { Database, Statement } from "./database.ts";
import { DatabaseUnavailable, databaseFault } from "./faults.ts";
import { toClientStatement, toResult, toValueRows } from "./results.ts";

/** What a remote database is reached by. */
export interface RemoteOptions {
  /** Lends a client for one call; gives it back with whether the connection failed. */
  readonly lend: () => { readonly client: Client; giveBack(failed: boolean): void };
  readonly isolated: boolean;
  readonly close: () => void;
}

/**
 * A database behind a network. A read whose connection drops is sent once more; a write never is, because nobody
 * knows here whether it was carried out: `Change` knows how to ask.
 */
export function remoteDatabase(options: RemoteOptions): Database {
  async function attempt<T>(use: (client: Client) => Promise<T>): Promise<T> {
    const { client, giveBack } = options.lend();
    let failed = false;
    try {
      return await use(client);
    } catch (error) {
      const fault = databaseFault(error);
      failed = fault instanceof DatabaseUnavailable && (fault.reason === "lost" || fault.reason === "unreachable");
      throw fault;
    } finally {
      giveBack(failed);
    }
  }

  async function repeatable<T>(use: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await attempt(use);
    } catch (error) {
      if (error instanceof DatabaseUnavailable && error.reason === "lost") return attempt(use);
      throw error;
    }
  }

  function single(statement: Statement): Promise<ResultSet> {
    const prepared = toClientStatement(statement);
    const use = (client: Client) => client.execute(prepared);
    return isRead(statement.sql) ? repeatable(use) : attempt(use);
  }

  return {
    kind: "server",
    isolated: options.isolated,
    query: async (statement) => toResult(await single(statement)),
    values: async (statement) => toValueRows(await single(statement)),
    async batch(statements, mode) {
      if (statements.length === 0) return [];
      const prepared = statements.map(toClientStatement);
      const use = (client: Client) => client.batch(prepared, mode);
      const sets = await (mode === "read" ? repeatable(use) : attempt(use));
      return sets.map(toResult);
    },
    async close() {
      options.close();
    },
  };
}

/** Whether a statement surely only reads. A `with` can end in an insert, so it counts only without such a word. */
function isRead(sql: string): boolean {
  if (/^\s*(select|values|explain)\b/i.test(sql)) return true;
  return /^\s*with\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql);
}
