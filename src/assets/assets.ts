import type { RouteTable } from "../http/route-table.ts";
import type { Store } from "../store/store.ts";
import { createAccess } from "./access/create-access.ts";
import { createEntityIds } from "./entity-ids.ts";
import { definitionRoutes } from "./fields/all-field-routes.ts";
import { createDefinitionCache } from "./fields/definition-cache.ts";
import { rightsOf } from "./fields/field-routes-deps.ts";
import { ensureSystemFields } from "./fields/first-fields.ts";
import { noInheritance } from "./inheritance-port.ts";
import { createItemContent } from "./items/item-content.ts";
import { createItemLists } from "./items/item-lists.ts";
import { itemRoutes } from "./items/item-routes.ts";
import { relationRoutes } from "./items/relation-routes.ts";
import { metadataRoutes } from "./metadata/all-metadata-routes.ts";
import { createEditMetadata } from "./metadata/metadata-editing.ts";
import { readEntryUuids } from "./metadata/metadata-environment.ts";
import { indexedEntities } from "./metadata/reindex.ts";
import { createMetadataIndex } from "./search/index/metadata-index.ts";
import { accessReindexer, metadataReindexer, nothingToReindex } from "./search/reindex/metadata-reindexers.ts";
import type { Reindexer } from "./search/reindex/reindex-requests.ts";
import { historyRoutes } from "./search/routes/history-routes.ts";
import { itemSearchRoutes } from "./search/routes/item-search-routes.ts";
import { reindexRoutes } from "./search/routes/reindex-routes.ts";
import { createSearch, type Search } from "./search/search.ts";
import { createSearchFields } from "./search/search-fields.ts";
import { createSearchHistory } from "./search/search-history.ts";
import { createSearchKinds } from "./search/search-ports.ts";
import { searchUpkeep } from "./search/search-upkeep.ts";

/** What assets take from the service. */
export interface AssetsDeps {
  readonly store: Store;
  /** The namespace of XML answers. */
  readonly namespace: string;
  /** Groups of a user, directly or through parents. */
  readonly groupsOf: (userName: string) => ReadonlySet<string> | Promise<ReadonlySet<string>>;
  /** Groups and roles of a user, directly or through parents. */
  readonly memberOf: (userName: string) => ReadonlySet<string> | Promise<ReadonlySet<string>>;
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
  const { store, namespace, groupsOf, memberOf } = deps;
  await ensureSystemFields(store);
  const definitions = createDefinitionCache(store);
  const access = createAccess({ store, memberOf });
  const environment = {
    store,
    definitions,
    uuids: await readEntryUuids(store),
    ids: createEntityIds(store.ids),
    access,
    inheritance: noInheritance,
    index: createMetadataIndex(),
    groupsOf,
    hooks: [],
    content: createItemContent(),
  };
  const edit = createEditMetadata(environment);
  const search = createSearch({
    store,
    kinds: createSearchKinds(),
    access: { readable: (subject) => access.readableSets(subject) },
    fields: createSearchFields({
      current: () => definitions.current(),
      rightsOf: (found, subject) => rightsOf(environment, found, subject),
    }),
    entities: {
      valuesOf: async (keys) =>
        new Map((await indexedEntities(environment, keys)).map(({ key, values }) => [key, values])),
    },
  });
  const history = createSearchHistory(store);
  const reindexers = new Map<string, Reindexer>([
    ["item", metadataReindexer(environment, "item", "item")],
    ["collection", metadataReindexer(environment, "collection", "collection")],
    ["document", metadataReindexer(environment, "document", "metadata_document")],
    ["acl", accessReindexer(store, access)],
    ["thumbnail", nothingToReindex],
  ]);
  const lists = createItemLists();
  return {
    search,
    tick: searchUpkeep(environment, reindexers, history),
    routes: [
      ...definitionRoutes({ store, definitions, observers: [], namespace, groupsOf }),
      ...metadataRoutes({ environment, edit }),
      itemRoutes({ environment, lists }),
      relationRoutes({ environment }),
      historyRoutes({ history }),
      reindexRoutes({ store, reindexers }),
      itemSearchRoutes({ search, items: environment, history }),
    ],
  };
}
