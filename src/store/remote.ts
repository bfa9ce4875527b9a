import type { Client, ResultSet } from "@libsql/client/web";
import type { Connections } from "./connections.ts";
import { type Database, onlyReads, type Statement } from "./database.ts";
import { DatabaseUnavailable, databaseFault } from "./faults.ts";
import { toClientStatement, toResult, toValueRows } from "./results.ts";
import type { InTurn } from "./write-turns.ts";

export interface RemoteOptions {
  readonly connections: Connections<Client>;
  /** See `Database.isolated`. */
  readonly isolated: boolean;
  /** After so many milliseconds without an answer the connection counts as lost. */
  readonly timeoutMs: number;
  /** Lets writes through where nothing else holds them together. Default: at once. */
  readonly inTurn?: InTurn;
}

type Use<T> = (client: Client) => Promise<T>;

/**
 * A database behind a network. A read whose connection drops is sent once more; a write never is, because nobody
 * knows here whether it was carried out: `writeOnce` finds out.
 */
export function remoteDatabase(options: RemoteOptions): Database {
  const { connections, isolated, timeoutMs, inTurn = (write) => write() } = options;

  async function attempt<T>(use: Use<T>): Promise<T> {
    const loan = connections.lend();
    try {
      return await answered(use(loan.connection), timeoutMs);
    } catch (error) {
      const fault = databaseFault(error);
      if (fault instanceof DatabaseUnavailable && fault.reason === "lost") loan.retire();
      throw fault;
    } finally {
      loan.giveBack();
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
    return onlyReads(statement) ? repeatable(use) : inTurn(() => attempt(use));
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
      const sets = await (mode === "read" ? repeatable(use) : inTurn(() => attempt(use)));
      return sets.map(toResult);
    },
    close: async () => connections.close(),
  };
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
