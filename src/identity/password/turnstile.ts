/** Lets a bounded number of tasks run at one time and a bounded number wait for their turn. */
export interface Turnstile {
  /** Runs the task in its turn. `undefined`: too many wait already, the task was not run. */
  run<T>(task: () => Promise<T>): Promise<T> | undefined;
}

/**
 * Makes a turnstile; tasks run in the order in which they came.
 *
 * @param concurrent tasks that run at one time
 * @param waiting tasks that may wait. 0 where a request must not wait for another one (Workers)
 */
export function createTurnstile(concurrent: number, waiting: number): Turnstile {
  let running = 0;
  const queue: (() => void)[] = [];

  function leave(): void {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  }

  async function inside<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } finally {
      leave();
    }
  }

  return {
    run(task) {
      if (running < concurrent) {
        running += 1;
        return inside(task);
      }
      if (queue.length >= waiting) return undefined;
      // The place of the task that leaves passes to the one that enters, so `running` stays as it is.
      return new Promise<void>((enter) => queue.push(enter)).then(() => inside(task));
    },
  };
}
