import type { Client, ResultSet } from "@libsql/client/web";
import type { Connections } from "./connections.ts";
import type { Database, Statement } from "./database.ts";
import { DatabaseUnavailable, databaseFault } from "./faults.ts";
import { toClientStatement, toResult, toValueRows } from "./results.ts";

export interface RemoteOptions {
  readonly connections: Connections<Client>;
  /** See `Database.isolated`. */
  readonly isolated: boolean;
  /** After so many milliseconds without an answer the connection counts as lost. */
  readonly timeoutMs: number;
}

type Use<T> = (client: Client) => Promise<T>;

/**
 * A database behind a network. A read whose connection drops is sent once more; a write never is, because nobody
 * knows here whether it was carried out: `writeOnce` finds out.
 */
export function remoteDatabase({ connections, isolated, timeoutMs }: RemoteOptions): Database {
  async function attempt<T>(use: Use<T>): Promise<T> {
    const { connection, giveBack } = connections.lend();
    let broken = false;
    try {
      return await answered(use(connection), timeoutMs);
    } catch (error) {
      const fault = databaseFault(error);
      broken = fault instanceof DatabaseUnavailable && fault.reason === "lost";
      throw fault;
    } finally {
      giveBack(broken);
    }
  }

  async function repeatable<T>(use: Use<T>): Promise<T> {
    try {
      return await attempt(use);
    } catch (error) {
      if (error instanceof DatabaseUnavailable && error.reason === "lost") return attempt(use);
      throw error;
    }
  }

  function single(statement: Statement): Promise<ResultSet> {
    const prepared = toClientStatement(statement);
    const use: Use<ResultSet> = (client) => client.execute(prepared);
    return isRead(statement.sql) ? repeatable(use) : attempt(use);
  }

  return {
    kind: "server",
    isolated,
    query: async (statement) => toResult(await single(statement)),
    values: async (statement) => toValueRows(await single(statement)),
    async batch(statements, mode) {
      if (statements.length === 0) return [];
      const prepared = statements.map(toClientStatement);
      const use: Use<ResultSet[]> = (client) => client.batch(prepared, mode);
      const sets = await (mode === "read" ? repeatable(use) : attempt(use));
      return sets.map(toResult);
    },
    close: async () => connections.close(),
  };
}

/** Whether a statement surely only reads. A `with` can end in an insert, so it counts only without such a word. */
function isRead(sql: string): boolean {
  if (/^\s*(select|values|explain)\b/i.test(sql)) return true;
  return /^\s*with\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql);
}

async function answered<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseUnavailable("lost")), timeoutMs);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}
