import { raced, repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import type { Statement } from "../../store/database.ts";
import { accessKey } from "../access/access-entity.ts";
import { placeEntities } from "../access/place-entities.ts";
import { readPermissions, requirePermission } from "../access/require-access.ts";
import { leaveCollections } from "../collections/leave-collections.ts";
import type { LibraryEditing, LibraryEnvironment } from "./library-environment.ts";
import { libraryPairs } from "./library-metadata-routes.ts";

/**
 * Deletes libraries. Their items stay, and what the libraries granted ends with them.
 *
 * @param options.ignoreMissing libraries that do not exist or may not be read are passed over. Default `false`
 * @throws KinoraError `not-found`, `forbidden` without ALL
 */
export async function deleteLibraries(
  editing: LibraryEditing,
  serials: readonly number[],
  { ignoreMissing = false }: { readonly ignoreMissing?: boolean } = {},
): Promise<void> {
  const { environment, subject } = editing;
  await repeatWhenRaced(async () => {
    const found = await requireDeletable(environment, subject, serials, ignoreMissing);
    if (found.length === 0) return;
    const change = editing.change();
    await addDeletion(environment, change, found);
    await change.commit();
  });
}

/**
 * Adds to a change that libraries go, with all that is theirs. Must be the first thing in the change, and run inside
 * `repeatWhenRaced`.
 *
 * @param guard what must hold for it at that place of the batch; else the race is repeated
 */
export async function addDeletion(
  environment: LibraryEnvironment,
  change: Change,
  libraries: readonly number[],
  guard?: Statement,
): Promise<void> {
  const { store, access } = environment;
  const keys = libraries.map((serial) => accessKey("library", serial));
  await placeEntities(store, change, { keys: [], edit: (placement) => placement, gone: keys });
  if (guard !== undefined) change.require(guard, raced);
  await environment.librariesDeleted?.(change, libraries);
  await leaveCollections(store, change, keys);
  const these = JSON.stringify(libraries);
  change.add(
    { sql: "delete from library_item where library in (select value from json_each(?))", args: [these] },
    { sql: "delete from library where id in (select value from json_each(?))", args: [these] },
    {
      sql: "delete from key_value where entity = ? and entity_id in (select value from json_each(?))",
      args: [libraryPairs, these],
    },
  );
  await access.removed(change, "library", libraries);
}

async function requireDeletable(
  environment: LibraryEnvironment,
  subject: Subject,
  serials: readonly number[],
  ignoreMissing: boolean,
): Promise<readonly number[]> {
  const permissions = await readPermissions(environment, subject, "library", serials);
  const permissionOf = (serial: number) => permissions.get(accessKey("library", serial)) ?? 0;
  const found = [...new Set(serials)].filter((serial) => !ignoreMissing || permissionOf(serial) > 0);
  for (const serial of found) {
    requirePermission(environment, accessKey("library", serial), permissionOf(serial), "ALL");
  }
  return found;
}
