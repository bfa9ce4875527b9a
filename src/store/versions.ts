import type { Change } from "./change.ts";
import type { Database } from "./database.ts";

/** Counters by which caches learn that what they hold has changed, also on another instance. */
export interface Versions {
  /**
   * The last known value, at most 5 s old; 0 for a name that was never bumped. Answers at once and looks into the
   * database behind the caller's back about every 2 s of use. While nothing is known that is fresh enough, the answer
   * is a negative number that is never given twice, so that every cache misses.
   *
   * @param time now, where the caller has looked at the clock already
   */
  current(name: string, time?: number): number;
  /** The value as it was at most `maxAgeMs` ago; asks the database when nothing known is that young. */
  fresh(name: string, maxAgeMs: number): Promise<number>;
  /** Raises the value when the change is committed; on this instance at once. */
  bump(change: Change, name: string): void;
}

/** Values older than this are looked up again in the background. */
export const lookAfterMs = 2000;
/** Values older than this are not told any more. */
export const knownForMs = 5000;
/** A look that failed is not repeated sooner. */
const lookAgainAfterMs = 500;
/** A look that has not ended by then (its request was cancelled) no longer keeps another from starting. */
const lookLostAfterMs = 10_000;

export interface VersionOptions {
  readonly database: Database;
  readonly now: () => number;
  /** Given each look into the database that no caller waits for. */
  readonly background: (work: Promise<void>) => void;
  readonly lookFailed: (error: unknown) => void;
}

export function createVersions(options: VersionOptions): Versions {
  const { database, now, background, lookFailed } = options;
  const values = new Map<string, number>();
  const bumps = new Map<string, number>();
  let knownSince = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let running: { readonly since: number; readonly done: Promise<void> } | undefined;
  let unknown = 0;

  /** One statement reads all: there are a handful of names. A bump that comes while it runs is not undone by it. */
  async function read(since: number): Promise<void> {
    const before = new Map(bumps);
    const { rows } = await database.query({ sql: "select name, value from version" });
    for (const row of rows) {
      const name = String(row.name);
      const value = Number(row.value);
      const bumped = bumps.get(name) !== before.get(name);
      values.set(name, bumped ? Math.max(value, values.get(name) ?? 0) : value);
    }
    if (since > knownSince || knownSince > now()) knownSince = since;
  }

  /** How old what we know is; nothing is known when the clock was set back. */
  function ageAt(time: number): number {
    return time >= knownSince ? time - knownSince : Number.POSITIVE_INFINITY;
  }

  function mayLook(time: number): boolean {
    const sinceLast = Math.abs(time - lookedAt);
    return running === undefined ? sinceLast >= lookAgainAfterMs : sinceLast >= lookLostAfterMs;
  }

  /** Starts a look into the database. */
  function look(since: number): Promise<void> {
    lookedAt = since;
    const done = read(since).finally(() => {
      if (running?.done === done) running = undefined;
    });
    running = { since, done };
    return done;
  }

  return {
    current(name, time = now()) {
      const age = ageAt(time);
      if (age > lookAfterMs && mayLook(time)) background(look(time).catch(lookFailed));
      if (age > knownForMs) return --unknown;
      return values.get(name) ?? 0;
    },
    async fresh(name, maxAgeMs) {
      const time = now();
      if (ageAt(time) > maxAgeMs) {
        const shared = running !== undefined && !database.isolated && time - running.since <= maxAgeMs;
        await (shared ? running?.done : look(time));
      }
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
