import type { RouteTable } from "../../http/route-table.ts";
import type { Access } from "../access/create-access.ts";
import type { CollectionDocumentEnvironment } from "../collections/collection-documents.ts";
import { rightsOf } from "../fields/field-routes-deps.ts";
import { fileReindexer } from "../files/reindex-files.ts";
import type { ItemDocumentEnvironment } from "../items/item-documents.ts";
import { indexedEntities } from "../metadata/reindex.ts";
import { shapeReindexer } from "../shapes/reindex-shapes.ts";
import type { GroupStyle } from "./index/group-rows.ts";
import { createRelatedIndex } from "./index/related-index.ts";
import { accessReindexer, metadataReindexer, nothingToReindex } from "./reindex/metadata-reindexers.ts";
import type { Reindexer } from "./reindex/reindex-requests.ts";
import { registerRelatedKinds } from "./related-kinds.ts";
import { collectionSearchRoutes } from "./routes/collection-search-routes.ts";
import { groupSearchRoutes } from "./routes/group-search-routes.ts";
import { historyRoutes } from "./routes/history-routes.ts";
import { itemSearchRoutes } from "./routes/item-search-routes.ts";
import { mixedSearchRoutes } from "./routes/mixed-search-routes.ts";
import { reindexRoutes } from "./routes/reindex-routes.ts";
import { relatedSearchRoutes } from "./routes/related-search-routes.ts";
import type { ItemSearchDeps } from "./routes/search-items.ts";
import { createSavedSearches } from "./saved-searches.ts";
import { createSearch, type Search } from "./search.ts";
import { createSearchFields } from "./search-fields.ts";
import { createSearchHistory } from "./search-history.ts";
import { createSearchKinds, type OtherFields } from "./search-ports.ts";
import { searchUpkeep } from "./search-upkeep.ts";

/** What the search takes from the other domains of assets. */
export interface SearchDeps extends Pick<ItemSearchDeps, "libraries" | "collectionScope"> {
  readonly environment: ItemDocumentEnvironment;
  readonly access: Access;
  /** Collections are only found where this is. */
  readonly collections?: CollectionDocumentEnvironment;
  /** How instances of groups are indexed: the configuration property `metadataGroupSearchStyle`. */
  readonly groupStyle?: () => GroupStyle;
  /** Fields that are not defined and have rules of their own. */
  readonly otherFields?: OtherFields;
}

/** The search with its routes, and what it does in the background. */
export interface OpenSearch {
  readonly search: Search;
  readonly routes: readonly RouteTable[];
  /** Does what is due; gives the milliseconds after which to come back. */
  tick(): Promise<number>;
}

/** Composes the search. */
export function openSearch(deps: SearchDeps): OpenSearch {
  const { environment, access, collections, otherFields } = deps;
  const { store, definitions } = environment;
  const kinds = createSearchKinds();
  registerRelatedKinds(kinds);
  const search = createSearch({
    store,
    kinds,
    groupStyle: deps.groupStyle,
    access: {
      readable: (subject) => access.readableSets(subject),
      shapes: (subject) => access.parts(subject, "SHAPE"),
    },
    fields: createSearchFields({
      current: () => definitions.current(),
      rightsOf: (found, subject) => rightsOf(environment, found, subject),
      ...(otherFields === undefined ? {} : { others: otherFields }),
    }),
    entities: {
      valuesOf: async (keys) =>
        new Map((await indexedEntities(environment, keys)).map(({ key, values }) => [key, values])),
    },
  });
  const history = createSearchHistory(store);
  const saved = createSavedSearches(store);
  const related = createRelatedIndex();
  const reindexers = new Map<string, Reindexer>([
    ["item", metadataReindexer(environment, "item", "item")],
    ["collection", metadataReindexer(environment, "collection", "collection")],
    ["document", metadataReindexer(environment, "document", "metadata_document")],
    ["acl", accessReindexer(store, access)],
    ["file", fileReindexer(store, related)],
    ["shape", shapeReindexer({ store, access }, related)],
    ["thumbnail", nothingToReindex],
  ]);
  const { libraries, collectionScope } = deps;
  const items = {
    search,
    saved,
    history,
    items: environment,
    ...(libraries === undefined ? {} : { libraries }),
    ...(collectionScope === undefined ? {} : { collectionScope }),
  };
  return {
    search,
    tick: searchUpkeep(environment, reindexers, { history, saved }),
    routes: [
      historyRoutes({ history }),
      reindexRoutes({ store, reindexers }),
      itemSearchRoutes(items),
      relatedSearchRoutes({ search, saved, store, access }),
      groupSearchRoutes({ search, environment }),
      ...(collections === undefined
        ? []
        : [collectionSearchRoutes({ ...items, collections }), mixedSearchRoutes({ ...items, collections })]),
    ],
  };
}
