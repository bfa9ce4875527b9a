import { KinoraError } from "../errors.ts";
import type { Change } from "../store/change.ts";
import type { User } from "./documents.ts";
import { commitIdentity, type Editing } from "./editing.ts";
import { type KeyValueOwner, putKeyValues } from "./key-values.ts";
import { checkText, checkUserName } from "./names.ts";
import { repeatWhenRaced } from "./repeat-when-raced.ts";
import { addAlias } from "./user-aliases.ts";
import { addUserRow, checkPassword, noSuchUser, requireFreeName, requireUser } from "./user-changes.ts";
import { editUserGroups } from "./user-memberships.ts";

/** Characters of the longest real name. */
export const longestRealName = 1000;

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
