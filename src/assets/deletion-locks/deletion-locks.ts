import { fromEpoch } from "../../documents/date-time.ts";
import { KinoraError } from "../../errors.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import type { ItemHooks } from "../items/item-hooks.ts";
import { type DeletionLock, deletionLock, effectiveLock, lockColumns } from "./deletion-lock.ts";
import { type LockType, reaches } from "./lock-reach.ts";

const silent = { silent: true } as const;

/** Entities whose containers have changed. */
export interface MovedEntities {
  readonly items?: readonly number[];
  readonly collections?: readonly number[];
}

/** Deletion locks, as those see them who delete. */
export interface DeletionLocks {
  /** Lets the change hold only while no lock protects these entities; asked inside its batch. */
  requireDeletable(change: Change, type: LockType, serials: readonly number[]): void;
  /** The same before anything is written, with an error that tells the lock. @throws KinoraError `conflict` */
  checkDeletable(type: LockType, serials: readonly number[]): Promise<void>;
  /** Adds that entities which are deleted have no locks any more. */
  removed(change: Change, type: LockType, serials: readonly number[]): void;
  /** Adds that what these entities inherit may have changed; the field that tells of it follows soon. */
  membershipChanged(change: Change, moved: MovedEntities): void;
  /** Deletes items only when nothing protects them. */
  readonly itemHooks: ItemHooks;
}

const listed = "in (select value from json_each(?1))";

/** Names what the lock is set on only when that is to be deleted itself: collections above it may be hidden from the caller. */
function protectedBy(
  store: Store,
  { serial, type, entity, expires }: DeletionLock,
  kind: LockType,
  serials: readonly number[],
): KinoraError {
  const { format } = store.ids;
  const isOwn = type === kind && serials.includes(entity);
  const what = isOwn ? `the ${type} ${format(entity)}` : oneOf(kind, serials);
  return new KinoraError("conflict", {
    context: "deletion-lock",
    id: format(serial),
    explanation: `The deletion lock ${format(serial)} protects ${what} until ${fromEpoch(expires)}`,
  });
}

function oneOf(kind: LockType, serials: readonly number[]): string {
  return serials.length === 1 ? `the ${kind}` : `one of the ${kind}s`;
}

/** Makes them over the tables of locks, memberships and shapes. */
export function createDeletionLocks(store: Store): DeletionLocks {
  const locks: DeletionLocks = {
    requireDeletable(change, type, serials) {
      if (serials.length === 0) return;
      change.require(
        {
          sql: `select not exists (select 1 from deletion_lock o where o.expires > ?2 and ${reaches(type, listed)})`,
          args: [JSON.stringify(serials), store.now()],
        },
        new KinoraError("conflict", {
          context: "deletion-lock",
          explanation: `A deletion lock protects ${oneOf(type, serials)}`,
        }),
      );
    },

    async checkDeletable(type, serials) {
      const now = store.now();
      const rows = await store.query({
        sql: `select ${lockColumns} from deletion_lock l
          where l.expires > ?2 and ${reaches(type, listed, "l")} order by l.expires desc, l.id limit 1`,
        args: [JSON.stringify(serials), now],
      });
      const lock = effectiveLock(
        rows.map((row) => deletionLock(row)),
        now,
      );
      if (lock !== undefined) throw protectedBy(store, lock, type, serials);
    },

    removed(change, type, serials) {
      const list = JSON.stringify(serials);
      const own = `type = ?1 and entity in (select value from json_each(?2))`;
      const ids = `select id from deletion_lock where ${own}`;
      for (const sql of [
        `delete from key_value where entity = 'deletion-lock' and entity_id in (${ids})`,
        `delete from deletion_lock where ${own}`,
        `delete from deletion_lock_stale where ${own}`,
      ]) {
        change.add({ sql, args: [type, list] }, silent);
      }
    },

    membershipChanged(change, { items = [], collections = [] }) {
      for (const [type, serials] of [
        ["item", items],
        ["collection", collections],
      ] as const) {
        if (serials.length === 0) continue;
        change.add(
          {
            sql: `insert or ignore into deletion_lock_stale (type, entity)
              select ?1, value from json_each(?2)
              where exists (select 1 from deletion_lock where type = 'collection')`,
            args: [type, JSON.stringify(serials)],
          },
          silent,
        );
      }
    },

    itemHooks: {
      async itemsDeleted(change, items) {
        await locks.checkDeletable("item", items);
        locks.requireDeletable(change, "item", items);
        locks.removed(change, "item", items);
      },
    },
  };
  return locks;
}
