import { toEpoch } from "../../documents/date-time.ts";
import { KinoraError } from "../../errors.ts";
import { deleteKeyValues, type KeyValueOwner, putKeyValues } from "../../identity/key-values.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import type { DeletionLockValue } from "../documents/deletion-lock-document.ts";
import { pairsOf, selectPairs } from "../pairs.ts";
import { type DeletionLock, deletionLock, lockColumns } from "./deletion-lock.ts";
import { type LockFieldEnvironment, markStale, refreshStale } from "./lock-expiry-field.ts";
import type { LockType } from "./lock-reach.ts";

/** Blocks of entities that the request which changes a lock brings up to date itself; the rest follows. */
const blocksAtOnce = 4;

export function noSuchLock(identifier: string): KinoraError {
  return new KinoraError("not-found", { type: "deletion-lock", id: identifier });
}

/** The simple metadata of a lock. */
export function lockOwner(store: Store, serial: number): KeyValueOwner {
  return {
    entity: "deletion-lock",
    row: { sql: "(select id from deletion_lock where id = ?)", args: [serial] },
    missing: noSuchLock(store.ids.format(serial)),
  };
}

/** The lock that an id names. @throws KinoraError `not-found` */
export async function requireLock(store: Store, identifier: string): Promise<DeletionLock> {
  const serial = store.ids.parse(identifier);
  if (serial === undefined) throw noSuchLock(identifier);
  const [rows = [], pairs = []] = await store.readAll([
    { sql: `select ${lockColumns} from deletion_lock l where l.id = ?`, args: [serial] },
    selectPairs("deletion-lock", { sql: "?", args: [serial] }),
  ]);
  const [row] = rows;
  if (row === undefined) throw noSuchLock(identifier);
  return deletionLock(row, pairsOf(pairs).get(serial) ?? []);
}

/** The moment at which a lock ends. @throws KinoraError `invalid-input` without one, and for one that is over */
function expiryOf(store: Store, { expiryTime }: DeletionLockValue): number {
  const expires = expiryTime === undefined ? Number.NaN : toEpoch(expiryTime);
  if (expires > store.now()) return expires;
  throw new KinoraError("invalid-input", {
    context: "expiryTime",
    explanation: "A deletion lock has an expiryTime in the future",
    ...(expiryTime === undefined ? {} : { value: expiryTime }),
  });
}

/** The commit of a change of locks, and the field of what they reach. */
async function commit(
  environment: LockFieldEnvironment,
  start: () => Change,
  change: Change,
  { type, entity }: { readonly type: LockType; readonly entity: number },
): Promise<void> {
  if (type !== "file") markStale(change, type, entity);
  await change.commit();
  if (type !== "file") await refreshStale(environment, start, blocksAtOnce);
}

/** What a lock is set on. */
export interface LockTarget {
  readonly type: LockType;
  readonly entity: number;
  readonly user: string;
}

/** Sets a lock; answers its serial. @throws KinoraError `invalid-input`; `not-found` when the entity is gone meanwhile */
export async function createLock(
  environment: LockFieldEnvironment,
  start: () => Change,
  { type, entity, user }: LockTarget,
  document: DeletionLockValue,
): Promise<number> {
  const { store } = environment;
  const expires = expiryOf(store, document);
  const serial = await store.ids.nextSerial("deletion-lock");
  const change = start();
  change.require(
    { sql: `select exists (select 1 from ${type} where id = ?)`, args: [entity] },
    new KinoraError("not-found", { type, id: store.ids.format(entity) }),
  );
  change.add({
    sql: "insert into deletion_lock (id, type, entity, user, expires, modified) values (?, ?, ?, ?, ?, ?)",
    args: [serial, type, entity, user, expires, store.now()],
  });
  if (document.metadata !== undefined) putKeyValues(change, lockOwner(store, serial), document.metadata);
  await commit(environment, start, change, { type, entity });
  return serial;
}

/** Gives a lock another end, and the pairs of metadata that the document has. @throws KinoraError `invalid-input` */
export async function updateLock(
  environment: LockFieldEnvironment,
  start: () => Change,
  lock: DeletionLock,
  document: DeletionLockValue,
): Promise<void> {
  const { store } = environment;
  const expires = expiryOf(store, document);
  const change = start();
  change.add({
    sql: "update deletion_lock set expires = ?, modified = ? where id = ?",
    args: [expires, store.now(), lock.serial],
  });
  change.require({ sql: "select changes() = 1" }, noSuchLock(store.ids.format(lock.serial)));
  if (document.metadata !== undefined) putKeyValues(change, lockOwner(store, lock.serial), document.metadata);
  await commit(environment, start, change, lock);
}

/** Removes a lock. */
export async function deleteLock(
  environment: LockFieldEnvironment,
  start: () => Change,
  lock: DeletionLock,
): Promise<void> {
  const change = start();
  deleteKeyValues(change, lockOwner(environment.store, lock.serial));
  change.add({ sql: "delete from deletion_lock where id = ?", args: [lock.serial] });
  await commit(environment, start, change, lock);
}
