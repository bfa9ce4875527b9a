import type { Client } from "@libsql/client/sqlite3";
import type { Connections, Loan } from "./connections.ts";
import { DatabaseUnavailable, databaseFault } from "./faults.ts";
import { delay } from "./time.ts";
import { writeGate } from "./write-gate.ts";

/** A connection to a file. */
export interface EmbeddedConnection {
  readonly client: Client;
  /** Resolves when the pragmas are set; `isPrepared` spares the hot path the wait. */
  readonly prepared: Promise<void>;
  isPrepared: boolean;
}

/** What is done with a connection. */
export type Use<T> = (client: Client) => Promise<T>;

/** Lends a connection to `use`. A connection that fails is not lent again. @throws DatabaseUnavailable, ConstraintError */
export async function useConnection<T>(connections: Connections<EmbeddedConnection>, use: Use<T>): Promise<T> {
  let loan: Loan<EmbeddedConnection> | undefined;
  try {
    loan = connections.lend();
    if (!loan.connection.isPrepared) await loan.connection.prepared;
    return await use(loan.connection.client);
  } catch (error) {
    const fault = databaseFault(error);
    if (fault instanceof DatabaseUnavailable) loan?.retire();
    throw fault;
  } finally {
    loan?.giveBack();
  }
}

export interface EmbeddedWriter {
  /** Runs `use` when no other writer does, here or in another process. */
  write<T>(use: Use<T>): Promise<T>;
  /** Waits for the writers that are queued, and puts everything that is written into the file itself. */
  finish(): Promise<void>;
}

const shortestPauseMs = 2;
const longestPauseMs = 100;

/**
 * The one writer of an embedded database: writers of this process queue, and a lock of another process is waited for
 * without blocking this one, for `patienceMs` from the call on.
 *
 * A statement that met a lock stays unfinished inside its connection until it is collected, and from then on that
 * connection would show an old state and refuse to commit. So the connection is replaced, and the next attempt is
 * made only when a script, which leaves nothing unfinished, has found the lock free.
 */
export function embeddedWriter(connections: Connections<EmbeddedConnection>, patienceMs: number): EmbeddedWriter {
  const gate = writeGate();
  let isLocked = false;

  async function attempt<T>(use: Use<T>): Promise<T> {
    if (isLocked) await findFree();
    try {
      return await useConnection(connections, use);
    } catch (error) {
      isLocked = isBusy(error);
      throw error;
    }
  }

  /** @throws DatabaseUnavailable when the lock is still held; the connection that asked is as good as before */
  async function findFree(): Promise<void> {
    let failure: unknown;
    await useConnection(connections, async (client) => {
      failure = await client.executeMultiple("begin immediate; rollback").catch((error: unknown) => error);
    });
    if (failure !== undefined) throw databaseFault(failure);
    isLocked = false;
  }

  async function patiently<T>(use: Use<T>, since: number): Promise<T> {
    // Those who have waited long enough behind others do not each knock at the same lock again.
    if (isLocked && performance.now() - since > patienceMs) throw new DatabaseUnavailable("busy");
    for (let pause = shortestPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      try {
        return await attempt(use);
      } catch (error) {
        if (!isBusy(error) || performance.now() - since + pause > patienceMs) throw error;
      }
      await delay(pause * (0.5 + Math.random()));
    }
  }

  return {
    write(use) {
      const since = performance.now();
      return gate.run(() => patiently(use, since));
    },
    finish: () =>
      gate.run(async () => {
        try {
          // SQLite does this by itself when the last connection closes, but connections of this client live on until
          // their statements are collected.
          await attempt((client) => client.execute("pragma wal_checkpoint(truncate)"));
        } catch (error) {
          // What stays in the log is read by whoever opens the file next: nothing is lost.
          if (!(error instanceof DatabaseUnavailable)) throw error;
        }
      }),
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && error.reason === "busy";
}
