import { commitIdentity, type Editing } from "./editing.ts";
import { editMemberships } from "./group-edges.ts";
import { deleteKeyValues } from "./key-values.ts";
import { repeatWhenRaced } from "./repeat-when-raced.ts";
import { noSuchUser, requireUser } from "./user-changes.ts";
import { endTokens, userMetadata } from "./user-editing.ts";

/**
 * Soft delete: the user can no longer log in, and everything else stays until it is enabled again.
 *
 * @param preserveAccess access that the user granted to others stays in force meanwhile
 * @throws KinoraError `not-found`
 */
export async function disableUser(editing: Editing, name: string, preserveAccess: boolean): Promise<void> {
  const change = editing.change();
  requireUser(change, name);
  change.add({
    sql: "update user set disabled = 1, access_preserved = ? where name = ?",
    args: [preserveAccess ? 1 : 0, name],
  });
  endTokens(change, name);
  change.record({ entity: "user", action: "DISABLE", entityId: name, keys: { user: name, action: "DISABLE" } });
  await commitIdentity(editing, change);
}

/** Lets a disabled user log in again. @throws KinoraError `not-found` */
export async function enableUser(editing: Editing, name: string): Promise<void> {
  const change = editing.change();
  requireUser(change, name);
  change.add({ sql: "update user set disabled = 0, access_preserved = 0 where name = ?", args: [name] });
  change.record({ entity: "user", action: "ENABLE", entityId: name, keys: { user: name, action: "ENABLE" } });
  await commitIdentity(editing, change);
}

/**
 * Hard delete: the user, its aliases, keys, tokens, metadata and memberships are gone for good. Other domains drop what
 * is theirs (access that the user granted) in the same batch, as observers of the event.
 *
 * @throws KinoraError `not-found`
 */
export async function deleteUser(editing: Editing, name: string): Promise<void> {
  await repeatWhenRaced(async () => {
    const [users, groups] = await editing.store.readAll([
      { sql: "select id from user where name = ?", args: [name] },
      {
        sql: `select g.name from group_user m join user_group g on g.id = m.group_id
          where m.user_id = (select id from user where name = ?)`,
        args: [name],
      },
    ]);
    const id = users?.[0]?.id;
    if (typeof id !== "number") throw noSuchUser(name);
    const change = editing.change();
    requireUser(change, name);
    editMemberships(change, { added: [], removed: (groups ?? []).map((row) => [name, String(row.name)] as const) });
    deleteKeyValues(change, userMetadata(name));
    for (const table of ["group_user", "user_alias", "token", "access_key"]) {
      change.add({ sql: `delete from ${table} where user_id = ?`, args: [id] });
    }
    change.record({ entity: "user", action: "DELETE", entityId: name, keys: { user: name, action: "DELETE" } });
    change.add({ sql: "delete from user where id = ?", args: [id] });
    await commitIdentity(editing, change);
  });
}
