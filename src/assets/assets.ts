import type { RouteTable } from "../http/route-table.ts";
import type { Store } from "../store/store.ts";
import { createAccess } from "./access/create-access.ts";
import { collectionSearchFields } from "./collections/collection-search-fields.ts";
import { createDerivedFields } from "./collections/derived-fields.ts";
import { createInheritance } from "./collections/inheritance.ts";
import { membershipHooks } from "./collections/item-removal.ts";
import { createEntityIds } from "./entity-ids.ts";
import { externalIdLookup } from "./external-ids/identifiers.ts";
import { definitionRoutes } from "./fields/all-field-routes.ts";
import { createDefinitionCache } from "./fields/definition-cache.ts";
import { ensureSystemFields } from "./fields/first-fields.ts";
import { createItemContent } from "./items/item-content.ts";
import { createItemLists } from "./items/item-lists.ts";
import { itemRoutes } from "./items/item-routes.ts";
import { relationRoutes } from "./items/relation-routes.ts";
import { metadataRoutes } from "./metadata/all-metadata-routes.ts";
import { createEditMetadata } from "./metadata/metadata-editing.ts";
import { readEntryUuids } from "./metadata/metadata-environment.ts";
import { openContainers } from "./open-containers.ts";
import { openMedia } from "./open-media.ts";
import type { GroupStyle } from "./search/index/group-rows.ts";
import { createMetadataIndex } from "./search/index/metadata-index.ts";
import { openSearch } from "./search/open-search.ts";
import { redefinedFields } from "./search/reindex/redefined-fields.ts";
import type { Search } from "./search/search.ts";

/** What assets take from the service. */
export interface AssetsDeps {
  readonly store: Store;
  /** The namespace of XML answers. */
  readonly namespace: string;
  /** Groups and roles of a user, directly or through parents. */
  readonly memberOf: (userName: string) => ReadonlySet<string> | Promise<ReadonlySet<string>>;
  /** The configuration property `indexCollectionItemOrder`. */
  readonly collectionsInOrder: () => boolean;
  /** The configuration property `metadataGroupSearchStyle`. */
  readonly groupStyle?: () => GroupStyle;
  /** The configuration property `autoRemoveExpiredDeletionLocks`. */
  readonly removesExpiredLocks?: () => boolean;
  /** The configuration property `libraryRetentionDays`. Default 0: libraries stay. */
  readonly libraryRetentionDays?: () => number;
}

/** The asset model: its routes, and what it does in the background. */
export interface Assets {
  readonly routes: readonly RouteTable[];
  readonly search: Search;
  /** Does what is due in the background; gives the milliseconds after which to come back. */
  tick(): Promise<number>;
}

/** Composes the domains of assets. The first time, the fields of the system are created. */
export async function openAssets(deps: AssetsDeps): Promise<Assets> {
  const { store, namespace, memberOf, groupStyle } = deps;
  await ensureSystemFields(store);
  const definitions = createDefinitionCache(store);
  const access = createAccess({ store, memberOf });
  const basis = {
    store,
    definitions,
    uuids: await readEntryUuids(store),
    ids: createEntityIds(store.ids, externalIdLookup(store)),
    access,
    inheritance: createInheritance(store),
    derived: createDerivedFields({ store, access }),
    index: createMetadataIndex({ groupStyle }),
    groupsOf: memberOf,
    content: createItemContent(),
  };
  const lists = createItemLists();
  const media = await openMedia({ environment: basis, removesExpiredLocks: deps.removesExpiredLocks });
  // Those of the media first: a deletion lock looks at collections before the items have left them.
  const environment = { ...basis, hooks: [...media.itemHooks, membershipHooks({ store })] };
  const edit = createEditMetadata(environment);
  const containers = openContainers({
    environment,
    edit,
    access,
    memberOf,
    content: environment.content,
    lists,
    hooks: [media.collectionHooks],
    identifiers: media.identifiers,
    inOrder: deps.collectionsInOrder,
    libraryRetentionDays: deps.libraryRetentionDays ?? (() => 0),
    search: () => searching.search,
  });
  const { collections, libraries, collectionScope } = containers;
  const otherFields = collectionSearchFields({ store, access });
  const searching = openSearch({
    environment,
    access,
    collections,
    libraries,
    collectionScope,
    otherFields,
    groupStyle,
  });
  return {
    search: searching.search,
    tick: async () => Math.min(await searching.tick(), await containers.tick(), await media.tick()),
    routes: [
      ...definitionRoutes({
        store,
        definitions,
        observers: [redefinedFields(store.now), media.definitionObserver],
        removeIdentifier: media.identifiers.remove,
        findIdentified: externalIdLookup(store),
        namespace,
        groupsOf: memberOf,
      }),
      ...metadataRoutes({ environment, edit }),
      itemRoutes({ environment, lists }),
      relationRoutes({ environment }),
      ...searching.routes,
      ...containers.routes(),
      ...media.routes,
    ],
  };
}
