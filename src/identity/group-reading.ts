import type { Row, SqlValue, Statement } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import type { Group, GroupList, SimpleSearch } from "./documents.ts";
import { rowsBy } from "./rows-by.ts";
import { type Selection, selectionOf } from "./simple-search.ts";
import { noSuchGroup } from "./user-changes.ts";
import { metadataOf, type Page } from "./user-reading.ts";

/** Entries of the lists inside one group's document; beyond them `hits` says how many there are. */
export const mostNested = 10_000;

/** Lists groups and roles, or with `role` only one kind, in the order of their names. */
export function listGroups(store: Store, role: boolean | undefined, page: Page): Promise<GroupList> {
  return readSelected(store, ofKind(role, { where: "true", args: [], order: "e.name", orderArgs: [] }), page);
}

/** Searches groups by `groupname`, `description` and keys of their metadata. @throws KinoraError `invalid-input` */
export function searchGroups(
  store: Store,
  search: SimpleSearch,
  role: boolean | undefined,
  page: Page,
): Promise<GroupList> {
  const columns = { groupname: "e.name", description: "e.description" };
  return readSelected(store, ofKind(role, selectionOf(search, { entity: "group", columns })), page);
}

/**
 * Lists the groups above or below a group, the nearest ones or with `traverse` all.
 *
 * @throws KinoraError `not-found`
 */
export async function listRelatives(
  store: Store,
  group: string,
  way: "parents" | "children",
  traverse: boolean,
  page: Page,
): Promise<GroupList> {
  await requireGroup(store, group);
  const [near, far] = way === "parents" ? ["child_id", "parent_id"] : ["parent_id", "child_id"];
  const relatives = `with recursive relative(id) as (
    select e.${far} from group_child e join user_group g on g.id = e.${near} where g.name = ?
    ${traverse ? `union select e.${far} from relative join group_child e on e.${near} = relative.id` : ""}
  ) select id from relative`;
  return readSelected(store, { where: `e.id in (${relatives})`, args: [group], order: "e.name", orderArgs: [] }, page);
}

/** Reads one group with parents, children, users and metadata. @throws KinoraError `not-found` */
export async function readGroup(store: Store, name: string): Promise<Group> {
  const of = (sql: string): Statement => ({ sql, args: [name] });
  const group = "(select id from user_group where name = ?)";
  const nested = `limit ${mostNested}`;
  const [groups, metadata, parents, children, users, counts] = await store.readAll([
    of("select name, description, role, origin from user_group where name = ?"),
    of(`select key, value from key_value where entity = 'group' and entity_id = ${group} order by key`),
    of(`select g.name, g.role from group_child e join user_group g on g.id = e.parent_id
      where e.child_id = ${group} order by g.name ${nested}`),
    of(`select g.name, g.role from group_child e join user_group g on g.id = e.child_id
      where e.parent_id = ${group} order by g.name ${nested}`),
    of(`select u.name, u.real_name from group_user m join user u on u.id = m.user_id
      where m.group_id = ${group} order by u.name ${nested}`),
    of(`select
        (select count(*) from group_child where child_id = g.id) as parents,
        (select count(*) from group_child where parent_id = g.id) as children,
        (select count(*) from group_user where group_id = g.id) as users
      from user_group g where g.name = ?`),
  ]);
  const row = groups?.[0];
  if (!row) throw noSuchGroup(name);
  const counted = counts?.[0];
  const groupList = (rows: readonly Row[] | undefined, hits: SqlValue | undefined): GroupList => ({
    hits: Number(hits ?? 0),
    group: (rows ?? []).map((each) => ({ groupName: String(each.name), role: each.role === 1 })),
  });
  return {
    ...groupOf(row, metadata ?? []),
    parentGroupList: groupList(parents, counted?.parents),
    childGroupList: groupList(children, counted?.children),
    userList: {
      hits: Number(counted?.users ?? 0),
      user: (users ?? []).map((user) => ({ userName: String(user.name), realName: textOf(user.real_name) })),
    },
  };
}

/** @throws KinoraError `not-found` */
export async function requireGroup(store: Store, name: string): Promise<void> {
  const rows = await store.query({ sql: "select 1 from user_group where name = ?", args: [name] });
  if (rows.length === 0) throw noSuchGroup(name);
}

function ofKind(role: boolean | undefined, selection: Selection): Selection {
  if (role === undefined) return selection;
  return { ...selection, where: `e.role = ${role ? 1 : 0} and (${selection.where})` };
}

/** Reads the groups of a selection without their members. */
export async function readSelected(store: Store, selection: Selection, page: Page): Promise<GroupList> {
  const args = [...selection.args, ...selection.orderArgs, page.number, page.first - 1];
  const ordered = `from user_group e where ${selection.where} order by ${selection.order} limit ? offset ?`;
  const [counts, groups, metadata] = await store.readAll([
    { sql: `select count(*) as hits from user_group e where ${selection.where}`, args: selection.args },
    { sql: `select e.id, e.name, e.description, e.role, e.origin ${ordered}`, args },
    {
      sql: `with page(id) as (select e.id ${ordered})
        select v.entity_id, v.key, v.value from page
        join key_value v on v.entity = 'group' and v.entity_id = page.id order by v.key`,
      args,
    },
  ]);
  const metadataOfGroup = rowsBy("entity_id", metadata);
  return {
    hits: Number(counts?.[0]?.hits ?? 0),
    group: (groups ?? []).map((row) => groupOf(row, metadataOfGroup(row.id))),
  };
}

function groupOf(row: Row, metadata: readonly Row[]): Group {
  return {
    groupName: String(row.name),
    description: textOf(row.description),
    role: row.role === 1,
    origin: textOf(row.origin),
    metadata: metadataOf(metadata),
  };
}

function textOf(value: SqlValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
