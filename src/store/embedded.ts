import { type Client, createClient, type ResultSet } from "@libsql/client/sqlite3";
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
  /** How long a write waits for the writers of other processes before it is refused, in milliseconds. Default 5000. */
  readonly patienceMs?: number;
}

/** How long SQLite itself waits for a lock. It blocks the event loop, so nearly all waiting happens outside. */
const blockingTimeoutMs = 5;
const longestPauseMs = 100;

/** One connection and who uses it; it is closed when it is retired and the last user has left. */
interface Connection {
  readonly client: Client;
  readonly prepared: Promise<void>;
  users: number;
  retired: boolean;
}

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
  let current: Connection | undefined;
  let closed = false;

  function connect(): Connection {
    const client = createClient({ url: options.url, intMode: integerMode, concurrency: 1, timeout: blockingTimeoutMs });
    return { client, prepared: client.executeMultiple(pragmas(options)), users: 0, retired: false };
  }

  function retire(connection: Connection): void {
    connection.retired = true;
    if (current === connection) current = undefined;
  }

  async function attempt<T>(use: (client: Client) => Promise<T>): Promise<T> {
    if (closed) throw new DatabaseUnavailable("file");
    let connection = current;
    try {
      if (connection === undefined) {
        connection = connect();
        current = connection;
      }
      connection.users++;
      await connection.prepared;
      return await use(connection.client);
    } catch (error) {
      const fault = databaseFault(error);
      if (fault instanceof DatabaseUnavailable && connection !== undefined) retire(connection);
      throw fault;
    } finally {
      if (connection !== undefined && --connection.users === 0 && connection.retired) connection.client.close();
    }
  }

  async function patiently<T>(use: (client: Client) => Promise<T>, since: number): Promise<T> {
    for (let pause = 2; ; pause = Math.min(pause * 2, longestPauseMs)) {
      try {
        return await attempt(use);
      } catch (error) {
        const busy = error instanceof DatabaseUnavailable && error.reason === "busy";
        if (!busy || performance.now() - since + pause > patienceMs) throw error;
      }
      await delay(pause * (0.5 + Math.random()));
    }
  }

  function write<T>(use: (client: Client) => Promise<T>): Promise<T> {
    const since = performance.now();
    return gate.run(() => patiently(use, since));
  }

  /** Reads go straight in. A statement that meets a lock (it writes, or the log is being recovered) joins the writers. */
  async function single(statement: Statement): Promise<ResultSet> {
    const prepared = toClientStatement(statement);
    const use = (client: Client) => client.execute(prepared);
    try {
      return await attempt(use);
    } catch (error) {
      if (error instanceof DatabaseUnavailable && error.reason === "busy") return write(use);
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
      const use = (client: Client) => client.batch(prepared, mode);
      const sets = await (mode === "write" ? write(use) : patiently(use, performance.now()));
      return sets.map(toResult);
    },
    async close() {
      await gate.run(async () => {
        closed = true;
        const connection = current;
        if (connection === undefined) return;
        retire(connection);
        if (connection.users === 0) connection.client.close();
      });
    },
  };
}

function pragmas(options: EmbeddedOptions): string {
  return [
    "pragma journal_mode = wal",
    `pragma synchronous = ${options.synchronous === "normal" ? "normal" : "full"}`,
    "pragma foreign_keys = on",
    "pragma journal_size_limit = 67108864",
  ].join(";\n");
}
