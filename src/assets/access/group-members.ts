import type { Store } from "../../store/store.ts";

/** Users in one list of merged access. */
export const mostUsers = 10_000;

/** The members of groups, directly or through child groups, by the name of the group. */
export async function membersOfGroups(
  store: Store,
  groups: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await store.query({
    sql: `with recursive under (root, id) as (
        select name, id from user_group where name in (select value from json_each(?))
        union
        select under.root, e.child_id from under join group_child e on e.parent_id = under.id
      )
      select distinct under.root, u.name from under
      join group_user m on m.group_id = under.id join user u on u.id = m.user_id
      order by under.root, u.name limit ${mostUsers}`,
    args: [JSON.stringify(groups)],
  });
  const members = new Map<string, string[]>();
  for (const row of rows) {
    const list = members.get(String(row.root));
    if (list === undefined) members.set(String(row.root), [String(row.name)]);
    else list.push(String(row.name));
  }
  return members;
}
