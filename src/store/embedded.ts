import { createClient, type ResultSet } from "@libsql/client/sqlite3";
import { sharedConnection } from "./connections.ts";
import { type Database, onlyReads, type Statement } from "./database.ts";
import { type EmbeddedConnection, embeddedWriter, type Use, useConnection } from "./embedded-writer.ts";
import { DatabaseUnavailable } from "./faults.ts";
import { integerMode, toClientStatement, toResult, toValueRows } from "./results.ts";

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

/**
 * Opens a database file in this process.
 *
 * One connection serves all: the client works synchronously, so more would only multiply pragmas and locks. Writers
 * queue here and not in SQLite, whose waiting blocks the process. A connection that met a lock or a failure of the
 * file is replaced, see {@link embeddedWriter}.
 *
 * @throws DatabaseUnavailable when the file cannot be opened
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Database> {
  if (/^(file:)?:memory:/.test(options.url)) throw new TypeError("An in-memory database is not supported; name a file");
  const connections = sharedConnection(
    () => connect(options),
    ({ client }) => client.close(),
  );
  const afterOthers = eventLoopTurns();
  const { write, finish } = embeddedWriter(connections, options.patienceMs ?? 5000);

  /** Reads meet a lock only while the log of a process that crashed is put in order: worth waiting for. */
  async function read<T>(use: Use<T>): Promise<T> {
    try {
      return await useConnection(connections, use);
    } catch (error) {
      if (error instanceof DatabaseUnavailable && error.reason === "busy") return write(use);
      throw error;
    }
  }

  function single(statement: Statement): Promise<ResultSet> {
    const prepared = toClientStatement(statement);
    const use: Use<ResultSet> = (client) => afterOthers(1, () => client.execute(prepared));
    return onlyReads(statement) ? read(use) : write(use);
  }

  await write((client) => client.execute("select 1"));
  return {
    kind: "embedded",
    query: async (statement) => toResult(await single(statement)),
    values: async (statement) => toValueRows(await single(statement)),
    async batch(statements, mode) {
      if (statements.length === 0) return [];
      const prepared = statements.map(toClientStatement);
      const use: Use<ResultSet[]> = (client) => afterOthers(prepared.length, () => client.batch(prepared, mode));
      return (await (mode === "write" ? write(use) : read(use))).map(toResult);
    },
    async close() {
      await finish();
      connections.close();
    },
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
    // A write that moves the log into the file takes many times as long as the others: with 16 MiB it is one of hundreds.
    "pragma wal_autocheckpoint = 4096",
    "pragma journal_size_limit = 67108864",
  ].join(";\n");
}

/** Statements after which other work of the process gets its turn. */
const statementsATurn = 200;

/**
 * The client's promises resolve without a turn of the event loop, so a loop over statements would keep everything else
 * in the process waiting, and would never let go of the memory of its statements (some 4 kB each).
 */
function eventLoopTurns(): <T>(statements: number, run: () => Promise<T>) => Promise<T> {
  let since = 0;
  return (statements, run) => {
    since += statements;
    if (since < statementsATurn) return run();
    since = 0;
    return new Promise<void>((resolve) => setImmediate(resolve)).then(run);
  };
}
