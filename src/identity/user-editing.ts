import { KinoraError } from "../errors.ts";
import type { Change } from "../store/change.ts";
import type { User } from "./documents.ts";
import { commitIdentity, type Editing } from "./editing.ts";
import { requireGrantable } from "./grants.ts";
import { editMemberships, type Membership } from "./group-edges.ts";
import { type KeyValueOwner, putKeyValues } from "./key-values.ts";
import { checkText, checkUserName } from "./names.ts";
import { repeatWhenRaced } from "./repeat-when-raced.ts";
import { checkPassword } from "./user-administration.ts";
import { addUserRow, noSuchGroup, noSuchUser, requireFreeName, requireUser } from "./user-changes.ts";

/** Characters of the longest real name, and aliases of one user. */
export const longestRealName = 1000;
export const mostAliases = 100;

/**
 * Creates the user that a document describes.
 *
 * @throws KinoraError `invalid-input`, `not-found` for a group that does not exist, `conflict` for a taken name
 */
export async function createUser(editing: Editing, user: User): Promise<void> {
  const name = user.userName;
  if (name === undefined) throw new KinoraError("invalid-input", { context: "userName", explanation: "It is missing" });
  const plan = await planOf(editing, name, user);
  await repeatWhenRaced(async () => {
    const change = editing.change();
    addUserRow(change, editing.store, { ...plan, name });
    await editParts(editing, change, name, user);
    await commitIdentity(editing, change);
  });
}

/** Creates a user of whom nothing but the name is known. @throws KinoraError `invalid-input`, `conflict` */
export async function createNamedUser(editing: Editing, name: string): Promise<void> {
  await createUser(editing, { userName: name });
}

/**
 * Changes a user as a document says: what it holds is set (real name, password, `disabled`, `runAsEnabled`), aliases,
 * groups and metadata are added, a group with `remove` is left; another `userName` renames. A user that does not exist
 * is created, unless the document has another name.
 *
 * @returns the name that the user has now
 * @throws KinoraError `invalid-input`, `not-found`, `conflict` when the new name is taken
 */
export async function putUser(editing: Editing, name: string, user: User): Promise<string> {
  const newName = user.userName ?? name;
  const plan = await planOf(editing, name, user);
  await repeatWhenRaced(async () => {
    const [present] = await editing.store.query({ sql: "select 1 from user where name = ?", args: [name] });
    if (!present && newName !== name) throw noSuchUser(name);
    const change = editing.change();
    if (present) setColumns(change, name, plan);
    else addUserRow(change, editing.store, { ...plan, name });
    await editParts(editing, change, name, user);
    if (newName !== name) renameUser(change, name, newName);
    await commitIdentity(editing, change);
  });
  return newName;
}

/** Sets the text that people see as the user's name; the empty text removes it. @throws KinoraError `not-found` */
export async function setRealName(editing: Editing, name: string, realName: string): Promise<void> {
  checkText(realName, "realName", longestRealName);
  const change = editing.change();
  setColumns(change, name, { realName });
  await commitIdentity(editing, change);
}

/**
 * Sets a password and ends the user's tokens. Only an administrator may give one to a user without: whoever logs in
 * through a realm of its own must not make a second way in that outlives the first.
 *
 * @throws KinoraError `not-found`, `forbidden`, `invalid-input` when it is empty
 */
export async function setPassword(editing: Editing, name: string, password: string): Promise<void> {
  checkPassword(password);
  const passwordHash = await editing.hasher.hash(password);
  const change = editing.change();
  requireUser(change, name);
  if (!editing.grantor.hasRole("_administrator")) {
    change.require(
      { sql: "select password is not null from user where name = ?", args: [name] },
      new KinoraError("forbidden", { explanation: "The user has no password here; an administrator can give one" }),
    );
  }
  setColumns(change, name, { passwordHash });
  await commitIdentity(editing, change);
}

interface Columns {
  readonly realName?: string | undefined;
  readonly passwordHash?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly runAsEnabled?: boolean | undefined;
}

