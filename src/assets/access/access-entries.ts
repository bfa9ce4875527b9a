import type { Row, Statement } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { type Placement, parsePlacement } from "./access-set.ts";
import type { Entry } from "./effective-access.ts";

/** An entry as it is stored, with the names of those that it is about. */
export interface StoredEntry extends Entry {
  /** Odd: even numbers are those of owners' entries. */
  readonly id: number;
  /** The key of the entity whose entry it is. */
  readonly entity: number;
  /** Of the user or group. */
  readonly name: string;
  readonly grantorName?: string;
  /** Who granted it is disabled, so it is not in force. */
  readonly suspended?: boolean;
}

/** The access list of an entity. */
export interface AccessList {
  readonly entity: number;
  readonly placement: Placement;
  /** The name of the owner; absent when there is none any more. */
  readonly owner?: string;
  /** In the order in which they were made. */
  readonly entries: readonly StoredEntry[];
}

/** Numbers of new entries, from one of the sequence. */
export async function takeEntryIds(store: Store, count: number): Promise<readonly number[]> {
  return (await store.ids.takeSerials("access", count)).map((serial) => serial * 2 + 1);
}

/** The number of the owner's entry of an entity, which is not stored. */
export function ownerEntryId(entity: number): number {
  return entity * 2;
}

/** Reads the access lists of entities by their keys; those that do not exist are left out. */
export async function readAccessLists(
  store: Store,
  entities: readonly number[],
): Promise<ReadonlyMap<number, AccessList>> {
  const keys = JSON.stringify(entities);
  const [placed, rows] = await store.readAll([
    {
      sql: `select d.id, s.key, p.name as owner from search_document d join access_set s on s.id = d.access
        left join access_principal p on p.id = s.key ->> 1 and p.key is not null
        where d.id in (select value from json_each(?))`,
      args: [keys],
    },
    entriesStatement(keys),
  ]);
  const entries = new Map<number, StoredEntry[]>();
  for (const entry of (rows ?? []).map(storedEntry)) {
    const list = entries.get(entry.entity);
    if (list === undefined) entries.set(entry.entity, [entry]);
    else list.push(entry);
  }
  return new Map(
    (placed ?? []).map((row) => {
      const entity = Number(row.id);
      const placement = parsePlacement(String(row.key));
      const owner = typeof row.owner === "string" ? { owner: row.owner } : {};
      return [entity, { entity, placement, ...owner, entries: entries.get(entity) ?? [] }];
    }),
  );
}

/** Entries of users and groups that are there no more are as good as gone. */
function entriesStatement(keys: string): Statement {
  return {
    sql: `select e.*, p.name, g.name as grantor_name, g.suspended
      from access_entry e
      join access_principal p on p.id = e.principal and p.key is not null
      left join access_principal g on g.id = e.grantor
      where e.entity in (select value from json_each(?)) order by e.id`,
    args: [keys],
  };
}

function storedEntry(row: Row): StoredEntry {
  return {
    id: Number(row.id),
    entity: Number(row.entity),
    principal: Number(row.principal),
    permission: Number(row.permission),
    reach: Number(row.reach),
    priority: Number(row.priority),
    operation: String(row.operation),
    grantor: Number(row.grantor),
    name: String(row.name),
    ...(typeof row.grantor_name === "string" ? { grantorName: row.grantor_name } : {}),
    ...(row.suspended === 1 ? { suspended: true } : {}),
  };
}

/** An entry to insert. */
export type NewEntry = Omit<StoredEntry, "name" | "grantorName" | "suspended">;

/** The statement that stores entries. */
export function insertEntries(entries: readonly NewEntry[]): Statement {
  const rows = entries.map((entry) => [
    entry.id,
    entry.entity,
    entry.principal,
    entry.permission,
    entry.reach,
    entry.priority,
    entry.operation,
    entry.grantor,
  ]);
  return {
    sql: `insert into access_entry (id, entity, principal, permission, reach, priority, operation, grantor)
      select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7
      from json_each(?)`,
    args: [JSON.stringify(rows)],
  };
}

/** True as long as the entries of an entity are those that were read. */
export function sameEntries({ entity, entries }: AccessList): Statement {
  return {
    sql: `select coalesce(json_group_array(id), '[]') = ? from (
      select e.id from access_entry e join access_principal p on p.id = e.principal and p.key is not null
      where e.entity = ? order by e.id)`,
    args: [JSON.stringify(entries.map(({ id }) => id)), entity],
  };
}
