import { KinoraError } from "../errors.ts";
import type { Database, Result, Statement } from "./database.ts";
import { ConstraintError, DatabaseUnavailable } from "./faults.ts";
import { delay } from "./time.ts";

/** Writes a batch exactly once, also when the connection breaks in the middle. */
export type WriteOnce = (statements: readonly Statement[]) => Promise<readonly Result[]>;

/** Pauses before a batch is sent again, in milliseconds: a restart of the server is waited for. */
const pausesMs = [20, 100, 400, 1500] as const;

/** How long the ids of changes are kept: far longer than any change is sent again. */
export const changeLogRetentionMs = 10 * 60_000;

/** One change of so many also deletes the ids that are too old. */
const sweepEvery = 128;

/**
 * The way to write for changes.
 *
 * An embedded database answers or fails; there a batch goes as it is. Behind a network the batch begins with a row in
 * `change_log` under a random id. When the connection breaks, the same batch is sent again: if the first one was
 * written after all, the second fails on that row, and this is how we know (its results are lost, the change is not).
 *
 * @throws DatabaseUnavailable when the database stays away; the explanation tells when it is not known whether the
 * change was written
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
  let maybeWritten = false;
  for (let attempt = 0; ; attempt++) {
    try {
      const results = await database.batch(logged, "write");
      return results.slice(1, statements.length + 1);
    } catch (error) {
      if (isOwnId(error)) return statements.map(lostResult);
      if (!(error instanceof DatabaseUnavailable)) throw placed(error);
      maybeWritten ||= error.outcome === "unknown";
      const pause = isPassing(error) ? pausesMs[attempt] : undefined;
      if (pause === undefined) throw maybeWritten ? unknownOutcome(error) : error;
      await delay(pause);
    }
  }
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

function unknownOutcome(error: DatabaseUnavailable): KinoraError {
  const explanation = "The connection to the database was lost; whether the change was written is not known";
  return new KinoraError("unavailable", { ...error.details, explanation }, { cause: error });
}

/** Stands for what a statement answered when only the answer was lost: whoever looks at it learns that. */
function lostResult(): Result {
  const lost = (): never => {
    const explanation = "The change was written, but what the database answered was lost with the connection";
    throw new KinoraError("unavailable", { explanation, headers: { "Retry-After": "1" } });
  };
  return {
    get rows() {
      return lost();
    },
    get rowsAffected() {
      return lost();
    },
  };
}

function sweep(id: string, at: number): readonly Statement[] {
  if (Number.parseInt(id.slice(-4), 16) % sweepEvery !== 0) return [];
  return [{ sql: "delete from change_log where id < ?", args: [timePrefix(at - changeLogRetentionMs)] }];
}

/** Milliseconds as text that sorts like the number. */
function timePrefix(at: number): string {
  return Math.max(0, at).toString(16).padStart(12, "0");
}
