import { repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Statement } from "../../store/database.ts";
import { accessKinds } from "../access/access-entity.ts";
import { systemUser } from "../metadata/system-user.ts";
import { addDeletion } from "./delete-libraries.ts";
import type { LibraryEnvironment } from "./library-environment.ts";
import { libraryPairs } from "./library-metadata-routes.ts";

export interface PurgeDeps {
  readonly environment: LibraryEnvironment;
  /** Days without use after which a library goes; 0 keeps all. */
  readonly retentionDays: () => number;
  /** Told how many went. */
  readonly purged?: (libraries: number) => void;
}

const dayMs = 86_400_000;
/** Between two looks of one instance, in milliseconds. */
const lookEveryMs = 3_600_000;
/** How long one instance may purge alone. */
const leaseMs = 60_000;
/** Libraries that one change removes. */
const atOnce = 50;

const key = `(l.id * 8 + ${accessKinds.library.number})`;
/**
 * Libraries `l` that nobody uses: neither read nor changed for a while, and without anything that shows that somebody
 * counts on them: their refresh, a place in a collection, grants, an identifier of another system, pairs of text.
 */
const unused = `l.auto_refresh = 0 and l.used < ?
  and not exists (select 1 from collection_member where kind = ${accessKinds.library.number} and member = l.id)
  and not exists (select 1 from access_entry where entity = ${key})
  and not exists (select 1 from external_id where type = 'library' and entity = l.id)
  and not exists (select 1 from key_value where entity = '${libraryPairs}' and entity_id = l.id)`;

/**
 * Makes what removes libraries that nobody has used for so many days; one instance at a time, some with each change. One
 * that is used at the same moment stays.
 *
 * @returns a function from milliseconds to spend to milliseconds after which to come back
 */
export function purgeLibraries({ environment, retentionDays, purged }: PurgeDeps) {
  const { store } = environment;
  let due = 0;

  async function findUnused(before: number): Promise<readonly number[]> {
    const rows = await store.query({
      sql: `select l.id from library l where ${unused} order by l.used limit ${atOnce}`,
      args: [before],
    });
    return rows.map((row) => Number(row.id));
  }

  function stillUnused(libraries: readonly number[], before: number): Statement {
    return {
      sql: `select count(*) = ? from library l where l.id in (select value from json_each(?)) and ${unused}`,
      args: [libraries.length, JSON.stringify(libraries), before],
    };
  }

  /** Removes some; answers how many. */
  async function purge(before: number): Promise<number> {
    return repeatWhenRaced(async () => {
      const libraries = await findUnused(before);
      if (libraries.length === 0) return 0;
      const change = store.change({ userName: systemUser });
      await addDeletion(environment, change, libraries, stillUnused(libraries, before));
      await change.commit();
      return libraries.length;
    });
  }

  return async (budgetMs: number): Promise<number> => {
    const days = retentionDays();
    if (days === 0) return lookEveryMs;
    if (store.now() < due) return due - store.now();
    const before = store.now() - days * dayMs;
    const lease =
      (await findUnused(before)).length === 0 ? undefined : await store.leases.claim("library-purge", leaseMs);
    if (lease === undefined) {
      due = store.now() + lookEveryMs;
      return lookEveryMs;
    }
    const until = store.now() + Math.min(budgetMs, leaseMs / 2);
    let count = 0;
    try {
      for (let some = atOnce; some === atOnce && store.now() <= until; ) {
        some = await purge(before);
        count += some;
        if (some < atOnce) due = store.now() + lookEveryMs;
      }
      return Math.max(0, due - store.now());
    } finally {
      await lease.release();
      if (count > 0) purged?.(count);
    }
  };
}
