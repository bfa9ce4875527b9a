import type { Row, SqlValue, Statement } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import type { SimpleMetadata, SimpleSearch, User, UserList } from "./documents.ts";
import { rowsBy } from "./rows-by.ts";
import { type Selection, selectionOf } from "./simple-search.ts";
import { noSuchUser } from "./user-changes.ts";

/** Which part of a list is read: `first` counts from 1. */
export interface Page {
  readonly first: number;
  readonly number: number;
}

/** Which users are listed. */
export interface UserFilter {
  /** Only users of these names. */
  readonly names?: readonly string[] | undefined;
  /** Only disabled ones, or only enabled ones. */
  readonly disabled?: boolean | undefined;
}

/** Reads one user with aliases, direct groups and metadata. @throws KinoraError `not-found` */
export async function readUser(store: Store, name: string): Promise<User> {
  const selection = { where: "e.name = ?", args: [name], order: "e.name", orderArgs: [] };
  const { user } = await readSelected(store, selection, { first: 1, number: 1 });
  if (!user?.[0]) throw noSuchUser(name);
  return user[0];
}

/** Lists users in the order of their names. */
export function listUsers(store: Store, filter: UserFilter, page: Page): Promise<UserList> {
  const conditions = ["true"];
  const args: SqlValue[] = [];
  if (filter.names) {
    conditions.push("e.name in (select value from json_each(?))");
    args.push(JSON.stringify(filter.names));
  }
  if (filter.disabled !== undefined) {
    conditions.push("e.disabled = ?");
    args.push(filter.disabled ? 1 : 0);
  }
  return readSelected(store, { where: conditions.join(" and "), args, order: "e.name", orderArgs: [] }, page);
}

/** Searches users by `username`, `realname` and keys of their metadata. @throws KinoraError `invalid-input` */
export function searchUsers(store: Store, search: SimpleSearch, page: Page): Promise<UserList> {
  const columns = { username: "e.name", realname: "e.real_name" };
  return readSelected(store, selectionOf(search, { entity: "user", columns }), page);
}

/** Lists the users of a group, with `traverse` also those of the groups below it. */
export function listMembers(store: Store, group: string, traverse: boolean, page: Page): Promise<UserList> {
  const below = `with recursive below(id) as (
    select id from user_group where name = ?
    ${traverse ? "union select edge.child_id from below join group_child edge on edge.parent_id = below.id" : ""}
  )`;
  const where = `e.id in (${below} select m.user_id from below join group_user m on m.group_id = below.id)`;
  return readSelected(store, { where, args: [group], order: "e.name", orderArgs: [] }, page);
}

async function readSelected(store: Store, selection: Selection, page: Page): Promise<UserList> {
  const ids = `select e.id from user e where ${selection.where} order by ${selection.order} limit ? offset ?`;
  const args = [...selection.args, ...selection.orderArgs, page.number, page.first - 1];
  const ofPage = (sql: string): Statement => ({ sql: `with page(id) as (${ids}) ${sql}`, args });
  const [counts, users, aliases, groups, metadata] = await store.readAll([
    { sql: `select count(*) as hits from user e where ${selection.where}`, args: selection.args },
    {
      // Read once more with the order, which a subquery does not keep.
      sql: `select e.id, e.name, e.real_name, e.disabled, e.origin, e.access_preserved, e.run_as_enabled from user e where ${selection.where} order by ${selection.order} limit ? offset ?`,
      args,
    },
    ofPage("select a.user_id, a.name from page join user_alias a on a.user_id = page.id order by a.name"),
    ofPage(`select m.user_id, g.name, g.role from page join group_user m on m.user_id = page.id
      join user_group g on g.id = m.group_id order by g.name`),
    ofPage(`select v.entity_id as user_id, v.key, v.value from page
      join key_value v on v.entity = 'user' and v.entity_id = page.id order by v.key`),
  ]);
  const parts = {
    aliases: rowsBy("user_id", aliases),
    groups: rowsBy("user_id", groups),
    metadata: rowsBy("user_id", metadata),
  };
  return { hits: Number(counts?.[0]?.hits ?? 0), user: (users ?? []).map((row) => userOf(row, parts)) };
}

type RowsOfUser = (id: SqlValue | undefined) => readonly Row[];

function userOf(
  row: Row,
  parts: { readonly aliases: RowsOfUser; readonly groups: RowsOfUser; readonly metadata: RowsOfUser },
): User {
  return {
    disabled: row.disabled === 1,
    userName: String(row.name),
    realName: row.real_name === null ? undefined : String(row.real_name),
    alias: parts.aliases(row.id).map((alias) => String(alias.name)),
    groupList: {
      group: parts.groups(row.id).map((group) => ({ groupName: String(group.name), role: group.role === 1 })),
    },
    metadata: metadataOf(parts.metadata(row.id)),
    origin: row.origin === null ? undefined : String(row.origin),
    accessPreserved: row.access_preserved === 1 ? true : undefined,
    runAsEnabled: row.run_as_enabled === 1,
  };
}

/** Rows of `key`, `value` as a document; `undefined` for none. */
export function metadataOf(rows: readonly Row[]): SimpleMetadata | undefined {
  if (rows.length === 0) return undefined;
  return { field: rows.map((row) => ({ key: String(row.key), value: String(row.value) })) };
}
