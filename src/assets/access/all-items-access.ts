/** Entries for all items that there are: a change for each slice of items, carried on with in the background. */
import { raced, repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { type AssetTask, addTask, beginTask } from "../tasks/asset-tasks.ts";
import type { AccessControl } from "./access-documents.ts";
import { accessKey } from "./access-entity.ts";
import { insertEntries, readAccessLists, type StoredEntry, sameEntries, takeEntryIds } from "./access-entries.ts";
import { recordAccess } from "./access-events.ts";
import type { Grant } from "./access-set.ts";
import { requireNames } from "./known-names.ts";
import { placeEntities } from "./place-entities.ts";
import { ensurePrincipals, principalKey } from "./principals.ts";
import { wantedEntry } from "./wanted-entry.ts";

/** The name of the task. */
export const allItemsTask = "all-items-access";
/** Items of one slice. */
const itemsAtOnce = 500;
/** Slices that the caller waits for. */
const slicesAtOnce = 40;

interface Payload {
  /** The items that there were when it was asked for: those up to this one. */
  readonly last: number;
  readonly userName: string;
  readonly runAs?: string;
  /** The entry that each item gets; absent when all entries are removed. */
  readonly grant?: Grant & { readonly name: string };
}

/**
 * Starts to give all items an entry, as it was asked for now; later ones do not get it.
 *
 * @throws KinoraError `invalid-input`, `not-found` for a user or group
 */
export async function addToAllItems(
  store: Store,
  change: Change,
  subject: Subject,
  document: AccessControl,
): Promise<void> {
  const wanted = wantedEntry(document);
  await requireNames(store, [wanted]);
  const grantor = { kind: "user", name: subject.userName } as const;
  const numbers = await ensurePrincipals(store, [wanted, grantor]);
  const { permission, reach, priority, operation, name } = wanted;
  await start(store, change, {
    grant: {
      principal: numbers.get(principalKey(wanted.kind, name)) ?? 0,
      grantor: numbers.get(principalKey("user", subject.userName)) ?? 0,
      permission,
      reach,
      priority,
      operation,
      name,
    },
  });
}

/** Starts to remove all entries of all items but those of their owners. */
export function removeFromAllItems(store: Store, change: Change): Promise<void> {
  return start(store, change, {});
}

async function start(store: Store, change: Change, asked: Pick<Payload, "grant">): Promise<void> {
  const { userName, runAs } = change.actor;
  const [row] = await store.query({ sql: "select coalesce(max(id), 0) as last from item" });
  const last = Number(row?.last ?? 0);
  const whole = { ...asked, userName, ...(runAs === undefined ? {} : { runAs }), last };
  addTask(change, allItemsTask, whole);
  await change.commit();
  await beginTask(store, allItemsTask, whole, (task) => allItemsSlice(store, task), slicesAtOnce);
}

/** Does one slice. Answers the item behind which to go on; `undefined` when all are done. */
export async function allItemsSlice(store: Store, { cursor, payload }: AssetTask): Promise<number | undefined> {
  const { last, userName, runAs, grant } = payload as unknown as Payload;
  const actor = { userName, ...(runAs === undefined ? {} : { runAs }) };
  return repeatWhenRaced(async () => {
    const rows = await store.query({
      sql: `select id from item where id > ? and id <= ? order by id limit ${itemsAtOnce}`,
      args: [cursor, last],
    });
    const items = rows.map((row) => accessKey("item", Number(row.id)));
    const lists = await readAccessLists(store, items);
    const change = store.change(actor);
    // An item that has just such an entry got it when this slice was done before.
    const touched = [...lists.values()].filter(({ entries }) =>
      grant === undefined ? entries.length > 0 : !entries.some((entry) => isSame(entry, grant)),
    );
    if (touched.length > 0) {
      await placeEntities(store, change, {
        keys: touched.map(({ entity }) => entity),
        edit: (placement, key) => ({
          ...placement,
          grants: grant === undefined ? [] : [...(lists.get(key)?.entries ?? []), grant],
        }),
      });
      for (const list of touched) change.require(sameEntries(list), raced);
      if (grant === undefined)
        removeAll(
          store,
          change,
          touched.flatMap(({ entries }) => entries),
        );
      else
        await addEach(
          store,
          change,
          touched.map(({ entity }) => entity),
          grant,
        );
      await change.commit();
    }
    return rows.length < itemsAtOnce ? undefined : Number(rows.at(-1)?.id);
  });
}

function isSame(a: Grant, b: Grant): boolean {
  return (
    a.principal === b.principal &&
    a.permission === b.permission &&
    a.reach === b.reach &&
    a.priority === b.priority &&
    a.operation === b.operation
  );
}

function removeAll(store: Store, change: Change, entries: readonly StoredEntry[]): void {
  change.add({
    sql: "delete from access_entry where id in (select value from json_each(?))",
    args: [JSON.stringify(entries.map(({ id }) => id))],
  });
  for (const entry of entries) recordAccess(change, store.ids, "DELETE", entry.entity, entry);
}

async function addEach(
  store: Store,
  change: Change,
  entities: readonly number[],
  grant: Grant & { readonly name: string },
): Promise<void> {
  const ids = await takeEntryIds(store, entities.length);
  const entries = entities.map((entity, index) => ({ ...grant, entity, id: ids[index] ?? 0 }));
  change.add(insertEntries(entries));
  for (const entry of entries) recordAccess(change, store.ids, "CREATE", entry.entity, entry);
}
