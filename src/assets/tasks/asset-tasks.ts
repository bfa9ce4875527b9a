import type { Change } from "../../store/change.ts";
import type { Row, Statement } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";

/** A piece of work that goes on in slices behind the change that made it necessary. */
export interface AssetTask {
  readonly id: number;
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** How far it came; 0 at first. */
  readonly cursor: number;
}

/** Does one slice. Answers where to go on, or `undefined` when all is done. */
export type TaskSlice = (task: AssetTask) => Promise<number | undefined>;

/**
 * Adds a task to a change; it is taken up after the commit, on any instance.
 *
 * @param when a select of one value; without a true one at this place of the batch there is no task
 */
export function addTask(
  change: Change,
  name: string,
  payload: Readonly<Record<string, unknown>>,
  when: Statement = { sql: "select 1" },
): void {
  change.add(
    {
      sql: `insert into asset_task (name, payload) select ?, ? where (${when.sql})`,
      args: [name, JSON.stringify(payload), ...(when.args ?? [])],
    },
    { silent: true },
  );
}

/**
 * Begins a task that was just added while its caller waits. What is not done after so many slices is left to the
 * background; a slice that both do at once is only done once.
 */
export async function beginTask(
  store: Store,
  name: string,
  payload: Readonly<Record<string, unknown>>,
  slice: TaskSlice,
  slices: number,
): Promise<void> {
  for (let left = slices; left > 0; left--) {
    const [row] = await store.query({
      sql: "select * from asset_task where name = ? and payload = ? order by id limit 1",
      args: [name, JSON.stringify(payload)],
    });
    if (row === undefined) return;
    const task = taskOf(row);
    await finishSlice(store, task, await slice(task));
  }
}

/** How long one instance may work alone before it must say that it still does. */
const leaseMs = 30_000;
/** Milliseconds after which to look again when there is nothing to do. */
const restMs = 5000;

export interface TaskRunnerDeps {
  readonly store: Store;
  readonly slices: ReadonlyMap<string, TaskSlice>;
  /** Told of a slice that failed; the task stays and is tried again. */
  readonly failed: (task: AssetTask, error: unknown) => void;
}

/**
 * Makes what carries on with tasks: one instance at a time, until the budget is used up. Slices are repeatable: when an
 * instance stops in the midst of one, another does it again.
 *
 * @returns a function from milliseconds to spend to milliseconds after which to come back
 */
export function taskRunner({ store, slices, failed }: TaskRunnerDeps): (budgetMs: number) => Promise<number> {
  return async (budgetMs) => {
    const [waiting] = await store.query({ sql: "select 1 from asset_task limit 1" });
    if (waiting === undefined) return restMs;
    const lease = await store.leases.claim("asset-tasks", leaseMs);
    if (lease === undefined) return restMs;
    const until = store.now() + Math.min(budgetMs, leaseMs / 2);
    try {
      for (let after = 0; store.now() <= until; ) {
        const task = await nextTask(store, after);
        if (task === undefined) return restMs;
        const slice = slices.get(task.name);
        if (slice === undefined || !(await advance(store, task, slice, failed))) after = task.id;
      }
      return 0;
    } finally {
      await lease.release();
    }
  };
}

async function nextTask(store: Store, after: number): Promise<AssetTask | undefined> {
  const [row] = await store.query({ sql: "select * from asset_task where id > ? order by id limit 1", args: [after] });
  return row && taskOf(row);
}

function taskOf(row: Row): AssetTask {
  return {
    id: Number(row.id),
    name: String(row.name),
    payload: JSON.parse(String(row.payload)) as AssetTask["payload"],
    cursor: Number(row.cursor),
  };
}

async function finishSlice(store: Store, { id }: AssetTask, cursor: number | undefined): Promise<void> {
  const statement =
    cursor === undefined
      ? { sql: "delete from asset_task where id = ?", args: [id] }
      : { sql: "update asset_task set cursor = ? where id = ?", args: [cursor, id] };
  await store.change({ userName: "system" }).add(statement).commit();
}

/** Does one slice of a task and writes down how far it came. Answers whether it went well. */
async function advance(
  store: Store,
  task: AssetTask,
  slice: TaskSlice,
  failed: TaskRunnerDeps["failed"],
): Promise<boolean> {
  try {
    await finishSlice(store, task, await slice(task));
    return true;
  } catch (error) {
    failed(task, error);
    return false;
  }
}
