import type { UserInfo } from "../plugin/contract.ts";
import type { Change } from "../store/change.ts";
import type { Row } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { recordGroupModified } from "./group-events.ts";
import { addUserRow } from "./user-changes.ts";

/**
 * Creates or updates a user as a login through a custom realm does: real name and metadata are set, existing groups
 * that `groups` names are joined, groups that the same origin joined and no longer names are left. A group or role that
 * does not exist is never made. Writes nothing when the user is already so.
 *
 * @param options.enable a disabled user is enabled again
 * @param options.origin whose memberships these are
 * @throws KinoraError `invalid-input` for an illegal name, `conflict` for a name that is another user's alias
 */
export async function provisionUser(
  store: Store,
  info: UserInfo,
  options: { readonly enable: boolean; readonly origin: string },
): Promise<void> {
  const present = await readPresent(store, info);
  const change = store.change({ userName: "system" });
  let steps = 0;
  const step = (act: () => void): void => {
    steps += 1;
    act();
  };

  if (!present.user) {
    step(() =>
      addUserRow(change, store, { name: info.userName, realName: info.realName, provisionedBy: options.origin }),
    );
  } else if (info.realName !== undefined && present.user.real_name !== info.realName) {
    step(() => change.add(set("real_name", info.realName ?? null, info.userName)));
  }
  if (present.user?.disabled === 1 && options.enable) step(() => change.add(set("disabled", 0, info.userName)));
  for (const [key, value] of Object.entries(info.metadata ?? {})) {
    if (present.metadata.get(key) !== value) step(() => putMetadata(change, info.userName, key, value));
  }
  if (info.groups) {
    const wanted = new Set(info.groups);
    for (const group of present.groups.keys()) {
      if (wanted.has(group) && !present.joined.has(group)) {
        step(() => join(change, info.userName, group, options.origin));
      }
    }
    for (const [group, origin] of present.joined) {
      if (origin === options.origin && !wanted.has(group)) step(() => leave(change, info.userName, group, origin));
    }
  }
  if (steps === 0) return;
  store.versions.bump(change, "security");
  await change.commit();
}

interface Present {
  readonly user: Row | undefined;
  readonly metadata: ReadonlyMap<unknown, unknown>;
  /** Direct memberships: name of the group, who made it. */
  readonly joined: ReadonlyMap<string, unknown>;
  /** Groups among the named ones that exist. */
  readonly groups: ReadonlyMap<string, unknown>;
}

async function readPresent(store: Store, info: UserInfo): Promise<Present> {
  const name = info.userName;
  const [users, metadata, joined, groups] = await store.readAll([
    { sql: "select real_name, disabled from user where name = ?", args: [name] },
    {
      sql: "select key, value from key_value where entity = 'user' and entity_id = (select id from user where name = ?)",
      args: [name],
    },
    {
      sql: `select g.name, m.origin from group_user m join user_group g on g.id = m.group_id
        where m.user_id = (select id from user where name = ?)`,
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
    groups: new Map(groups?.map((row) => [String(row.name), true])),
  };
}

function set(column: "real_name" | "disabled", value: string | number | null, userName: string) {
  return { sql: `update user set ${column} = ? where name = ?`, args: [value, userName] };
}

function putMetadata(change: Change, userName: string, key: string, value: string): void {
  change.add({
    sql: `insert into key_value (entity, entity_id, key, value) select 'user', id, ?, ? from user where name = ?
      on conflict do update set value = excluded.value`,
    args: [key, value, userName],
  });
}

function join(change: Change, userName: string, group: string, origin: string): void {
  change.add({
    sql: `insert or ignore into group_user (user_id, group_id, origin)
      select u.id, g.id, ? from user u, user_group g where u.name = ? and g.name = ?`,
    args: [origin, userName, group],
  });
  recordGroupModified(change, group, "ADD", { user: userName });
}

function leave(change: Change, userName: string, group: string, origin: string): void {
  change.add({
    sql: `delete from group_user where origin = ?
      and user_id = (select id from user where name = ?) and group_id = (select id from user_group where name = ?)`,
    args: [origin, userName, group],
  });
  recordGroupModified(change, group, "REMOVE", { user: userName });
}
