import type { Subject } from "../../plugin/contract.ts";
import type { LibraryEnvironment } from "./library-environment.ts";
import { refreshLibrary } from "./refresh-library.ts";

export interface LibrariesTickDeps {
  readonly environment: LibraryEnvironment;
  /** The user as a subject; `undefined` for one that is disabled or gone. */
  readonly subjectOf: (userName: string) => Promise<Subject | undefined>;
  /** Told of a refresh that failed; the library is tried again after its time. */
  readonly failed: (library: number, error: unknown) => void;
}

/** How long one instance may refresh alone. */
const leaseMs = 60_000;
/** Milliseconds after which to look again when nothing is due. */
const restMs = 5000;

/**
 * Makes what refreshes libraries that are due, in the names of their owners; one instance at a time. A library whose owner
 * is disabled stays as it is.
 *
 * @returns a function from milliseconds to spend to milliseconds after which to come back
 */
export function librariesTick({ environment, subjectOf, failed }: LibrariesTickDeps) {
  const { store } = environment;
  return async (budgetMs: number): Promise<number> => {
    const due = async () => {
      const [row] = await store.query({
        sql: `select id, owner from library
          where auto_refresh = 1 and update_mode <> 'TRANSIENT' and last_update + update_frequency * 1000 <= ?
          order by last_update limit 1`,
        args: [store.now()],
      });
      return row;
    };
    let next = await due();
    if (next === undefined) return restMs;
    const lease = await store.leases.claim("library-refresh", leaseMs);
    if (lease === undefined) return restMs;
    const until = store.now() + Math.min(budgetMs, leaseMs / 2);
    try {
      while (next !== undefined && store.now() <= until) {
        await refresh(Number(next.id), String(next.owner));
        next = await due();
      }
      return next === undefined ? restMs : 0;
    } finally {
      await lease.release();
    }
  };

  async function refresh(library: number, owner: string): Promise<void> {
    const start = () => store.change({ userName: owner });
    try {
      // First, so that a search that fails is not the only one that is ever tried.
      const change = start();
      change.add({ sql: "update library set last_update = ? where id = ?", args: [store.now(), library] });
      await change.commit();
      const subject = await subjectOf(owner);
      if (subject !== undefined) await refreshLibrary(environment, subject, start, library);
    } catch (error) {
      failed(library, error);
    }
  }
}
