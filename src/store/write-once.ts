import { KinoraError } from "../errors.ts";
import type { Database, Result, Statement } from "./database.ts";
import { ConstraintError, DatabaseUnavailable } from "./faults.ts";
import { delay } from "./time.ts";

/** Writes a batch exactly once, also when the connection breaks in the middle. */
export type WriteOnce = (statements: readonly Statement[]) => Promise<readonly Result[]>;

/** Pauses before a batch that was surely not written is sent again, in milliseconds. */
const pausesMs = [20, 100, 400] as const;

/** How long the ids of changes are kept: far longer than any request is retried. */
export const changeLogRetentionMs = 10 * 60_000;

/** One change of so many also deletes the ids that are too old. */
const sweepEvery = 128;

/**
 * The way to write for changes.
 *
 * An embedded database answers or fails; there a batch goes as it is. Behind a network the batch begins with a row in
 * `change_log` under a random id. When the connection breaks, that row tells whether the batch was written: if so, the
 * write has succeeded (its results are lost), if not, the same batch is sent again; should the first one come through
 * after all, the second fails on the same row and nothing is written twice.
 */
export function writeOnce(database: Database, now: () => number): WriteOnce {
  if (database.kind === "embedded") return (statements) => database.batch(statements, "write");
  return (statements) => writeLogged(database, now(), statements);
}

async function writeLogged(
  database: Database,
  at: number,
  statements: readonly Statement[],
): Promise<readonly Result[]> {
  const id = `${timePrefix(at)}${crypto.randomUUID()}`;
  const logged = [{ sql: "insert into change_log (id) values (?)", args: [id] }, ...statements, ...sweep(id, at)];
  for (const pause of [...pausesMs, undefined]) {
    try {
      const results = await database.batch(logged, "write");
      return results.slice(1, statements.length + 1);
    } catch (error) {
      if (isOwnId(error)) return lostResults(statements);
      if (!(error instanceof DatabaseUnavailable) || !isPassing(error) || pause === undefined) throw placed(error);
      await delay(pause);
      if (error.outcome === "unknown" && (await wasWritten(database, id, error))) return lostResults(statements);
    }
  }
  throw new DatabaseUnavailable("unreachable");
}

/** Failures that can be over in a moment. */
function isPassing({ reason }: DatabaseUnavailable): boolean {
  return reason === "busy" || reason === "lost" || reason === "unreachable";
}

function isOwnId(error: unknown): boolean {
  return error instanceof ConstraintError && error.statementIndex === 0 && error.kind === "unique";
}

/** The error with the index that the failed statement had before the log's row came in front. */
function placed(error: unknown): unknown {
  if (!(error instanceof ConstraintError) || error.statementIndex === undefined) return error;
  return new ConstraintError(error.kind, error.constraint, error.statementIndex - 1, error);
}

async function wasWritten(database: Database, id: string, lost: DatabaseUnavailable): Promise<boolean> {
  try {
    const { rows } = await database.query({ sql: "select 1 from change_log where id = ?", args: [id] });
    return rows.length > 0;
  } catch (error) {
    throw new KinoraError(
      "unavailable",
      {
        ...lost.details,
        explanation: "The connection to the database was lost; whether the change was written cannot be told yet",
      },
      { cause: error },
    );
  }
}

function lostResults(statements: readonly Statement[]): readonly Result[] {
  return statements.map(() => ({
    get rows(): never {
      throw resultsLost();
    },
    get rowsAffected(): never {
      throw resultsLost();
    },
  }));
}

function resultsLost(): KinoraError {
  return new KinoraError("unavailable", {
    explanation: "The change was written, but what the database answered was lost with the connection",
    headers: { "Retry-After": "1" },
  });
}

function sweep(id: string, at: number): readonly Statement[] {
  if (Number.parseInt(id.slice(-4), 16) % sweepEvery !== 0) return [];
  return [{ sql: "delete from change_log where id < ?", args: [timePrefix(at - changeLogRetentionMs)] }];
}

/** Milliseconds as text that sorts like the number. */
function timePrefix(at: number): string {
  return Math.max(0, at).toString(16).padStart(12, "0");
}
