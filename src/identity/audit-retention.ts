import type { Store } from "../store/store.ts";

/** Entries removed in one go. */
const pruneAtOnce = 5000;
const day = 86_400_000;

/** Removes entries older than the property `auditTrailRetentionDays` says. Gives how many. */
export async function pruneAuditTrail(store: Store, retentionDays: number): Promise<number> {
  if (retentionDays <= 0) return 0;
  const before = store.now() - retentionDays * day;
  const old = await store.query({ sql: "select 1 from audit where time < ? limit 1", args: [before] });
  if (old.length === 0) return 0;
  const [result] = await store
    .change({ userName: "system" })
    .add({
      sql: "delete from audit where id in (select id from audit where time < ? order by time limit ?)",
      args: [before, pruneAtOnce],
    })
    .commit();
  return result?.rowsAffected ?? 0;
}
