import { KinoraError } from "../../../errors.ts";
import { booleanParameter, intParameter, oneOfParameter, textParameter } from "../../../http/parameters.ts";
import { type RouteTable, routes } from "../../../http/route-table.ts";
import type { Subject } from "../../../plugin/contract.ts";
import { itemParameters } from "../../items/item-documents.ts";
import { type ItemSearch, ItemSearchDocument } from "../documents/item-search-document.ts";
import { type ItemList, ItemListDocument } from "../documents/list-documents.ts";
import type { KeySet } from "../query/criterion.ts";
import type { SearchHistory } from "../search-history.ts";
import { type ItemListDeps, itemList } from "./item-list.ts";
import { queryParameter, searchOf, searchParameters } from "./search-parameters.ts";

/** How a search is kept as a library. */
export interface LibraryRequest {
  readonly subject: Subject;
  readonly query: ItemSearch;
  /** The library to fill; absent for a new one. */
  readonly library?: string;
  readonly autoRefresh: boolean;
  readonly updateMode: "MERGE" | "REPLACE" | "TRANSIENT";
  readonly updateFrequency?: number;
}

/** Libraries, as far as searches for items use them. */
export interface LibrarySearches {
  /** The items of a library. @throws KinoraError `not-found` */
  scope(subject: Subject, library: string): Promise<KeySet>;
  /** Makes or fills a library; answers its identifier. */
  keep(request: LibraryRequest): Promise<string>;
}

export interface ItemSearchDeps extends ItemListDeps {
  readonly history: SearchHistory;
  readonly libraries?: LibrarySearches;
  /** The members of a collection. @throws KinoraError `not-found` */
  readonly collectionScope?: (subject: Subject, collection: string) => Promise<KeySet>;
}

const query = {
  ...itemParameters,
  ...searchParameters,
  ...queryParameter,
  library: textParameter({ default: "*" }),
  result: oneOfParameter(["list", "library"], { default: "list" }),
  libraryId: textParameter(),
  autoRefresh: booleanParameter({ default: false }),
  updateMode: oneOfParameter(["MERGE", "REPLACE", "TRANSIENT"], { default: "MERGE" }),
  updateFrequency: intParameter({ minimum: 0 }),
  url: booleanParameter({ default: false }),
};

/** Searches for items: among all, in a library, in a collection. */
export function itemSearchRoutes(deps: ItemSearchDeps): RouteTable {
  const route = routes();
  const declaration = {
    role: "_item_read",
    query,
    output: ItemListDocument,
    plain: ({ item = [] }: ItemList) => item.map(({ id = "" }) => id),
  } as const;

  route.get("/item", { summary: "List items, or search by a document in the query", ...declaration }, (request) =>
    searchItems(deps, request, searchOf(undefined, request.query.q)),
  );

  route.put(
    "/item",
    { summary: "Search for items", ...declaration, input: ItemSearchDocument, inputOptional: true, anyRoot: true },
    (request) => searchItems(deps, request, searchOf(request.body, request.query.q)),
  );

  const { collectionScope } = deps;
  if (collectionScope === undefined) return route;

  route.get(
    "/collection/{id}/item",
    { summary: "List the items of a collection, or search among them", ...declaration },
    async (request) => {
      const scope = await collectionScope(request.subject, request.params.id);
      return searchItems(deps, request, searchOf(undefined, request.query.q), scope);
    },
  );

  route.put(
    "/collection/{id}/item",
    {
      summary: "Search for items of a collection",
      ...declaration,
      input: ItemSearchDocument,
      inputOptional: true,
      anyRoot: true,
    },
    async (request) => {
      const scope = await collectionScope(request.subject, request.params.id);
      return searchItems(deps, request, searchOf(request.body, request.query.q), scope);
    },
  );
  return route;
}

type ItemSearchRequest = Parameters<typeof itemList>[1] & {
  readonly query: {
    readonly first: number;
    readonly number: number;
    readonly count: boolean;
    readonly cursor?: string | undefined;
    readonly library: string;
    readonly result: "list" | "library";
    readonly libraryId?: string | undefined;
    readonly autoRefresh: boolean;
    readonly updateMode: LibraryRequest["updateMode"];
    readonly updateFrequency?: number | undefined;
    readonly url: boolean;
  };
};

async function searchItems(
  deps: ItemSearchDeps,
  request: ItemSearchRequest,
  search: ItemSearch,
  scope?: KeySet,
): Promise<ItemList> {
  const { first, number, count, cursor, library, result } = request.query;
  const { subject } = request;
  const kept = result === "library" ? await keepAsLibrary(deps, request, search) : undefined;
  const within = scope ?? (library === "*" ? undefined : await librariesOf(deps).scope(subject, library));
  const list = await itemList(deps, request, { query: search, scope: within, first, number, count, cursor });
  deps.history.remember("item", subject.userName, search);
  return kept === undefined ? list : { ...list, library: kept };
}

function librariesOf({ libraries }: ItemSearchDeps): LibrarySearches {
  if (libraries === undefined) throw new KinoraError("not-yet-implemented");
  return libraries;
}

function keepAsLibrary(deps: ItemSearchDeps, { subject, query: parameters }: ItemSearchRequest, search: ItemSearch) {
  const { libraryId, autoRefresh, updateMode, updateFrequency } = parameters;
  return librariesOf(deps).keep({
    subject,
    query: search,
    autoRefresh,
    updateMode,
    ...(libraryId === undefined ? {} : { library: libraryId }),
    ...(updateFrequency === undefined ? {} : { updateFrequency }),
  });
}
