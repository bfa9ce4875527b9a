import { DatabaseUnavailable } from "./faults.ts";

export interface WriteTurnsOptions {
  /** Writers at once. */
  readonly most: number;
  /** A writer that has not ended by then was cancelled with its request; one that waits so long is refused. Milliseconds. */
  readonly longestMs: number;
  readonly now: () => number;
  /** Waits a little. */
  readonly pause: () => Promise<void>;
}

/** Runs a write in its turn. @throws DatabaseUnavailable `busy` when its turn does not come */
export type InTurn = <T>(write: () => Promise<T>) => Promise<T>;

/**
 * Lets a number of writers through at once where a request must not await another one's promise (Workers): what they
 * share is a plain list, and each that waits looks at it again by a timer of its own. So the order of arrival is not kept.
 */
export function writeTurns({ most, longestMs, now, pause }: WriteTurnsOptions): InTurn {
  const writing = new Set<{ readonly since: number }>();

  function isFull(time: number): boolean {
    if (writing.size < most) return false;
    for (const writer of writing) if (time - writer.since > longestMs) writing.delete(writer);
    return writing.size >= most;
  }

  return async (write) => {
    const start = now();
    for (let time = start; isFull(time); time = now()) {
      if (time - start > longestMs) throw new DatabaseUnavailable("busy");
      await pause();
    }
    const writer = { since: now() };
    writing.add(writer);
    try {
      return await write();
    } finally {
      writing.delete(writer);
    }
  };
}
