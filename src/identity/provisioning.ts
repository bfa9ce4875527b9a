import type { UserInfo } from "../plugin/contract.ts";
import type { Change } from "../store/change.ts";
import type { Row } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { commitIdentity } from "./editing.ts";
import { editMemberships, type Membership } from "./group-edges.ts";
import { putKeyValues } from "./key-values.ts";
import { checkText } from "./names.ts";
import { raced, repeatWhenRaced } from "./repeat-when-raced.ts";
import { addUserRow } from "./user-changes.ts";
import { longestRealName, userMetadata } from "./user-editing.ts";

export interface ProvisionOptions {
  /** A disabled user is enabled again. */
  readonly enable: boolean;
  /** Whose memberships these are: only those that the same origin made are ended. */
  readonly origin: string;
}

/**
 * Creates or updates a user as a login through a custom realm does: real name and metadata are set, existing groups and
 * roles that `groups` names are joined, those that the same origin joined and no longer names are left. A group or role
 * that does not exist is never made. Writes nothing when the user is already so.
 *
 * @throws KinoraError `invalid-input` for what cannot be stored, `conflict` for a name that is another user's alias
 */
export async function provisionUser(store: Store, info: UserInfo, options: ProvisionOptions): Promise<void> {
  if (info.realName !== undefined) checkText(info.realName, "realName", longestRealName);
  await repeatWhenRaced(async () => {
    const present = await readPresent(store, info);
    const change = store.change({ userName: "system" });
    const edits = [
      editUser(change, store, info, present, options),
      editMetadata(change, info, present),
      editGroups(change, info, present, options.origin),
    ];
    if (edits.some((edited) => edited)) await commitIdentity({ store }, change);
  });
}

interface Present {
  readonly user: Row | undefined;
  readonly metadata: ReadonlyMap<unknown, unknown>;
  /** Direct memberships: name of the group, who made it. */
  readonly joined: ReadonlyMap<string, unknown>;
  /** Groups among the named ones that exist. */
  readonly groups: ReadonlySet<string>;
}

async function readPresent(store: Store, info: UserInfo): Promise<Present> {
  const name = info.userName;
  const user = "(select id from user where name = ?)";
  const [users, metadata, joined, groups] = await store.readAll([
    { sql: "select real_name, disabled from user where name = ?", args: [name] },
    { sql: `select key, value from key_value where entity = 'user' and entity_id = ${user}`, args: [name] },
    {
      sql: `select g.name, m.origin from group_user m join user_group g on g.id = m.group_id where m.user_id = ${user}`,
      args: [name],
    },
    {
      sql: "select name from user_group where name in (select value from json_each(?))",
      args: [JSON.stringify(info.groups ?? [])],
    },
  ]);
  return {
    user: users?.[0],
    metadata: new Map(metadata?.map((row) => [row.key, row.value])),
    joined: new Map(joined?.map((row) => [String(row.name), row.origin])),
    groups: new Set(groups?.map((row) => String(row.name))),
  };
}

function editUser(change: Change, store: Store, info: UserInfo, { user }: Present, options: ProvisionOptions): boolean {
  const { userName: name, realName } = info;
  if (user === undefined) {
    // Of two first logins at once the second finds the user made.
    change.require({ sql: "select not exists (select 1 from user where name = ?)", args: [name] }, raced);
    addUserRow(change, store, { name, realName, provisionedBy: options.origin });
    return true;
  }
  const renames = realName !== undefined && user.real_name !== realName;
  const enables = options.enable && user.disabled === 1;
  if (renames) change.add({ sql: "update user set real_name = ? where name = ?", args: [realName, name] });
  if (enables) {
    change.add({ sql: "update user set disabled = 0, access_preserved = 0 where name = ?", args: [name] });
    change.record({ entity: "user", action: "ENABLE", entityId: name, keys: { user: name, action: "ENABLE" } });
  }
  return renames || enables;
}

function editMetadata(change: Change, info: UserInfo, { metadata }: Present): boolean {
  const field = Object.entries(info.metadata ?? {})
    .filter(([key, value]) => metadata.get(key) !== value)
    .map(([key, value]) => ({ key, value }));
  if (field.length > 0) putKeyValues(change, userMetadata(info.userName), { field });
  return field.length > 0;
}

/** Without `groups` the provider says nothing of them, and they stay as they are. */
function editGroups(change: Change, info: UserInfo, { groups, joined }: Present, origin: string): boolean {
  if (info.groups === undefined) return false;
  const member = (group: string): Membership => [info.userName, group];
  const added = [...groups].filter((group) => !joined.has(group)).map(member);
  const removed = [...joined]
    .filter(([group, madeBy]) => madeBy === origin && !groups.has(group))
    .map(([group]) => member(group));
  editMemberships(change, { added, removed }, origin);
  return added.length + removed.length > 0;
}
