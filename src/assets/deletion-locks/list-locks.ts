import { toEpoch } from "../../documents/date-time.ts";
import { KinoraError } from "../../errors.ts";
import type { SqlValue } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import type { Fragment } from "../access-port.ts";
import { pairsOf, selectPairs } from "../pairs.ts";
import { type DeletionLock, deletionLock, effectiveLock, lockColumns } from "./deletion-lock.ts";
import { type LockType, lockTypes, reaches } from "./lock-reach.ts";

/** Which locks a list has. */
export interface LockFilter {
  readonly onlyEffective: boolean;
  readonly username?: string | undefined;
  /** Ends of the locks: `[2026-01-01T00:00:00Z..2027-01-01T00:00:00Z)`; square brackets include the moment. */
  readonly range?: string | undefined;
  /** Pairs of metadata that a lock has, all of them. */
  readonly metadata: readonly (readonly [key: string, value: string])[];
}

/** A page of a list. */
export interface LockPage {
  readonly offset: number;
  readonly limit: number;
}

interface Condition {
  readonly sql: string;
  readonly args: readonly SqlValue[];
}

const rangePattern = /^([[(])([^[\]()]*?)\.\.([^[\]()]*)([\])])$/;

/** The condition that a range of ends means. @throws KinoraError `invalid-input` */
export function rangeCondition(range: string): Condition {
  const [, open, from = "", to = "", close] = rangePattern.exec(range) ?? [];
  const least = from === "" || from === "*" ? Number.MIN_SAFE_INTEGER : toEpoch(from);
  const most = to === "" || to === "*" ? Number.MAX_SAFE_INTEGER : toEpoch(to);
  if (open === undefined || Number.isNaN(least) || Number.isNaN(most)) {
    throw new KinoraError("invalid-input", {
      context: "range",
      value: range.slice(0, 200),
      explanation: "A range is written [from..to), with date-times; a round bracket leaves the moment out",
    });
  }
  return {
    sql: `l.expires ${open === "[" ? ">=" : ">"} ? and l.expires ${close === "]" ? "<=" : "<"} ?`,
    args: [least, most],
  };
}

function filterConditions({ username, range, metadata }: LockFilter): readonly Condition[] {
  return [
    ...(username === undefined ? [] : [{ sql: "l.user = ?", args: [username] }]),
    ...(range === undefined ? [] : [rangeCondition(range)]),
    ...metadata.map(([key, value]) => ({
      sql: `exists (select 1 from key_value where entity = 'deletion-lock' and entity_id = l.id and key = ? and value = ?)`,
      args: [key, value],
    })),
  ];
}

/** The condition that the lock `l` is the one that counts for the entity that it is set on. */
function effectiveThere(now: number): Condition {
  const beaten = (type: LockType) => `(l.type = '${type}' and ${reaches(type, "= l.entity")})`;
  return {
    sql: `l.expires > ? and not exists (select 1 from deletion_lock o
      where (o.expires > l.expires or (o.expires = l.expires and o.id < l.id)) and (${lockTypes.map(beaten).join(" or ")}))`,
    args: [now],
  };
}

/** A lock with what a list tells of it. */
export interface ListedLock {
  readonly lock: DeletionLock;
  readonly effective: boolean;
  /** Whether the caller may not see what it is set on. */
  readonly hidden: boolean;
}

/** What the caller may do with the entity `l.entity` that a lock is set on, by its type, in SQL. */
export type LockRanks = Readonly<Record<LockType, Fragment>>;

/**
 * Locks, the newest first, with how many there are.
 *
 * @param types of the entities that they are set on
 * @param ranks only locks on what the caller may see
 */
export async function listLocks(
  store: Store,
  types: readonly LockType[],
  ranks: LockRanks,
  filter: LockFilter,
  { offset, limit }: LockPage,
): Promise<{ readonly hits: number; readonly locks: readonly ListedLock[] }> {
  const effective = effectiveThere(store.now());
  const visible = types.map((type) => `(l.type = '${type}' and ${ranks[type].sql} >= 1)`).join(" or ");
  const conditions: readonly Condition[] = [
    { sql: `(${visible === "" ? "false" : visible})`, args: types.flatMap((type) => ranks[type].args) },
    ...filterConditions(filter),
    ...(filter.onlyEffective ? [effective] : []),
  ];
  const where = conditions.map(({ sql }) => sql).join(" and ");
  const args = conditions.flatMap((condition) => condition.args);
  const [counted = [], rows = []] = await store.readAll([
    { sql: `select count(*) as hits from deletion_lock l where ${where}`, args },
    {
      sql: `select ${lockColumns}, (${effective.sql}) as effective from deletion_lock l where ${where}
        order by l.id desc limit ? offset ?`,
      args: [...effective.args, ...args, limit, offset],
    },
  ]);
  const serials = JSON.stringify(rows.map(({ id }) => id));
  const pairs = pairsOf(
    await store.query(selectPairs("deletion-lock", { sql: "select value from json_each(?)", args: [serials] })),
  );
  return {
    hits: Number(counted[0]?.hits),
    locks: rows.map((row) => ({
      lock: deletionLock(row, pairs.get(Number(row.id)) ?? []),
      effective: row.effective === 1,
      hidden: false,
    })),
  };
}

/** What the caller may do with what the lock `l` is set on. */
function rankOfHolder(ranks: LockRanks): Fragment {
  const cases = lockTypes.map((type) => `when '${type}' then (${ranks[type].sql})`).join(" ");
  return { sql: `(case l.type ${cases} end)`, args: lockTypes.flatMap((type) => ranks[type].args) };
}

/**
 * The locks that reach one entity, own and inherited, those first that expire last; and the one that counts.
 *
 * @param ranks tells which of them are set on what the caller may not see. Default: the caller sees all
 */
export async function locksOf(
  store: Store,
  type: LockType,
  entity: number,
  filter: LockFilter,
  ranks?: LockRanks,
): Promise<readonly ListedLock[]> {
  const now = store.now();
  const rank = ranks === undefined ? { sql: "1", args: [] } : rankOfHolder(ranks);
  const rows = await store.query({
    sql: `with target (id) as (select ?) select ${lockColumns}, ${rank.sql} as rank from deletion_lock l
      where ${reaches(type, "= (select id from target)", "l")} order by l.expires desc, l.id`,
    args: [entity, ...rank.args],
  });
  const hidden = new Set(rows.filter((row) => Number(row.rank) < 1).map((row) => Number(row.id)));
  const all = rows.map((row) => deletionLock(row));
  const counting = effectiveLock(all, now);
  const conditions = filterConditions(filter);
  const serials = JSON.stringify(all.map(({ serial }) => serial));
  const listed = "select value from json_each(?)";
  const [wanted = [], pairRows = []] = await store.readAll([
    {
      sql: `select l.id from deletion_lock l where ${[`l.id in (${listed})`, ...conditions.map(({ sql }) => sql)].join(" and ")}`,
      args: [serials, ...conditions.flatMap(({ args }) => args)],
    },
    selectPairs("deletion-lock", { sql: listed, args: [serials] }),
  ]);
  const pairs = pairsOf(pairRows);
  const kept = new Set(wanted.map(({ id }) => Number(id)));
  return all
    .filter(({ serial }) => kept.has(serial))
    .map((lock) => ({
      lock: { ...lock, metadata: pairs.get(lock.serial) ?? [] },
      effective: lock.serial === counting?.serial,
      hidden: hidden.has(lock.serial),
    }))
    .filter(({ effective }) => effective || !filter.onlyEffective);
}
