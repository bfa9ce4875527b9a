import { type Client, createClient, type ResultSet } from "@libsql/client/sqlite3";
import { sharedConnection } from "./connections.ts";
import type { Database, Statement } from "./database.ts";
import { DatabaseUnavailable, databaseFault } from "./faults.ts";
import { integerMode, toClientStatement, toResult, toValueRows } from "./results.ts";
import { delay } from "./time.ts";
import { writeGate } from "./write-gate.ts";

export interface EmbeddedOptions {
  /** `file:` and a path. The folder must exist. `:memory:` is refused: a reopened connection would be empty. */
  readonly url: string;
  /**
   * `full` (default): a committed change survives a power cut. `normal`: several times faster; a power cut (not a crash
   * of the process) can lose the last changes, never a part of one.
   */
  readonly synchronous?: "full" | "normal";
  /** How long a statement waits for the writers of other processes before it is refused, in milliseconds. Default 5000. */
  readonly patienceMs?: number;
}

/** How long SQLite itself waits for a lock. It blocks the event loop, so nearly all waiting happens outside. */
const blockingTimeoutMs = 5;
const longestPauseMs = 100;

interface EmbeddedConnection {
  readonly client: Client;
  /** Resolves when the pragmas are set; `isPrepared` spares the hot path the wait. */
  readonly prepared: Promise<void>;
  isPrepared: boolean;
}

type Use<T> = (client: Client) => Promise<T>;

/**
 * Opens a database file in this process.
 *
 * One connection serves all: the client works synchronously, so more would only multiply pragmas and locks. After
 * `SQLITE_BUSY` and after every failure of the file the connection is replaced, which lets go of any lock it kept.
 *
 * @throws DatabaseUnavailable when the file cannot be opened
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Database> {
  if (/^(file:)?:memory:/.test(options.url)) throw new TypeError("An in-memory database is not supported; name a file");
  const patienceMs = options.patienceMs ?? 5000;
  const gate = writeGate();
  const connections = sharedConnection(
    () => connect(options),
    ({ client }) => client.close(),
  );

  async function attempt<T>(use: Use<T>): Promise<T> {
    let loan: ReturnType<typeof connections.lend> | undefined;
    let broken = false;
    try {
      loan = connections.lend();
      if (!loan.connection.isPrepared) await loan.connection.prepared;
      return await use(loan.connection.client);
    } catch (error) {
      const fault = databaseFault(error);
      broken = fault instanceof DatabaseUnavailable;
      throw fault;
    } finally {
      loan?.giveBack(broken);
    }
  }

  async function patiently<T>(use: Use<T>, since: number): Promise<T> {
    for (let pause = 2; ; pause = Math.min(pause * 2, longestPauseMs)) {
      try {
        return await attempt(use);
      } catch (error) {
        if (!isBusy(error) || performance.now() - since + pause > patienceMs) throw error;
      }
      await delay(pause * (0.5 + Math.random()));
    }
  }

  function write<T>(use: Use<T>): Promise<T> {
    const since = performance.now();
    return gate.run(() => patiently(use, since));
  }

  /** Goes straight in. A statement that meets a lock (it writes, or the log is being recovered) joins the writers. */
  async function single(statement: Statement): Promise<ResultSet> {
    const prepared = toClientStatement(statement);
    const use: Use<ResultSet> = (client) => client.execute(prepared);
    try {
      return await attempt(use);
    } catch (error) {
      if (isBusy(error)) return write(use);
      throw error;
    }
  }

  await patiently((client) => client.execute("select 1"), performance.now());
  return {
    kind: "embedded",
    query: async (statement) => toResult(await single(statement)),
    values: async (statement) => toValueRows(await single(statement)),
    async batch(statements, mode) {
      if (statements.length === 0) return [];
      const prepared = statements.map(toClientStatement);
      const use: Use<ResultSet[]> = (client) => client.batch(prepared, mode);
      const sets = await (mode === "write" ? write(use) : patiently(use, performance.now()));
      return sets.map(toResult);
    },
    close: () => gate.run(async () => connections.close()),
  };
}

function connect(options: EmbeddedOptions): EmbeddedConnection {
  const client = createClient({ url: options.url, intMode: integerMode, concurrency: 1, timeout: blockingTimeoutMs });
  const connection = {
    client,
    isPrepared: false,
    prepared: client.executeMultiple(pragmas(options)).then(() => {
      connection.isPrepared = true;
    }),
  };
  return connection;
}

function pragmas(options: EmbeddedOptions): string {
  return [
    "pragma journal_mode = wal",
    `pragma synchronous = ${options.synchronous === "normal" ? "normal" : "full"}`,
    "pragma foreign_keys = on",
    "pragma journal_size_limit = 67108864",
  ].join(";\n");
}

function isBusy(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && error.reason === "busy";
}
