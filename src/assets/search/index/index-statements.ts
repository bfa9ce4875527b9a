import type { Change } from "../../../store/change.ts";
import type { GroupRow } from "./group-rows.ts";

const silent = { silent: true } as const;

/**
 * Takes entities out of every table of the index.
 *
 * @param keepsAccess their access sets stay: another domain keeps them, and takes them away with the entity
 */
export function removeEntities(change: Change, keys: readonly number[], keepsAccess: boolean): void {
  if (keys.length === 0) return;
  const args = [JSON.stringify(keys)];
  removeOrder(change, keys);
  for (const sql of removals) change.add({ sql, args }, silent);
  if (!keepsAccess) change.add({ sql: `delete from search_document where id in ${these}`, args }, silent);
}

/** Takes entities out of the order of all fields, as the values tell that were written last. */
export function removeOrder(change: Change, keys: readonly number[]): void {
  const sql =
    "delete from search_sort where (field, value, id) in " +
    "(select field.key, item.value, v.id from search_value v, json_each(v.value) field, json_each(field.value) item " +
    `where v.id in ${these})`;
  change.add({ sql, args: [JSON.stringify(keys)] }, silent);
}

const these = "(select value from json_each(?1))";
const removals = [
  `delete from search_value where id in ${these}`,
  `delete from search_transient where id in ${these}`,
  `delete from search_index where rowid in ${these}`,
  `delete from search_group_index where rowid in (select id from search_group where entity in ${these})`,
  `delete from search_group where entity in ${these}`,
];

/** Writes instances of groups; those that exist are replaced. */
export function writeGroups(change: Change, entity: number, rows: readonly GroupRow[]): void {
  for (const { entry, parent, name, tokens } of rows) {
    change.add(
      {
        sql:
          "insert into search_group (entity, entry, parent, name) values (?, ?, ?, ?) " +
          "on conflict (entity, entry) do update set parent = excluded.parent, name = excluded.name",
        args: [entity, entry, parent, name],
      },
      silent,
    );
    change.add(
      {
        sql:
          "insert or replace into search_group_index (rowid, tokens) " +
          "select id, ? from search_group where entity = ? and entry = ?",
        args: [tokens, entity, entry],
      },
      silent,
    );
  }
}

export function removeGroups(change: Change, entity: number, entries: readonly number[]): void {
  if (entries.length === 0) return;
  const args = [entity, JSON.stringify(entries)];
  const which = "entity = ?1 and entry in (select value from json_each(?2))";
  change.add(
    { sql: `delete from search_group_index where rowid in (select id from search_group where ${which})`, args },
    silent,
  );
  change.add({ sql: `delete from search_group where ${which}`, args }, silent);
}
