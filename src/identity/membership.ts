import type { Store } from "../store/store.ts";

/**
 * Groups and roles of a user, with those reached through parents: the body of a `with recursive` clause that gives
 * `member(id)`. `:user` is the expression for the user's number. `union` ends the walk also where two paths meet.
 */
export function memberClause(user: string): string {
  return `member(id) as (
    select group_id from group_user where user_id = ${user}
    union
    select edge.parent_id from member join group_child edge on edge.child_id = member.id
  )`;
}

/** What a user belongs to, directly or through parents of groups. */
export interface Membership {
  /** Names of groups, roles left out. */
  readonly groups: readonly string[];
  /** Names of roles. */
  readonly roles: readonly string[];
}

/** Reads what a user belongs to; nothing for a user that does not exist. */
export async function membership(store: Store, userName: string): Promise<Membership> {
  const rows = await store.query({
    sql: `with recursive ${memberClause("(select id from user where name = ?)")}
      select g.name, g.role from member join user_group g on g.id = member.id`,
    args: [userName],
  });
  return splitMembership(rows);
}

/** Sorts rows of `name`, `role` into groups and roles. */
export function splitMembership(rows: readonly { readonly [column: string]: unknown }[]): Membership {
  const groups: string[] = [];
  const roles: string[] = [];
  for (const row of rows) (row.role === 1 ? roles : groups).push(String(row.name));
  return { groups, roles };
}
