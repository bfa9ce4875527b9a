import type { Store } from "../store/store.ts";
import type { Group, GroupList } from "./documents.ts";
import { memberClause } from "./membership.ts";
import { rowsBy } from "./rows-by.ts";
import { noSuchUser } from "./user-changes.ts";

/** What is listed of a user's memberships. */
export interface MembershipQuery {
  readonly kinds: "groups" | "roles" | "both";
  /** With the groups that come through parents. */
  readonly inherited: boolean;
}

/** Levels of parents that a hierarchy shows; readers of XML have a limit of their own. */
export const mostLevels = 20;

/** Lists what a user belongs to, in the order of names. @throws KinoraError `not-found` */
export async function listUserGroups(store: Store, userName: string, query: MembershipQuery): Promise<GroupList> {
  const user = "(select id from user where name = ?)";
  const member = query.inherited
    ? `with recursive ${memberClause(user)}`
    : `with member(id) as (select group_id from group_user where user_id = ${user})`;
  const kind = { groups: "g.role = 0", roles: "g.role = 1", both: "true" }[query.kinds];
  const [users, groups] = await store.readAll([
    { sql: "select 1 from user where name = ?", args: [userName] },
    {
      sql: `${member} select g.name, g.description, g.role from member join user_group g on g.id = member.id
        where ${kind} order by g.name`,
      args: [userName],
    },
  ]);
  if (!users?.length) throw noSuchUser(userName);
  const group = (groups ?? []).map((row) => ({
    groupName: String(row.name),
    description: row.description === null ? undefined : String(row.description),
    role: row.role === 1,
  }));
  return { hits: group.length, group };
}

/**
 * The groups of a user as a hierarchy: the direct ones, each with its parents inside. A group that is reached on
 * several ways shows its parents once, so that the answer never grows beyond the number of edges; levels beyond the
 * {@link mostLevels}th are left out.
 *
 * @throws KinoraError `not-found`
 */
export async function userGroupHierarchy(store: Store, userName: string): Promise<GroupList> {
  const direct = await listUserGroups(store, userName, { kinds: "both", inherited: false });
  const edges = await store.query({
    sql: `with recursive ${memberClause("(select id from user where name = ?)")}
      select child.name as child, parent.name as parent, parent.role from member
      join group_child edge on edge.child_id = member.id
      join user_group child on child.id = edge.child_id
      join user_group parent on parent.id = edge.parent_id
      order by parent.name`,
    args: [userName],
  });
  const parentsOf = rowsBy("child", edges);
  const shown = new Set<string>();

  function withParents(groupName: string, role: boolean, level: number): Group {
    const parents = level < mostLevels && !shown.has(groupName) ? parentsOf(groupName) : [];
    shown.add(groupName);
    if (parents.length === 0) return { groupName, role };
    const group = parents.map((row) => withParents(String(row.parent), row.role === 1, level + 1));
    return { groupName, role, parentGroupList: { group } };
  }
  return {
    hits: direct.hits,
    group: (direct.group ?? []).map((group) => withParents(group.groupName ?? "", group.role ?? false, 1)),
  };
}
