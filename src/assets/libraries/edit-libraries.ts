import { KinoraError } from "../../errors.ts";
import type { Change } from "../../store/change.ts";
import { accessKey } from "../access/access-entity.ts";
import { formatLibrary, resolveAccessEntity } from "../access/entity-id.ts";
import { readPermissions, requireAccess, requirePermission } from "../access/require-access.ts";
import type { ItemSearch } from "../search/documents/item-search-document.ts";
import { leastFrequency, standardFrequency, type UpdateMode } from "./library.ts";
import type { LibrarySettings } from "./library-documents.ts";
import type { LibraryEditing } from "./library-environment.ts";
import { changeItems, itemsAtOnce } from "./library-items.ts";
import { refreshLibrary } from "./refresh-library.ts";

/** How a new library is kept. */
export interface NewLibrary {
  readonly updateMode?: UpdateMode | undefined;
  readonly autoRefresh?: boolean | undefined;
  readonly updateFrequency?: number | undefined;
  readonly query?: ItemSearch | undefined;
  readonly externalId?: string | undefined;
}

/** Libraries that one request deletes, and items that one request names. */
export const mostAtOnce = 1000;
export const mostItemsNamed = 100_000;

function checkedFrequency(seconds: number | undefined): number {
  if (seconds === undefined) return standardFrequency;
  if (seconds >= leastFrequency) return seconds;
  throw new KinoraError("invalid-input", {
    context: "updateFrequency",
    value: String(seconds),
    explanation: `A library is refreshed every ${leastFrequency} seconds at most`,
  });
}

/** Adds an empty library to a change. Answers its serial. @throws KinoraError `invalid-input` */
async function addLibrary(
  { environment, subject }: LibraryEditing,
  change: Change,
  { updateMode = "MERGE", autoRefresh = false, updateFrequency, query, externalId }: NewLibrary,
): Promise<number> {
  const { store, access } = environment;
  const serial = await store.ids.nextSerial("library");
  const now = store.now();
  const owner = subject.userName;
  change.add({
    sql: `insert into library (id, created, owner, update_mode, auto_refresh, update_frequency, last_update, query, used)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    args: [
      serial,
      now,
      owner,
      updateMode,
      autoRefresh ? 1 : 0,
      checkedFrequency(updateFrequency),
      now,
      query === undefined ? null : JSON.stringify(query),
      now,
    ],
  });
  await access.created(change, "library", serial, owner);
  if (externalId !== undefined) await environment.identify?.(change, serial, externalId);
  return serial;
}

/** Creates a library of some items. Answers its identifier. @throws KinoraError `invalid-input`, `not-found` for an item */
export async function createLibrary(
  editing: LibraryEditing,
  items: readonly string[],
  externalId?: string,
): Promise<string> {
  const { environment } = editing;
  const serials = await resolveItems(editing, items);
  const change = editing.change();
  const serial = await addLibrary(editing, change, { externalId });
  await change.commit();
  await addInSteps(editing, serial, serials);
  return formatLibrary(environment.store.ids, serial);
}

/** Puts items into a library. @throws KinoraError `not-found` for the library or an item, `forbidden` without WRITE */
export async function addItems(editing: LibraryEditing, serial: number, items: readonly string[]): Promise<void> {
  await requireAccess(editing.environment, editing.subject, accessKey("library", serial), "WRITE");
  await addInSteps(editing, serial, await resolveItems(editing, items));
}

/** Takes an item out of a library. @throws KinoraError `not-found`, `forbidden` without WRITE */
export async function removeItem(editing: LibraryEditing, serial: number, item: string): Promise<void> {
  const { environment, subject } = editing;
  await requireAccess(environment, subject, accessKey("library", serial), "WRITE");
  const key = await resolveAccessEntity(environment, "item", item);
  const found = await environment.store.query({
    sql: "select 1 from library_item where library = ? and item = ?",
    args: [serial, Math.floor(key / 8)],
  });
  if (found.length === 0) throw new KinoraError("not-found", { type: "Item", id: item });
  await changeItems(environment, subject, () => editing.change(), serial, { removed: [Math.floor(key / 8)] });
}

async function resolveItems({ environment, subject }: LibraryEditing, items: readonly string[]): Promise<number[]> {
  if (items.length > mostItemsNamed) {
    throw new KinoraError("invalid-input", {
      context: "item",
      explanation: `One request names at most ${mostItemsNamed} items; send several`,
    });
  }
  const keys: number[] = [];
  for (const item of items) keys.push(await resolveAccessEntity(environment, "item", item));
  const serials = keys.map((key) => Math.floor(key / 8));
  const permissions = await readPermissions(environment, subject, "item", serials);
  for (const key of keys) requirePermission(environment, key, permissions.get(key) ?? 0, "READ");
  return serials;
}

async function addInSteps(editing: LibraryEditing, serial: number, items: readonly number[]): Promise<void> {
  const { environment, subject } = editing;
  for (let from = 0; from < items.length; from += itemsAtOnce) {
    const added = items.slice(from, from + itemsAtOnce);
    await changeItems(environment, subject, () => editing.change(), serial, { added });
  }
}

/**
 * Makes a library of what a search finds, or runs another search for an existing one. Answers its identifier.
 *
 * @param library the serial of the existing one
 * @throws KinoraError `not-found`, `forbidden` without WRITE, `invalid-input`; what the search throws
 */
export async function libraryFromSearch(
  editing: LibraryEditing,
  query: ItemSearch,
  settings: Omit<NewLibrary, "query">,
  library?: number,
): Promise<string> {
  const { environment, subject } = editing;
  let serial = library;
  if (serial === undefined) {
    const change = editing.change();
    serial = await addLibrary(editing, change, { ...settings, query });
    await change.commit();
  } else await putSettings(editing, serial, { ...settings, query });
  await refreshLibrary(environment, subject, () => editing.change(), serial);
  return formatLibrary(environment.store.ids, serial);
}

/**
 * Changes how a library is kept; what is not named stays. What it holds changes with the next refresh.
 *
 * @throws KinoraError `not-found`, `forbidden` without WRITE, `invalid-input`
 */
export async function putSettings(
  editing: LibraryEditing,
  serial: number,
  { updateMode, autoRefresh, updateFrequency, query }: LibrarySettings,
): Promise<void> {
  const { environment, subject } = editing;
  await requireAccess(environment, subject, accessKey("library", serial), "WRITE");
  const change = editing.change();
  change.add({
    sql: `update library set update_mode = coalesce(?, update_mode), auto_refresh = coalesce(?, auto_refresh),
      update_frequency = coalesce(?, update_frequency), query = coalesce(?, query), used = ? where id = ?`,
    args: [
      updateMode ?? null,
      autoRefresh === undefined ? null : Number(autoRefresh),
      updateFrequency === undefined ? null : checkedFrequency(updateFrequency),
      query === undefined ? null : JSON.stringify(query),
      environment.store.now(),
      serial,
    ],
  });
  change.require(
    { sql: "select changes() = 1" },
    new KinoraError("not-found", { type: "Library", id: formatLibrary(environment.store.ids, serial) }),
  );
  await change.commit();
}
