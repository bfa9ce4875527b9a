/** Composes what items are put into: access lists, collections, libraries. */
import type { RouteTable } from "../http/route-table.ts";
import { logOf } from "../logging/log.ts";
import type { Subject } from "../plugin/contract.ts";
import { createSubject } from "../security/subject.ts";
import type { Change } from "../store/change.ts";
import { accessEntityOf, accessKey } from "./access/access-entity.ts";
import { accessRoutes } from "./access/access-routes.ts";
import { allItemsSlice, allItemsTask } from "./access/all-items-access.ts";
import type { Access } from "./access/create-access.ts";
import { resolveAccessEntity } from "./access/entity-id.ts";
import { goneEntriesSlice, goneEntriesTask } from "./access/gone-entries.ts";
import { importAccessRoutes } from "./access/import-routes.ts";
import { accessContent, mergedAccessContent } from "./access/item-content.ts";
import { mergedContent } from "./access/merged-content.ts";
import { requireAccess } from "./access/require-access.ts";
import { shareSlice, shareTask } from "./access/share-library.ts";
import type { MemberOf } from "./access/subject-access.ts";
import { sweepAccess } from "./access/sweep-access.ts";
import type { CollectionDocumentEnvironment, CollectionPart } from "./collections/collection-documents.ts";
import type { CollectionHooks } from "./collections/collection-environment.ts";
import { collectionRoutes } from "./collections/collection-routes.ts";
import { collectionScope } from "./collections/collection-scope.ts";
import { collectionsOfItem, librariesOfItem } from "./collections/member-lists.ts";
import { memberRoutes } from "./collections/member-routes.ts";
import { tidyTask, tidyTaskSlice } from "./collections/tidy-members.ts";
import type { EntityIdentifiers } from "./external-ids/entity-identifiers.ts";
import type { ItemContent } from "./items/item-content.ts";
import type { ItemDocumentEnvironment } from "./items/item-documents.ts";
import type { ItemLists } from "./items/item-lists.ts";
import { librariesTick } from "./libraries/libraries-tick.ts";
import type { LibraryEnvironment } from "./libraries/library-environment.ts";
import { libraryMetadataRoutes } from "./libraries/library-metadata-routes.ts";
import { libraryRoutes } from "./libraries/library-routes.ts";
import { libraryItems } from "./libraries/library-scope.ts";
import { librarySearches } from "./libraries/library-searches.ts";
import { purgeLibraries } from "./libraries/purge-libraries.ts";
import type { EditMetadata } from "./metadata/metadata-editing.ts";
import { oneAtATime } from "./metadata/one-at-a-time.ts";
import { createTransientFields } from "./metadata/transient-fields.ts";
import type { KeySet } from "./search/query/criterion.ts";
import type { LibrarySearches } from "./search/routes/search-items.ts";
import type { Search } from "./search/search.ts";
import { taskRunner } from "./tasks/asset-tasks.ts";

export interface ContainersDeps {
  readonly environment: ItemDocumentEnvironment;
  readonly edit: EditMetadata;
  readonly access: Access;
  readonly memberOf: MemberOf;
  readonly content: ItemContent;
  readonly lists: ItemLists;
  readonly hooks: readonly CollectionHooks[];
  readonly identifiers: EntityIdentifiers;
  /** Whether the items of a collection are listed in the order in which they came in: `indexCollectionItemOrder`. */
  readonly inOrder: () => boolean;
  /** Days without use after which a library goes, 0 for never: `libraryRetentionDays`. */
  readonly libraryRetentionDays: () => number;
  /** The search, once it is open. */
  readonly search: () => Search;
}

/** Collections and libraries, for the search and for the service. */
export interface Containers {
  readonly collections: CollectionDocumentEnvironment;
  readonly libraries: LibrarySearches;
  readonly collectionScope: (subject: Subject, collection: string) => Promise<KeySet>;
  routes(): readonly RouteTable[];
  /** Does what is due; gives the milliseconds after which to come back. */
  tick(): Promise<number>;
}

const log = logOf("assets");

/** Milliseconds of one turn in the background. */
const turnMs = 2000;

