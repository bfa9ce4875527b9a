import { fromEpoch } from "../../documents/date-time.ts";
import { raced, repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import type { Row } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { entityKey } from "../entity.ts";
import type { TransientFields } from "../metadata/transient-fields.ts";
import { reaches } from "./lock-reach.ts";

/** The field that tells until when an item or collection is protected; it stays when that moment is over. */
export const lockExpiryField = "__deletion_lock_expiry";

/** Entities that one change brings up to date. */
export const blockSize = 500;

export interface LockFieldEnvironment {
  readonly store: Store;
  readonly transientFields: TransientFields;
}

type FieldKind = "item" | "collection";

/** A select of entities that exist, with the last moment at which a lock of theirs, or one they inherit, expires. */
function expiries(kind: FieldKind): string {
  const latest = `(select max(o.expires) from deletion_lock o where ${reaches(kind, "= e.value")})`;
  return `select e.value as entity, ${latest} as expires from json_each(?1) e
    where exists (select 1 from ${kind} where id = e.value)`;
}

/** What the field of an entity says now. */
function current(kind: FieldKind): string {
  return `(select m.transient ->> '$.${lockExpiryField}[0]' from metadata m where m.id = ${entityKeySql(kind)})`;
}

/** The key of the entity `known.entity`. */
function entityKeySql(kind: FieldKind): string {
  return `known.entity * ${entityKey(kind, 1) - entityKey(kind, 0)} + ${entityKey(kind, 0)}`;
}

/** Adds the field of entities to a change, guarded by the locks that were looked at. */
async function addField(
  { store, transientFields }: LockFieldEnvironment,
  change: Change,
  kind: FieldKind,
  serials: readonly number[],
): Promise<void> {
  const list = JSON.stringify(serials);
  const rows = await store.query({
    sql: `select known.entity, known.expires, ${current(kind)} as field from (${expiries(kind)}) known`,
    args: [list],
  });
  change.require(
    {
      sql: `select not exists (
        select 1 from (${expiries(kind)}) now join json_each(?2) seen on seen.value ->> 0 = now.entity
        where now.expires is not seen.value ->> 1)`,
      args: [list, JSON.stringify(rows.map(({ entity, expires }) => [entity, expires]))],
    },
    raced,
  );
  const byField = new Map<string | null, number[]>();
  for (const { entity, expires, field } of rows) {
    const value = expires === null ? null : fromEpoch(Number(expires));
    if (value === field) continue;
    const same = byField.get(value) ?? [];
    byField.set(value, same);
    same.push(Number(entity));
  }
  for (const [value, same] of byField) {
    transientFields.set(change, kind, same, lockExpiryField, value === null ? [] : [value]);
  }
}

const forget = "delete from deletion_lock_stale where type = ?1 and entity in (select value from json_each(?2))";

/** Brings items up to date that are named one by one. */
async function refreshItems(environment: LockFieldEnvironment, change: () => Change, items: readonly number[]) {
  await repeatWhenRaced(async () => {
    const write = change();
    await addField(environment, write, "item", items);
    write.add({ sql: forget, args: ["item", JSON.stringify(items)] });
    await write.commit();
  });
}

/** Brings a collection up to date, then a block of its items; at the end the collections in it follow. */
async function refreshCollection(environment: LockFieldEnvironment, change: () => Change, row: Row): Promise<void> {
  const collection = Number(row.entity);
  await repeatWhenRaced(async () => {
    const write = change();
    if (row.cursor === null) await addField(environment, write, "collection", [collection]);
    const items = await environment.store.query({
      sql: "select member from collection_member where collection = ? and kind = 1 and member > ? order by member limit ?",
      args: [collection, Number(row.cursor ?? 0), blockSize],
    });
    const serials = items.map(({ member }) => Number(member));
    if (serials.length > 0) await addField(environment, write, "item", serials);
    if (serials.length === blockSize) {
      write.add({
        sql: "update deletion_lock_stale set cursor = ? where type = 'collection' and entity = ? and cursor is ?",
        args: [serials.at(-1) ?? null, collection, row.cursor ?? null],
      });
    } else {
      write.add(
        {
          sql: `insert or ignore into deletion_lock_stale (type, entity)
            select 'collection', member from collection_member where collection = ? and kind = 2`,
          args: [collection],
        },
        { silent: true },
      );
      write.add({
        sql: "delete from deletion_lock_stale where type = 'collection' and entity = ? and cursor is ?",
        args: [collection, row.cursor ?? null],
      });
    }
    await write.commit();
  });
}

/** Adds that the field of an entity, and of all that is in it, is to be brought up to date: from the beginning. */
export function markStale(change: Change, kind: FieldKind, serial: number): void {
  change.add(
    { sql: "insert or replace into deletion_lock_stale (type, entity) values (?, ?)", args: [kind, serial] },
    { silent: true },
  );
}

/**
 * Brings the field of marked entities up to date.
 *
 * @param blocks most blocks of entities that are done
 * @returns whether nothing is left
 */
export async function refreshStale(
  environment: LockFieldEnvironment,
  change: () => Change,
  blocks: number,
): Promise<boolean> {
  const { store } = environment;
  for (let done = 0; done < blocks; done++) {
    const [items = [], collections = []] = await store.readAll([
      { sql: "select entity from deletion_lock_stale where type = 'item' limit ?", args: [blockSize] },
      { sql: "select entity, cursor from deletion_lock_stale where type = 'collection' limit 1" },
    ]);
    const [collection] = collections;
    if (items.length > 0) {
      await refreshItems(
        environment,
        change,
        items.map(({ entity }) => Number(entity)),
      );
    } else if (collection !== undefined) await refreshCollection(environment, change, collection);
    else return true;
  }
  return false;
}
