import { systemUser } from "../metadata/system-user.ts";
import { type LockFieldEnvironment, markStale, refreshStale } from "./lock-expiry-field.ts";

/** Blocks of entities that one tick brings up to date, and expired locks that it removes. */
const blocksAtOnce = 20;
const removedAtOnce = 500;
/** How long one instance does this alone, and how long it rests when nothing is left, in milliseconds. */
const leaseMs = 30_000;
const restMs = 5000;

export interface LockUpkeepDeps {
  readonly environment: LockFieldEnvironment;
  /** Whether locks of items and collections are removed when they are expired. */
  readonly autoRemoveExpired: () => boolean;
}

/** Removes a bounded number of expired locks; answers how many. */
async function removeExpired({ store }: LockFieldEnvironment): Promise<number> {
  const rows = await store.query({
    sql: "select id, type, entity from deletion_lock where expires <= ? and type in ('item', 'collection') limit ?",
    args: [store.now(), removedAtOnce],
  });
  if (rows.length === 0) return 0;
  const change = store.change({ userName: systemUser });
  const expired = "select id from deletion_lock where id in (select value from json_each(?)) and expires <= ?";
  const args = [JSON.stringify(rows.map(({ id }) => id)), store.now()];
  change.add({ sql: `delete from key_value where entity = 'deletion-lock' and entity_id in (${expired})`, args });
  change.add({ sql: `delete from deletion_lock where id in (${expired})`, args });
  for (const { type, entity } of rows) markStale(change, type === "item" ? "item" : "collection", Number(entity));
  await change.commit();
  return rows.length;
}

/**
 * Makes the work on deletion locks that is done in the background, on one instance at a time: the field that tells of
 * them follows large changes, and expired locks go where that is wanted. Answers milliseconds after which to come back.
 */
export function createLockUpkeep({ environment, autoRemoveExpired }: LockUpkeepDeps): { tick(): Promise<number> } {
  const { store } = environment;
  return {
    async tick() {
      const [due] = await store.query({
        sql: `select exists (select 1 from deletion_lock_stale)
          or (? and exists (select 1 from deletion_lock where expires <= ? and type in ('item', 'collection'))) as due`,
        args: [autoRemoveExpired() ? 1 : 0, store.now()],
      });
      if (due?.due !== 1) return restMs;
      const lease = await store.leases.claim("deletion-locks", leaseMs);
      if (lease === undefined) return restMs;
      try {
        const removed = autoRemoveExpired() ? await removeExpired(environment) : 0;
        const change = () => store.change({ userName: systemUser });
        const done = await refreshStale(environment, change, blocksAtOnce);
        return done && removed < removedAtOnce ? restMs : 0;
      } finally {
        await lease.release();
      }
    },
  };
}