export function openContainers(deps: ContainersDeps): Containers {
  const { environment, edit, access, memberOf, content, lists, hooks, identifiers, inOrder } = deps;
  const { store, ids } = environment;
  const inTurn = oneAtATime(store.database.isolated !== true);
  const libraryEnvironment: LibraryEnvironment = {
    store,
    ids,
    access,
    search: { keys: (request) => deps.search().keys(request) },
    inTurn,
    // Clients of libraries expect 400, not 409.
    identify: (change, library, identifier) => identifiers.add(change, "library", library, identifier, "invalid-input"),
    removeIdentifier: (change, library, identifier) => identifiers.remove(change, "library", library, identifier),
    librariesDeleted: (change, libraries) => identifiers.removed(change, "library", libraries),
  };
  const mergedPart: CollectionPart = async (request) => {
    const keys = request.collections.map((serial) => accessKey("collection", serial));
    const found = await mergedContent(store, request, keys);
    return new Map([...found].map(([key, part]) => [accessEntityOf(key).serial, part]));
  };
  const externalPart: CollectionPart = async (request) => {
    const found = await identifiers.shown("collection", request.collections);
    return new Map([...found].map(([serial, externalId]) => [serial, { externalId }]));
  };
  const collections: CollectionDocumentEnvironment = {
    ...environment,
    access,
    edit,
    hooks,
    inTurn,
    identify: (change, collection, identifier) => identifiers.add(change, "collection", collection, identifier),
    removeIdentifier: (change, collection, identifier) =>
      identifiers.remove(change, "collection", collection, identifier),
    libraryItems: (subject, library) => libraryItems(libraryEnvironment, subject, library),
    parts: new Map([
      ["merged-access", mergedPart],
      ["external", externalPart],
    ]),
  };
  content.register("access", accessContent(store, access));
  content.register("merged-access", mergedAccessContent(store));
  lists.register("collections", ({ subject, item }) => collectionsOfItem({ store, access }, subject, item));
  lists.register("library", ({ subject, item }) => librariesOfItem({ store, access }, subject, item));

  const transient = createTransientFields(environment.index);
  const ownerChanged = (change: Change, entity: number, owner: string) => {
    const { kind, serial } = accessEntityOf(entity);
    if (kind === "library") {
      change.add({ sql: "update library set owner = ? where id = ?", args: [owner, serial] });
      return;
    }
    if (kind === "item") change.add({ sql: "update item set owner = ? where id = ?", args: [owner, serial] });
    for (const field of ["__user", "user"]) transient.set(change, kind, [serial], field, [owner]);
  };

  const tasks = taskRunner({
    store,
    slices: new Map([
      [allItemsTask, (task) => allItemsSlice(store, task)],
      [goneEntriesTask, (task) => goneEntriesSlice(store, task)],
      [shareTask, (task) => shareSlice(store, task)],
      [tidyTask, ({ payload }) => tidyTaskSlice(collections, Number(payload.collection))],
    ]),
    failed: ({ name }, error) => log.error("A task failed and is tried again", { task: name, error }),
  });
  const libraries = librariesTick({
    environment: libraryEnvironment,
    subjectOf: async (userName) => ownerAsSubject(userName, new Set(await memberOf(userName))),
    failed: (library, error) => log.error("A library cannot be refreshed", { library, error }),
  });
  const purge = purgeLibraries({
    environment: libraryEnvironment,
    retentionDays: deps.libraryRetentionDays,
    purged: (libraries) => log.info("Removed libraries that nobody used", { libraries }),
  });
  const sweep = sweepAccess(store);

  return {
    collections,
    libraries: librarySearches(libraryEnvironment),
    async collectionScope(subject, collection) {
      const entity = await resolveAccessEntity(environment, "collection", collection);
      await requireAccess({ store, access }, subject, entity, "READ");
      const { order, ...scope } = collectionScope(Math.floor(entity / 8));
      return inOrder() ? { ...scope, order } : scope;
    },
    routes: () => [
      importAccessRoutes({ store }),
      accessRoutes({ store, ids, access, ownerChanged }),
      collectionRoutes(collections),
      memberRoutes(collections),
      libraryRoutes({ environment: libraryEnvironment, search: deps.search(), items: environment }),
      libraryMetadataRoutes(libraryEnvironment),
    ],
    tick: async () => Math.min(await tasks(turnMs), await libraries(turnMs), await purge(turnMs), await sweep()),
  };
}

/** The owner of a library, when it is refreshed in the background; `undefined` for one that may do nothing. */
function ownerAsSubject(userName: string, roles: ReadonlySet<string>): Subject | undefined {
  if (roles.size === 0) return undefined;
  return createSubject({ userName, method: "token", realms: [], known: true, roles, permissions: [] });
}
