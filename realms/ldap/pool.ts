import type { LdapConnection } from "./connection.ts";
import { LdapFailure } from "./failure.ts";

/** Milliseconds after which an idle connection is not used again: firewalls forget them without a word. */
const longestIdleMs = 60_000;
/** Callers that wait for a connection; further ones are refused at once. */
const mostWaiting = 1_000;

export interface PoolDeps {
  /** The most connections at a time. */
  readonly size: number;
  /** Milliseconds to wait for one of them. */
  readonly waitMs: number;
  readonly now: () => number;
  /** Whether an idle connection is worth using. */
  readonly wanted: (connection: LdapConnection) => boolean;
}

/** Connections that are used one after the other by many. */
export interface Pool {
  /**
   * Hands an idle connection to `work`, or a new one of `open`, when there is room; takes it back at the end.
   *
   * @throws LdapFailure `unreachable` when no connection gets free in time, or too many wait
   */
  use<T>(open: () => Promise<LdapConnection>, work: (connection: LdapConnection) => Promise<T>): Promise<T>;
  /** Ends idle connections now and the others after their work; there are no more. */
  close(): void;
}

interface Idle {
  readonly connection: LdapConnection;
  readonly since: number;
}

export function createPool({ size, waitMs, now, wanted }: PoolDeps): Pool {
  const idle: Idle[] = [];
  const waiting: (() => void)[] = [];
  let taken = 0;
  let closed = false;

  async function enter(): Promise<void> {
    if (taken < size) {
      taken += 1;
      return;
    }
    if (waiting.length >= mostWaiting) throw new LdapFailure("unreachable", "Too many wait for a connection");
    await new Promise<void>((resolve, reject) => {
      const next = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(next), 1);
        reject(new LdapFailure("unreachable", `No connection is free after ${waitMs / 1000} s`));
      }, waitMs);
      waiting.push(next);
    });
  }

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    else next();
  }

  function takeIdle(): LdapConnection | undefined {
    for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
      const { connection, since } = one;
      if (connection.usable && now() - since < longestIdleMs && wanted(connection)) return connection;
      connection.close();
    }
    return undefined;
  }

  return {
    async use(open, work) {
      if (closed) throw new LdapFailure("unreachable", "The realm has stopped");
      await enter();
      try {
        const connection = takeIdle() ?? (await open());
        try {
          return await work(connection);
        } finally {
          if (closed) connection.close();
          else if (connection.usable) idle.push({ connection, since: now() });
        }
      } finally {
        leave();
      }
    },
    close() {
      closed = true;
      for (const { connection } of idle.splice(0)) connection.close();
    },
  };
}
