import { KinoraError } from "../../errors.ts";
import { noSuchGroup } from "../../identity/user-changes.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { type Permission, rankOf } from "../access-port.ts";
import type { AccessControl, ImportAccessControlList, ImportSettings } from "./access-documents.ts";
import { knownNames, requireNames } from "./known-names.ts";
import { principalKey } from "./principals.ts";
import { appliesToOf, everything, reachesFurther } from "./reach.ts";
import { operationDocument, permissionWord, type WantedEntry, wantedEntry } from "./wanted-entry.ts";

/** Raised by every change of anybody's import defaults. */
export const importDefaultsVersion = "import-defaults";

/** Most entries of a profile. */
export const mostProfileEntries = 100;

/**
 * The entries that what a user imports begins with, beside the owner's: those of the profile that is named, else those
 * for the groups among the user's defaults.
 *
 * @throws KinoraError `not-found` for a profile that does not exist
 */
export async function readImportEntries(
  store: Store,
  user: string,
  settings: string | undefined,
): Promise<readonly WantedEntry[]> {
  if (settings !== undefined) return readProfile(store, settings);
  const rows = await store.query({
    sql: `select i.user_group, i.permission from import_access i join user_group g on g.name = i.user_group
      where i.user = ? order by i.user_group`,
    args: [user],
  });
  return rows.map((row) => ({
    kind: "group",
    name: String(row.user_group),
    permission: Number(row.permission),
    reach: everything,
    priority: 0,
    operation: "",
  }));
}

async function readProfile(store: Store, settings: string): Promise<readonly WantedEntry[]> {
  return (await readKnown(store, settings)).filter((entry) => !namesOwner(entry));
}

/**
 * Whose it becomes what a user imports with a profile: the user's, unless the profile names another owner.
 *
 * @throws KinoraError `not-found` for a profile that does not exist
 */
export async function readImportOwner(store: Store, user: string, settings: string): Promise<string> {
  return (await readKnown(store, settings)).find(namesOwner)?.name ?? user;
}

/** Whether an entry of a profile names the owner. */
function namesOwner({ permission }: WantedEntry): boolean {
  return permission === rankOf("OWNER");
}

/** The entries of a profile for those users and groups that there are still. */
async function readKnown(store: Store, settings: string): Promise<readonly WantedEntry[]> {
  const entries = await readEntriesOf(store, settings);
  const known = await knownNames(store, entries);
  return entries.filter((entry) => known.has(principalKey(entry.kind, entry.name)));
}

async function readEntriesOf(store: Store, id: string): Promise<readonly WantedEntry[]> {
  const [row] = await store.query({
    sql: "select entries from import_settings where id = ?",
    args: [store.ids.parse(id) ?? 0],
  });
  if (row === undefined) throw noSuchProfile(id);
  return JSON.parse(String(row.entries)) as WantedEntry[];
}

function noSuchProfile(id: string): KinoraError {
  return new KinoraError("not-found", { type: "import-settings", id });
}

/** The groups that get access to what a user imports. */
export async function readImportAccess(store: Store, user: string): Promise<ImportAccessControlList> {
  const rows = await store.query({
    sql: "select user_group, permission from import_access where user = ? order by user_group",
    args: [user],
  });
  return {
    group: rows.map((row) => ({ name: String(row.user_group), permission: permissionWord(Number(row.permission)) })),
  };
}

/** Gives a group access to what a user imports from now on. @throws KinoraError `not-found` for an unknown group */
export async function putImportAccess(
  store: Store,
  change: Change,
  user: string,
  group: string,
  permission: Exclude<Permission, "OWNER">,
): Promise<void> {
  change.require({ sql: "select exists (select 1 from user_group where name = ?)", args: [group] }, noSuchGroup(group));
  change.add({
    sql: `insert into import_access (user, user_group, permission) values (?, ?, ?)
      on conflict (user, user_group) do update set permission = excluded.permission`,
    args: [user, group, rankOf(permission)],
  });
  store.versions.bump(change, importDefaultsVersion);
  await change.commit();
}

/** Takes a group out of a user's defaults. @throws KinoraError `not-found` when it is not among them */
export async function deleteImportAccess(store: Store, change: Change, user: string, group: string): Promise<void> {
  change.add({ sql: "delete from import_access where user = ? and user_group = ?", args: [user, group] });
  change.require({ sql: "select changes() = 1" }, new KinoraError("not-found", { type: "import-access", id: group }));
  store.versions.bump(change, importDefaultsVersion);
  await change.commit();
}

