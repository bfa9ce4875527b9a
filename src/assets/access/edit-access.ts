import { KinoraError } from "../../errors.ts";
import { raced, repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import type { AccessControl } from "./access-documents.ts";
import { accessEntityOf } from "./access-entity.ts";
import {
  type AccessList,
  insertEntries,
  ownerEntryId,
  readAccessLists,
  type StoredEntry,
  sameEntries,
  takeEntryIds,
} from "./access-entries.ts";
import { recordAccess } from "./access-events.ts";
import type { Grant } from "./access-set.ts";
import { requireNames } from "./known-names.ts";
import { placeEntities } from "./place-entities.ts";
import { ensurePrincipals, principalKey } from "./principals.ts";
import { type PermissionReader, requireAccess } from "./require-access.ts";
import { beginSharing, shareLibrary } from "./share-library.ts";
import { type WantedEntry, wantedEntry } from "./wanted-entry.ts";

/** Who edits access lists, and where the change is started. */
export interface AccessEditing extends PermissionReader {
  readonly subject: Subject;
  change(): Change;
}

/** Most entries of one access list. */
export const mostEntries = 1000;

interface PlannedEdit {
  readonly added: readonly StoredEntry[];
  readonly removed: readonly StoredEntry[];
  /** Entries that stay with another permission, as they are from now on. */
  readonly changed: readonly StoredEntry[];
}

/**
 * Adds entries to the access list of an entity. Answers the entries in the order of the documents.
 *
 * @param options.allowDuplicate `false`: where the same user or group has an entry for the same operation, reach and
 *   priority, that entry stays, with the permission that is asked for. Default `true`
 * @throws KinoraError `not-found` for the entity, a user or a group; `forbidden` without ALL; `invalid-input`
 */
export async function addEntries(
  editing: AccessEditing,
  entity: number,
  documents: readonly AccessControl[],
  { allowDuplicate = true }: { readonly allowDuplicate?: boolean } = {},
): Promise<readonly StoredEntry[]> {
  const { store, subject } = editing;
  const wanted = documents.map(wantedEntry);
  await requireAccess(editing, subject, entity, "ALL");
  await requireNames(store, wanted);
  const numbers = await ensurePrincipals(store, [...wanted, { kind: "user", name: subject.userName }]);
  const grantor = numbers.get(principalKey("user", subject.userName)) ?? 0;
  const asked = wanted.map((entry) => ({ ...grantOf(entry, numbers), grantor, name: entry.name }));
  const entries = await repeatWhenRaced(async () => {
    const list = await readList(editing, entity);
    const ids = await takeEntryIds(store, asked.length);
    const kept = [...list.entries];
    const added: StoredEntry[] = [];
    const changed: StoredEntry[] = [];
    const answer = asked.map((grant, index) => {
      const same = allowDuplicate ? undefined : kept.find((entry) => isSameGrant(entry, grant));
      if (same === undefined) {
        const entry = { ...grant, id: ids[index] ?? 0, entity, grantorName: subject.userName };
        kept.push(entry);
        added.push(entry);
        return entry;
      }
      if (same.permission === grant.permission) return same;
      const entry = { ...same, permission: grant.permission, grantor, grantorName: subject.userName };
      kept.splice(kept.indexOf(same), 1, entry);
      if (list.entries.includes(same)) changed.push(entry);
      else added.splice(added.indexOf(same), 1, entry);
      return entry;
    });
    requireRoom(kept.length);
    await commitEdit(editing, list, { added, removed: [], changed });
    return answer;
  });
  if (accessEntityOf(entity).kind === "library") await beginSharing(store, entity);
  return entries;
}

/**
 * Removes entries of an entity's access list. Nothing happens to the owner's.
 *
 * @throws KinoraError `not-found` for the entity, and for an entry that it does not have; `forbidden` without ALL, and for
 * the owner's entry
 */
export async function removeEntries(
  editing: AccessEditing,
  entity: number,
  accessIds: readonly string[],
): Promise<void> {
  await requireAccess(editing, editing.subject, entity, "ALL");
  await repeatWhenRaced(async () => {
    const list = await readList(editing, entity);
    const removed = new Set(accessIds.map((accessId) => requireEntry(editing.store, list, accessId)));
    await commitEdit(editing, list, { added: [], removed: [...removed], changed: [] });
  });
}

function requireEntry(store: Store, list: AccessList, accessId: string): StoredEntry {
  const id = store.ids.parse(accessId);
  if (id === ownerEntryId(list.entity)) {
    throw new KinoraError("forbidden", {
      context: "access",
      id: accessId,
      explanation: "The entry of the owner cannot be removed; ownership is handed over by PUT …/access/owner/{user}",
    });
  }
  const entry = list.entries.find((one) => one.id === id);
  if (entry === undefined) throw noSuchEntry(accessId);
  return entry;
}

export function noSuchEntry(id: string): KinoraError {
  return new KinoraError("not-found", { type: "access", id });
}

/**
 * Hands an entity over to another user. Only its owner and administrators may.
 *
 * @param also adds what else knows of owners
 * @throws KinoraError `not-found` for the entity or the user, `forbidden`
 */
export async function changeOwner(
  editing: AccessEditing,
  entity: number,
  userName: string,
  also: (change: Change) => void,
): Promise<void> {
  const { store, subject } = editing;
  await requireAccess(editing, subject, entity, "OWNER");
  await requireNames(store, [{ kind: "user", name: userName }]);
  const numbers = await ensurePrincipals(store, [{ kind: "user", name: userName }]);
  const principal = numbers.get(principalKey("user", userName)) ?? 0;
  await repeatWhenRaced(async () => {
    const list = await readList(editing, entity);
    if (list.placement.owner === principal) return;
    const change = editing.change();
    await placeEntities(store, change, {
      keys: [entity],
      edit: (placement) => ({ ...placement, owner: principal }),
    });
    const entry = { id: ownerEntryId(entity), principal, name: userName, permission: 4 };
    recordAccess(change, store.ids, "CHANGE", entity, entry);
    also(change);
    await change.commit();
  });
}

async function readList(editing: AccessEditing, entity: number): Promise<AccessList> {
  const list = (await readAccessLists(editing.store, [entity])).get(entity);
  // Deleted since it was looked at; the next look says so.
  if (list !== undefined) return list;
  await requireAccess(editing, editing.subject, entity, "ALL");
  throw raced;
}

async function commitEdit(editing: AccessEditing, list: AccessList, edit: PlannedEdit): Promise<void> {
  const { added, removed, changed } = edit;
  if (added.length + removed.length + changed.length === 0) return;
  const { store } = editing;
  const { entity } = list;
  const change = editing.change();
  const stays = list.entries.filter((entry) => !removed.includes(entry));
  const after = stays.map((entry) => changed.find(({ id }) => id === entry.id) ?? entry);
  await placeEntities(store, change, {
    keys: [entity],
    edit: (placement) => ({ ...placement, grants: [...after, ...added] }),
  });
  change.require(sameEntries(list), raced);
  if (accessEntityOf(entity).kind === "library") shareLibrary(change, entity);
  if (added.length > 0) change.add(insertEntries(added));
  if (removed.length > 0) {
    change.add({
      sql: "delete from access_entry where id in (select value from json_each(?))",
      args: [JSON.stringify(removed.map(({ id }) => id))],
    });
  }
  for (const { id, permission, grantor } of changed) {
    change.add({
      sql: "update access_entry set permission = ?, grantor = ? where id = ?",
      args: [permission, grantor, id],
    });
  }
  for (const entry of added) recordAccess(change, store.ids, "CREATE", entity, entry);
  for (const entry of removed) recordAccess(change, store.ids, "DELETE", entity, entry);
  for (const entry of changed) recordAccess(change, store.ids, "CHANGE", entity, entry);
  await change.commit();
}

function grantOf(
  { kind, name, permission, reach, priority, operation }: WantedEntry,
  numbers: ReadonlyMap<string, number>,
): Omit<Grant, "grantor"> {
  return { principal: numbers.get(principalKey(kind, name)) ?? 0, permission, reach, priority, operation };
}

function isSameGrant(a: Grant, b: Grant): boolean {
  return a.principal === b.principal && a.reach === b.reach && a.priority === b.priority && a.operation === b.operation;
}

function requireRoom(entries: number): void {
  if (entries <= mostEntries) return;
  throw new KinoraError("invalid-input", {
    context: "access",
    explanation: `An access list has at most ${mostEntries} entries; give groups access rather than each user`,
  });
}
