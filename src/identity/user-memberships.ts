import type { Change } from "../store/change.ts";
import type { Editing } from "./editing.ts";
import { requireGrantable } from "./grants.ts";
import { editMemberships, type Membership } from "./group-edges.ts";
import { noSuchGroup } from "./user-changes.ts";

/** One entry of a list of groups: what joins, or with `remove` leaves. */
interface GroupEntry {
  readonly groupName?: string | undefined;
  readonly remove?: boolean | undefined;
}

/**
 * Adds memberships to a change as a list of groups says.
 *
 * @param replace groups (not roles) that the list does not name are left
 * @throws KinoraError `not-found` for a group that does not exist; `forbidden` by the commit
 */
export async function editUserGroups(
  editing: Editing,
  change: Change,
  name: string,
  list: readonly GroupEntry[],
  replace: boolean,
): Promise<void> {
  const named = new Map(list.map((entry) => [entry.groupName ?? "", entry.remove ?? false]));
  const [groups, direct] = await editing.store.readAll([
    {
      sql: "select name from user_group where name in (select value from json_each(?))",
      args: [JSON.stringify([...named.keys()])],
    },
    {
      sql: `select g.name, g.role from group_user m join user_group g on g.id = m.group_id
        where m.user_id = (select id from user where name = ?)`,
      args: [name],
    },
  ]);
  const existing = new Set(groups?.map((row) => row.name));
  for (const group of named.keys()) if (!existing.has(group)) throw noSuchGroup(group);

  const joined = new Map(direct?.map((row) => [String(row.name), row.role === 1]));
  const added: Membership[] = [];
  const removed: Membership[] = [];
  for (const [group, remove] of named) {
    if (!remove && !joined.has(group)) added.push([name, group]);
    if (remove && joined.has(group)) removed.push([name, group]);
  }
  if (replace) {
    for (const [group, role] of joined) if (!role && !named.has(group)) removed.push([name, group]);
  }
  requireGrantable(
    change,
    editing.grantor,
    [...added, ...removed].map(([, group]) => group),
  );
  editMemberships(change, { added, removed });
}
