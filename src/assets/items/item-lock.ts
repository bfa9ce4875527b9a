import { fromEpoch, toEpoch } from "../../documents/date-time.ts";
import { KinoraError } from "../../errors.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { entityKey } from "../entity.ts";

/** How long a lock holds when nothing is said: an hour. */
export const defaultLockSeconds = 3600;
/** A lock that nobody renews ends within a year. */
const longestLockSeconds = 366 * 24 * 3600;

/** Until when a lock shall hold. */
export interface LockTerm {
  /** Seconds from now; 0 for the default. */
  readonly duration?: number | undefined;
  /** A date-time, instead of a duration. */
  readonly timestamp?: string | undefined;
}

/** The moment at which a lock ends. @throws KinoraError `invalid-input` for no date-time, the past, or beyond a year */
export function lockEnd(now: number, { duration = 0, timestamp }: LockTerm): number {
  const end = timestamp === undefined ? now + (duration || defaultLockSeconds) * 1000 : toEpoch(timestamp);
  if (end > now && end <= now + longestLockSeconds * 1000) return end;
  throw new KinoraError("invalid-input", {
    context: "lock",
    value: timestamp ?? String(duration),
    explanation: "A lock ends in the future, and within a year",
  });
}

/** A lock as it is in force. */
export interface ItemLock {
  readonly id: string;
  readonly user: string;
  readonly expires: string;
}

/** Reads the lock of an item; `undefined` when none is in force. */
export async function readItemLock(store: Store, item: number): Promise<ItemLock | undefined> {
  const [row] = await store.query({
    sql: "select id, user, expires from item_lock where item = ? and expires > ?",
    args: [item, store.now()],
  });
  if (row === undefined) return undefined;
  return { id: store.ids.format(Number(row.id)), user: String(row.user), expires: fromEpoch(Number(row.expires)) };
}

/** A write of metadata that was planned before the lock does not hold behind it. */
function countAsWrite(change: Change, item: number): void {
  change.add({ sql: "update metadata set writes = writes + 1 where id = ?", args: [entityKey("item", item)] });
}

/** Locks an item for a user, or moves the end of the user's lock. @throws KinoraError `conflict` when another has it */
export async function lockItem(
  store: Store,
  change: Change,
  item: number,
  user: string,
  term: LockTerm,
): Promise<void> {
  const now = store.now();
  const expires = lockEnd(now, term);
  const id = await store.ids.nextSerial("item-lock");
  change.add({
    sql: `insert into item_lock (item, id, user, expires) values (?1, ?2, ?3, ?4)
      on conflict (item) do update set user = ?3, expires = ?4, id = iif(user = ?3, id, ?2)
      where user = ?3 or expires <= ?5`,
    args: [item, id, user, expires, now],
  });
  change.require(
    { sql: "select changes() = 1" },
    new KinoraError("conflict", {
      context: "lock",
      id: store.ids.format(item),
      explanation: "Another user has locked the item",
    }),
  );
  countAsWrite(change, item);
  await change.commit();
}

/**
 * Ends the lock of an item.
 *
 * @throws KinoraError `not-found` when there is none, `conflict` when it is another user's and the caller no administrator
 */
export async function unlockItem(store: Store, change: Change, item: number, subject: Subject): Promise<void> {
  const lock = await readItemLock(store, item);
  if (lock === undefined) throw new KinoraError("not-found", { type: "lock", id: store.ids.format(item) });
  if (lock.user !== subject.userName && !subject.hasRole("_administrator")) {
    throw new KinoraError("conflict", {
      context: "lock",
      id: store.ids.format(item),
      explanation: `The item is locked by ${lock.user}`,
    });
  }
  change.add({ sql: "delete from item_lock where item = ? and user = ?", args: [item, lock.user] });
  countAsWrite(change, item);
  await change.commit();
}
