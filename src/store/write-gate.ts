import { DatabaseUnavailable } from "./faults.ts";

/** Writers that may wait at once; one more is told that the database is busy. */
export const maximumWaitingWriters = 10_000;

/** Lets one task through at a time, in the order of arrival. */
export interface WriteGate {
  run<T>(task: () => Promise<T>): Promise<T>;
}

/**
 * The gate before the one writer of an embedded database.
 *
 * A second writer of the same process would block the event loop for the whole busy time-out, because the embedded
 * client waits synchronously; so writers wait here instead.
 */
export function writeGate(): WriteGate {
  const waiting: (() => void)[] = [];
  let occupied = false;
  return {
    async run(task) {
      if (occupied) {
        if (waiting.length >= maximumWaitingWriters) throw new DatabaseUnavailable("busy");
        await new Promise<void>((enter) => waiting.push(enter));
      }
      occupied = true;
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next === undefined) occupied = false;
        else next();
      }
    },
  };
}