async function planOf(editing: Editing, name: string, user: User): Promise<Columns> {
  checkUserName(name);
  if (user.realName !== undefined) checkText(user.realName, "realName", longestRealName);
  if (user.password !== undefined) checkPassword(user.password);
  return {
    realName: user.realName,
    passwordHash: user.password === undefined ? undefined : await editing.hasher.hash(user.password),
    disabled: user.disabled,
    runAsEnabled: user.runAsEnabled,
  };
}

function setColumns(change: Change, name: string, columns: Columns): void {
  requireUser(change, name);
  const set = (assignment: string, value: string | number | null) =>
    change.add({ sql: `update user set ${assignment} where name = ?`, args: [value, name] });
  if (columns.realName !== undefined) set("real_name = ?", columns.realName === "" ? null : columns.realName);
  if (columns.passwordHash !== undefined) set("salt = null, password = ?", columns.passwordHash);
  if (columns.disabled !== undefined) set("access_preserved = 0, disabled = ?", columns.disabled ? 1 : 0);
  if (columns.runAsEnabled !== undefined) set("run_as_enabled = ?", columns.runAsEnabled ? 1 : 0);
  if (columns.passwordHash !== undefined || columns.disabled) endTokens(change, name);
  change.record({ entity: "user", action: "MODIFY", entityId: name, keys: { user: name, action: "MODIFY" } });
}

/** Adds the end of all tokens of a user to a change. */
export function endTokens(change: Change, name: string): void {
  change.add({ sql: "delete from token where user_id = (select id from user where name = ?)", args: [name] });
}

async function editParts(editing: Editing, change: Change, name: string, user: User): Promise<void> {
  for (const alias of user.alias ?? []) addAlias(change, name, alias);
  if (user.metadata) putKeyValues(change, userMetadata(name), user.metadata);
  if (user.groupList?.group) await editUserGroups(editing, change, name, user.groupList.group, false);
}

/** Whose simple metadata a user's is. */
export function userMetadata(name: string): KeyValueOwner {
  return {
    entity: "user",
    row: { sql: "(select id from user where name = ?)", args: [name] },
    missing: noSuchUser(name),
  };
}

/**
 * Adds a name by which a user may log in to a change; nothing happens when it is the user's already.
 *
 * @throws KinoraError `invalid-input` at once; `conflict` by the commit when it is another user's name or alias
 */
export function addAlias(change: Change, name: string, alias: string): void {
  checkUserName(alias, "alias");
  requireUser(change, name);
  const owner = "(select id from user where name = ?2)";
  change.require(
    {
      sql: `select not exists (select 1 from user where name = ?1)
        and not exists (select 1 from user_alias where name = ?1 and user_id <> ${owner})`,
      args: [alias, name],
    },
    new KinoraError("conflict", { type: "User", id: alias, explanation: `The name ${alias} is taken` }),
  );
  change.add({ sql: `insert or ignore into user_alias (name, user_id) values (?1, ${owner})`, args: [alias, name] });
  change.require(
    { sql: `select count(*) <= ?1 from user_alias where user_id = ${owner}`, args: [mostAliases, name] },
    new KinoraError("invalid-input", { context: "alias", explanation: `A user has at most ${mostAliases} aliases` }),
  );
}

/** Adds the removal of an alias to a change. @throws KinoraError `not-found` by the commit for an unknown user */
export function removeAlias(change: Change, name: string, alias: string): void {
  requireUser(change, name);
  change.add({
    sql: "delete from user_alias where name = ? and user_id = (select id from user where name = ?)",
    args: [alias, name],
  });
}

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

function renameUser(change: Change, name: string, newName: string): void {
  checkUserName(newName);
  requireFreeName(change, newName);
  change.add({ sql: "update user set name = ? where name = ?", args: [newName, name] });
  change.record({
    entity: "user",
    action: "RENAME",
    entityId: newName,
    keys: { user: newName, action: "RENAME", previousUser: name },
  });
}
