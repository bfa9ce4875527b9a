import { fromEpoch } from "../../documents/date-time.ts";
import { KinoraError } from "../../errors.ts";
import { raced, repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import type { Row } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import type { MetadataLock } from "../documents/item-document.ts";

/** Fields of one entity that a user locks for a while; all without names. */
export interface FieldLock {
  /** `entityKey` of the entity. */
  readonly entity: number;
  readonly user: string;
  readonly fields: readonly string[];
  /** Seconds from now. */
  readonly timeout: number;
}

/** Seconds that a lock can be taken for at once: a day. */
export const longestTimeout = 86_400;
/** Locks of one entity. */
const mostLocks = 1000;

function lockOf(store: Store, row: Row): MetadataLock & { readonly serial: number } {
  return {
    serial: Number(row.id),
    id: store.ids.format(Number(row.id)),
    user: String(row.user),
    expires: fromEpoch(Number(row.expires)),
    field: JSON.parse(String(row.fields)) as readonly string[],
  };
}

/** The locks of an entity that are in force. */
export async function readFieldLocks(
  store: Store,
  entity: number,
): Promise<readonly (MetadataLock & { readonly serial: number })[]> {
  const rows = await store.query({
    sql: "select id, user, expires, fields from metadata_lock where entity = ? and expires > ? order by id",
    args: [entity, store.now()],
  });
  return rows.map((row) => lockOf(store, row));
}

/** One lock of an entity that is in force. @throws KinoraError `not-found` */
export async function requireFieldLock(store: Store, entity: number, id: string) {
  const lock = (await readFieldLocks(store, entity)).find((one) => one.id === id);
  if (lock === undefined) throw new KinoraError("not-found", { type: "metadata-lock", id });
  return lock;
}

function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.length === 0 || b.length === 0 || a.some((name) => b.includes(name));
}

/**
 * Locks fields, or renews a lock and says anew what it locks. Locks that have ended are swept.
 *
 * @param renewed the lock to renew
 * @throws KinoraError `conflict` when another user has locked one of the fields
 */
export async function lockFields(
  store: Store,
  startChange: () => Change,
  { entity, user, fields, timeout }: FieldLock,
  renewed?: number,
): Promise<MetadataLock> {
  return repeatWhenRaced(async () => {
    const now = store.now();
    const present = await readFieldLocks(store, entity);
    const other = present.find((lock) => lock.user !== user && overlap(lock.field ?? [], fields));
    if (other !== undefined || present.length >= mostLocks) {
      throw new KinoraError("conflict", {
        context: "metadata-lock",
        explanation:
          other === undefined ? `An entity has at most ${mostLocks} locks` : `The fields are locked by ${other.user}`,
      });
    }
    const serial = renewed ?? (await store.ids.nextSerial("metadata-lock"));
    const expires = now + timeout * 1000;
    const change = startChange();
    change.require(
      {
        sql: `select count(*) = ? and coalesce(max(id), 0) = ? from metadata_lock where entity = ? and expires > ?`,
        args: [present.length, Math.max(0, ...present.map((lock) => lock.serial)), entity, now],
      },
      raced,
    );
    change.add(
      { sql: "delete from metadata_lock where entity = ? and expires <= ?", args: [entity, now] },
      {
        sql: "insert or replace into metadata_lock (id, entity, user, expires, fields) values (?, ?, ?, ?, ?)",
        args: [serial, entity, user, expires, JSON.stringify(fields)],
      },
      // A write that was planned before the lock does not hold behind it.
      { sql: "update metadata set writes = writes + 1 where id = ?", args: [entity] },
    );
    await change.commit();
    return { id: store.ids.format(serial), user, expires: fromEpoch(expires), field: fields };
  });
}

/** Adds the end of a lock to a change. */
export function unlockFields(change: Change, serial: number): void {
  change.add({ sql: "delete from metadata_lock where id = ?", args: [serial] });
}
