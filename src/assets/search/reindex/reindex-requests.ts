import { fromEpoch } from "../../../documents/date-time.ts";
import { KinoraError } from "../../../errors.ts";
import type { Change } from "../../../store/change.ts";
import type { Row } from "../../../store/database.ts";
import type { Store } from "../../../store/store.ts";
import type { ReindexRequest } from "../documents/reindex-document.ts";

export const reindexStatuses = ["IN_QUEUE", "IN_PROGRESS", "PAUSED", "FINISHED", "ABORTED"] as const;
export type ReindexStatus = (typeof reindexStatuses)[number];

/** Rebuilds a part of an index. */
export interface Reindexer {
  /** How many there are. */
  total(): Promise<number>;
  /**
   * Rebuilds the next ones behind `after`.
   *
   * @returns the last one and how many were done; `undefined` when there are no more
   */
  next(after: number): Promise<{ readonly last: number; readonly done: number } | undefined>;
}

/** What can be rebuilt, by the name in the path. */
export type Reindexers = ReadonlyMap<string, Reindexer>;

function missing(target: string): KinoraError {
  return new KinoraError("not-found", { type: "reindex", id: target });
}

/** The rebuilding of an index as it stands. @throws KinoraError `not-found` when none was ever asked for */
export async function readReindex(store: Store, target: string): Promise<ReindexRequest> {
  const [row] = await store.query({ sql: "select * from reindex_request where target = ?", args: [target] });
  if (row === undefined) throw missing(target);
  return reindexDocument(row);
}

function reindexDocument(row: Row): ReindexRequest {
  const finish = row.finish === null ? undefined : fromEpoch(Number(row.finish));
  return {
    index: String(row.target),
    priority: Number(row.priority),
    status: String(row.status),
    start: fromEpoch(Number(row.start)),
    ...(finish === undefined ? {} : { finish }),
    indexesDone: Number(row.done),
    indexesTotal: Number(row.total),
  };
}

/**
 * Asks for a rebuilding: `IN_QUEUE` begins it, also anew; the other states pause, go on with or end the one that is
 * under way, and change nothing about one that has ended.
 *
 * @throws KinoraError `not-found` for an index that cannot be rebuilt, or none under way to pause, go on with or end
 */
export async function requestReindex(
  store: Store,
  change: Change,
  reindexers: Reindexers,
  target: string,
  { priority, status }: { readonly priority: number; readonly status: ReindexStatus },
): Promise<ReindexRequest> {
  const reindexer = reindexers.get(target);
  if (reindexer === undefined) throw missing(target);
  if (status === "IN_QUEUE") {
    const total = await reindexer.total();
    change.add({
      sql: `insert or replace into reindex_request (target, priority, status, start, finish, done, total, after)
        values (?, ?, 'IN_QUEUE', ?, null, 0, ?, 0)`,
      args: [target, priority, store.now(), total],
    });
  } else {
    await readReindex(store, target);
    change.add({
      sql: `update reindex_request set status = ?, priority = ?, finish = case when ? = 'ABORTED' then ? end
        where target = ? and status not in ('FINISHED', 'ABORTED')`,
      args: [status, priority, status, store.now(), target],
    });
  }
  await change.commit();
  return readReindex(store, target);
}

const leaseMs = 30_000;
const restMs = 5000;

/**
 * Makes what carries on with rebuildings, the one of the highest priority first; one instance at a time. A block that
 * was cut off is done again.
 *
 * @returns a function that works for about so many milliseconds, and tells after how many to come back
 */
export function reindexRunner(store: Store, reindexers: Reindexers): (budgetMs: number) => Promise<number> {
  const next = {
    sql: `select target, after from reindex_request where status in ('IN_QUEUE', 'IN_PROGRESS')
      order by priority desc, start limit 1`,
  };

  async function oneBlock(target: string, after: number): Promise<void> {
    const done = await reindexers.get(target)?.next(after);
    const change = store.change({ userName: "system" });
    // One that was paused or begun anew meanwhile stays as it was made.
    const same = "target = ? and after = ? and status in ('IN_QUEUE', 'IN_PROGRESS')";
    if (done === undefined) {
      change.add({
        sql: `update reindex_request set status = 'FINISHED', finish = ?, done = total where ${same}`,
        args: [store.now(), target, after],
      });
    } else {
      change.add({
        sql: `update reindex_request set status = 'IN_PROGRESS', done = min(total, done + ?), after = ? where ${same}`,
        args: [done.done, done.last, target, after],
      });
    }
    await change.commit();
  }

  return async (budgetMs) => {
    const [waiting] = await store.query(next);
    if (waiting === undefined) return restMs;
    const lease = await store.leases.claim("reindex", leaseMs);
    if (lease === undefined) return restMs;
    const until = performance.now() + Math.min(budgetMs, leaseMs / 2);
    try {
      while (performance.now() < until) {
        const [row] = await store.query(next);
        if (row === undefined) return restMs;
        await oneBlock(String(row.target), Number(row.after));
      }
      return 0;
    } finally {
      await lease.release();
    }
  };
}