/** The ids of all profiles. */
export async function listProfiles(store: Store): Promise<readonly string[]> {
  const rows = await store.query({ sql: "select id from import_settings order by id limit 10000" });
  return rows.map((row) => store.ids.format(Number(row.id)));
}

/** @throws KinoraError `not-found` */
export async function readImportSettings(store: Store, id: string): Promise<ImportSettings> {
  return { id, access: (await readEntriesOf(store, id)).map(profileEntry) };
}

function profileEntry({ kind, name, permission, reach, priority, operation }: WantedEntry): AccessControl {
  const limited = operationDocument(operation);
  return {
    recursive: reachesFurther(reach),
    appliesTo: appliesToOf(reach),
    permission: permissionWord(permission),
    ...(priority === 0 ? {} : { priority }),
    ...(limited === undefined ? {} : { operation: limited }),
    ...(kind === "user" ? { user: name } : { group: name }),
  };
}

/**
 * Makes a profile.
 *
 * @throws KinoraError `invalid-input` for entries that make no sense or are too many, `not-found` for users or groups that
 * do not exist
 */
export async function createImportSettings(
  store: Store,
  change: Change,
  userName: string,
  document: ImportSettings,
): Promise<ImportSettings> {
  const entries = await checkedEntries(store, document);
  const serial = await store.ids.nextSerial("import-settings");
  change.add({
    sql: "insert into import_settings (id, user, entries) values (?, ?, ?)",
    args: [serial, userName, JSON.stringify(entries)],
  });
  await change.commit();
  return { id: store.ids.format(serial), access: entries.map(profileEntry) };
}

/**
 * Replaces a profile. Only who made it and administrators may.
 *
 * @throws KinoraError as {@link createImportSettings}; `not-found` for an unknown profile, `forbidden` for another's
 */
export async function putImportSettings(
  store: Store,
  change: Change,
  subject: Subject,
  id: string,
  document: ImportSettings,
): Promise<void> {
  const entries = await checkedEntries(store, document);
  const serial = requireOwnProfile(store, change, subject, id);
  change.add({ sql: "update import_settings set entries = ? where id = ?", args: [JSON.stringify(entries), serial] });
  store.versions.bump(change, importDefaultsVersion);
  await change.commit();
}

/** Deletes a profile. Only who made it and administrators may. @throws KinoraError `not-found`, `forbidden` */
export async function deleteImportSettings(store: Store, change: Change, subject: Subject, id: string): Promise<void> {
  const serial = requireOwnProfile(store, change, subject, id);
  change.add({ sql: "delete from import_settings where id = ?", args: [serial] });
  store.versions.bump(change, importDefaultsVersion);
  await change.commit();
}

async function checkedEntries(store: Store, { access = [] }: ImportSettings): Promise<readonly WantedEntry[]> {
  if (access.length > mostProfileEntries) {
    throw new KinoraError("invalid-input", {
      context: "access",
      explanation: `A profile has at most ${mostProfileEntries} entries`,
    });
  }
  const entries = access.map((entry) => (entry.permission === "OWNER" ? ownersEntry(entry) : wantedEntry(entry)));
  if (entries.filter(namesOwner).length > 1) {
    throw new KinoraError("invalid-input", { context: "permission", explanation: "An entity has one owner" });
  }
  await requireNames(store, entries);
  return entries;
}

function ownersEntry({ user, group, operation }: AccessControl): WantedEntry {
  if (user === undefined || group !== undefined || operation !== undefined) {
    throw new KinoraError("invalid-input", { context: "permission", explanation: "An owner is a user, and owns all" });
  }
  return { kind: "user", name: user, permission: rankOf("OWNER"), reach: everything, priority: 0, operation: "" };
}

function requireOwnProfile(store: Store, change: Change, subject: Subject, id: string): number {
  const serial = store.ids.parse(id) ?? 0;
  change.require(
    { sql: "select exists (select 1 from import_settings where id = ?)", args: [serial] },
    noSuchProfile(id),
  );
  if (subject.hasRole("_administrator")) return serial;
  change.require(
    {
      sql: "select exists (select 1 from import_settings where id = ? and user = ?)",
      args: [serial, subject.userName],
    },
    new KinoraError("forbidden", { context: "import-settings", id, explanation: "The profile is another user's" }),
  );
  return serial;
}
