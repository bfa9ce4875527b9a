/** The time is counted in so many parts. */
const parts = 10;
/** A timer that is late by no more than this, in milliseconds, is so for a busy process as well. */
const usualDelayMs = 50;

/**
 * Calls `done` after so many milliseconds in which this process ran, unless the function that it gives is called before.
 *
 * A timer alone goes by the clock: when a machine was paused, or a computation held everything up, it is due before the
 * answers that lie here unread or are still to be made by others who stood still as well. So a standstill counts as one
 * tenth of the time at most, and the time never ends with one that is longer than that.
 */
export function afterRunning(milliseconds: number, done: () => void): () => void {
  const part = milliseconds / parts;
  let left = parts;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function wait(): void {
    const due = performance.now() + part;
    timer = setTimeout(() => {
      const stoodStill = performance.now() - due > Math.max(part, usualDelayMs);
      left -= 1;
      if (left > 0 || stoodStill) wait();
      else done();
    }, part);
  }

  wait();
  return () => clearTimeout(timer);
}
