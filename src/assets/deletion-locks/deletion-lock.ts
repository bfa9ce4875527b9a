import { fromEpoch } from "../../documents/date-time.ts";
import type { Row } from "../../store/database.ts";
import type { DeletionLockValue } from "../documents/deletion-lock-document.ts";
import type { KeyValuePair } from "../documents/media-types.ts";
import type { LockType } from "./lock-reach.ts";

/** A deletion lock as it is stored. */
export interface DeletionLock {
  readonly serial: number;
  readonly type: LockType;
  /** The serial of what it is set on. */
  readonly entity: number;
  readonly user: string;
  /** In epoch milliseconds; at this moment it protects no more. */
  readonly expires: number;
  readonly modified: number;
  readonly metadata: readonly KeyValuePair[];
}

/** The columns of `deletion_lock l` that {@link deletionLock} reads. */
export const lockColumns = "l.id, l.type, l.entity, l.user, l.expires, l.modified";

/** A row as a lock. */
export function deletionLock(row: Row, metadata: readonly KeyValuePair[] = []): DeletionLock {
  return {
    serial: Number(row.id),
    type: row.type as LockType,
    entity: Number(row.entity),
    user: String(row.user),
    expires: Number(row.expires),
    modified: Number(row.modified),
    metadata,
  };
}

/**
 * Of the locks that reach an entity the one that counts: not expired, and of those the one that expires last; of equals
 * the first that was made. `undefined` when none protects it.
 */
export function effectiveLock(reaching: readonly DeletionLock[], now: number): DeletionLock | undefined {
  return reaching
    .filter(({ expires }) => expires > now)
    .reduce<DeletionLock | undefined>(
      (best, lock) => (best === undefined || goesBefore(lock, best) ? lock : best),
      undefined,
    );
}

function goesBefore(a: DeletionLock, b: DeletionLock): boolean {
  return a.expires > b.expires || (a.expires === b.expires && a.serial < b.serial);
}

/** How a lock appears from the place of an entity. */
export interface LockView {
  readonly now: number;
  readonly inherited: boolean;
  readonly effective: boolean;
  /** The caller may not see what the lock is set on. */
  readonly hidden?: boolean;
  readonly format: (serial: number) => string;
}

/** A lock as a document. */
export function lockDocument(
  lock: DeletionLock,
  { now, inherited, effective, hidden = false, format }: LockView,
): DeletionLockValue {
  const { serial, type, entity, user, expires, modified, metadata } = lock;
  return {
    isExpired: expires <= now,
    isInherited: inherited,
    isEffective: effective,
    id: format(serial),
    user,
    expiryTime: fromEpoch(expires),
    modified: fromEpoch(modified),
    entityType: type,
    ...(hidden ? {} : { entityId: format(entity) }),
    ...(hidden || metadata.length === 0 ? {} : { metadata: { field: metadata } }),
  };
}
