/** Runs tasks of one key one after the other; those of different keys do not wait for each other. */
export type OneAtATime = <T>(key: number, task: () => Promise<T>) => Promise<T>;

/**
 * Lets the writers of one process pass one by one, so that they do not race where they need not. Writers of other
 * processes are held off by the guards of the change.
 *
 * @param shared `false` where a promise of one request must not be awaited by another: tasks then do not wait
 */
export function oneAtATime(shared: boolean): OneAtATime {
  const last = new Map<number, Promise<unknown>>();
  return (key, task) => {
    const before = shared ? last.get(key) : undefined;
    const done = before === undefined ? task() : before.then(task, task);
    if (shared) {
      last.set(key, done);
      const forget = () => {
        if (last.get(key) === done) last.delete(key);
      };
      done.then(forget, forget);
    }
    return done;
  };
}
