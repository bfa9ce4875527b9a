import type { Store } from "../../store/store.ts";

/** Between two sweeps of one instance, in milliseconds. */
const sweepEveryMs = 3_600_000;

/**
 * Makes what removes, now and then, access sets that no entity is in, left behind by deleted entities, and classes that no
 * set has. Whoever puts an entity into such a set at the same moment does it again.
 *
 * @returns a function that answers the milliseconds after which to come back
 */
export function sweepAccess(store: Store): () => Promise<number> {
  let due = store.now() + sweepEveryMs;
  return async () => {
    if (store.now() < due) return due - store.now();
    due = store.now() + sweepEveryMs;
    await store
      .change({ userName: "system" })
      .add(
        {
          sql: `delete from access_set where id in (select access_set from access_set_parent)
            and not exists (select 1 from search_total t
              where t.access = access_set.id and t.kind = access_set.key ->> 0 and t.entities > 0)`,
        },
        {
          sql: "delete from access_set_parent where not exists (select 1 from access_set s where s.id = access_set)",
        },
        {
          sql: "delete from access_reader where not exists (select 1 from access_set s where s.class = access_reader.class)",
        },
        {
          sql: "delete from access_class where not exists (select 1 from access_set s where s.class = access_class.id)",
        },
      )
      .commit();
    return sweepEveryMs;
  };
}
