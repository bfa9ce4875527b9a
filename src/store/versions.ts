import type { Change } from "./change.ts";
import type { Database } from "./database.ts";

/** Counters by which caches learn that what they hold has changed, also on another instance. */
export interface Versions {
  /**
   * The last known value, at most 5 s old; 0 for a name that was never bumped. Answers at once and looks into the
   * database behind the caller's back about every 2 s of use. While nothing is known that is fresh enough, the answer
   * is a negative number that is never given twice, so that every cache misses.
   */
  current(name: string): number;
  /** The value as it was at most `maxAgeMs` ago; asks the database when nothing known is that young. */
  fresh(name: string, maxAgeMs: number): Promise<number>;
  /** Raises the value when the change is committed; on this instance at once. */
  bump(change: Change, name: string): void;
}

/** Values older than this are looked up again in the background. */
export const pollAfterMs = 2000;
/** Values older than this are not told any more. */
export const knownForMs = 5000;
/** A look that has not ended by then (its request was cancelled) no longer keeps another from starting. */
const pollLostAfterMs = 10_000;

export interface VersionOptions {
  readonly database: Database;
  readonly now: () => number;
  /** Given each look into the database that no caller waits for. */
  readonly background: (work: Promise<void>) => void;
  readonly pollFailed: (error: unknown) => void;
}

export function createVersions(options: VersionOptions): Versions {
  const { database, now, background, pollFailed } = options;
  const values = new Map<string, number>();
  const bumps = new Map<string, number>();
  let knownSince = Number.NEGATIVE_INFINITY;
  let pollSince = Number.NEGATIVE_INFINITY;
  let unknown = 0;

  /** One statement reads all: there are a handful of names. A bump that comes while it runs is not undone by it. */
  async function poll(): Promise<void> {
    const since = now();
    const before = new Map(bumps);
    const { rows } = await database.query({ sql: "select name, value from version" });
    for (const row of rows) {
      const name = String(row.name);
      const value = Number(row.value);
      const bumped = bumps.get(name) !== before.get(name);
      values.set(name, bumped ? Math.max(value, values.get(name) ?? 0) : value);
    }
    knownSince = Math.max(knownSince, since);
  }

  function pollBehind(time: number): void {
    if (time - pollSince < pollLostAfterMs) return;
    pollSince = time;
    const done = () => {
      pollSince = Number.NEGATIVE_INFINITY;
    };
    background(
      poll().then(done, (error: unknown) => {
        done();
        pollFailed(error);
      }),
    );
  }

  return {
    current(name) {
      const time = now();
      const age = time - knownSince;
      if (age > pollAfterMs) pollBehind(time);
      if (age > knownForMs) return --unknown;
      return values.get(name) ?? 0;
    },
    async fresh(name, maxAgeMs) {
      if (now() - knownSince > maxAgeMs) await poll();
      return values.get(name) ?? 0;
    },
    bump(change, name) {
      const sql = "insert into version (name, value) values (?, 1) on conflict (name) do update set value = value + 1";
      change.add({ sql, args: [name] }, { silent: true });
      change.onCommit(() => {
        values.set(name, (values.get(name) ?? 0) + 1);
        bumps.set(name, (bumps.get(name) ?? 0) + 1);
      });
    },
  };
}
