/** The entries of users and groups that are deleted: they go with them, and are announced like others that are removed. */
import { raced, repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Actor, Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { type AssetTask, addTask } from "../tasks/asset-tasks.ts";
import { type EventEntry, recordAccess } from "./access-events.ts";

/** The name of the task that removes what is too much for the deletion itself. */
export const goneEntriesTask = "gone-entries";
/** Entries that one change removes: the deletion, and each slice of the task. */
export const mostGoneAtOnce = 500;

interface GoneEntry extends EventEntry {
  readonly entity: number;
}

interface Payload {
  readonly principals: readonly number[];
  /** Who deleted the users or groups. */
  readonly actor: Actor;
}

/**
 * Adds the removal of all entries of users and groups, which are about to be retired. Each is an event; those behind the
 * first {@link mostGoneAtOnce} follow in slices in the background, where nobody has them any more.
 *
 * @param keys what they are found by
 * @throws KinoraError `raced` by the commit, when an entry has come to be another meanwhile
 */
export async function removeEntriesOf(store: Store, change: Change, keys: readonly string[]): Promise<void> {
  const rows = await store.query({
    sql: "select id from access_principal where key in (select value from json_each(?))",
    args: [JSON.stringify(keys)],
  });
  const principals = rows.map((row) => Number(row.id));
  if (principals.length === 0) return;
  addRemoval(store, change, await readEntries(store, principals));
  const { userName, runAs } = change.actor;
  const payload: Payload = { principals, actor: { userName, ...(runAs === undefined ? {} : { runAs }) } };
  // Asked in the batch, behind the removal: so entries that came a moment ago are not overlooked either.
  addTask(
    change,
    goneEntriesTask,
    { ...payload },
    {
      sql: "select exists (select 1 from access_entry where principal in (select value from json_each(?)))",
      args: [JSON.stringify(principals)],
    },
  );
}

/** Does one slice. Answers how many were removed so far; `undefined` when all are gone. */
export function goneEntriesSlice(store: Store, { cursor, payload }: AssetTask): Promise<number | undefined> {
  const { principals, actor } = payload as unknown as Payload;
  return repeatWhenRaced(async () => {
    const entries = await readEntries(store, principals);
    if (entries.length === 0) return undefined;
    const change = store.change(actor);
    addRemoval(store, change, entries);
    await change.commit();
    return entries.length < mostGoneAtOnce ? undefined : cursor + entries.length;
  });
}

async function readEntries(store: Store, principals: readonly number[]): Promise<readonly GoneEntry[]> {
  // In no order: sorted, each slice would cost as much as all that is left.
  const rows = await store.query({
    sql: `select e.id, e.entity, e.principal, e.permission, p.name from json_each(?) j
      cross join access_principal p on p.id = j.value cross join access_entry e on e.principal = p.id
      limit ${mostGoneAtOnce}`,
    args: [JSON.stringify(principals)],
  });
  return rows.map(({ id, entity, principal, permission, name }) => ({
    id: Number(id),
    entity: Number(entity),
    principal: Number(principal),
    permission: Number(permission),
    name: String(name),
  }));
}

function addRemoval(store: Store, change: Change, entries: readonly GoneEntry[]): void {
  if (entries.length === 0) return;
  change.require(
    {
      sql: `select count(*) = ? from json_each(?) j
        join access_entry e on e.id = j.value ->> 0 and e.permission = j.value ->> 1`,
      args: [entries.length, JSON.stringify(entries.map(({ id, permission }) => [id, permission]))],
    },
    raced,
  );
  change.add(
    {
      sql: "delete from access_entry where id in (select value from json_each(?))",
      args: [JSON.stringify(entries.map(({ id }) => id))],
    },
    { silent: true },
  );
  for (const entry of entries) recordAccess(change, store.ids, "DELETE", entry.entity, entry);
}
