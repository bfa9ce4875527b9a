import { KinoraError } from "../../../errors.ts";
import { negotiate } from "../../../http/negotiate.ts";
import { booleanParameter, intParameter, oneOfParameter, textParameter } from "../../../http/parameters.ts";
import { type RouteTable, routes } from "../../../http/route-table.ts";
import type { Subject } from "../../../plugin/contract.ts";
import { type ItemRequest, itemParameters } from "../../items/item-documents.ts";
import { type ItemSearch, ItemSearchDocument } from "../documents/item-search-document.ts";
import { type ItemList, ItemListDocument } from "../documents/list-documents.ts";
import type { KeySet } from "../query/criterion.ts";
import type { SearchHistory } from "../search-history.ts";
import { type ItemListDeps, itemList } from "./item-list.ts";
import { refuseSavedLibrary, type SavingDeps, type SavingRequest, savedAnswer, saveParameter } from "./saved-search.ts";
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

export interface ItemSearchDeps extends ItemListDeps, SavingDeps {
  readonly history: SearchHistory;
  readonly libraries?: LibrarySearches;
  /** The members of a collection. @throws KinoraError `not-found` */
  readonly collectionScope?: (subject: Subject, collection: string) => Promise<KeySet>;
}

/** What of the hits is shown, and of which items. */
const shown = {
  ...itemParameters,
  ...searchParameters,
  library: textParameter({ default: "*" }),
  url: booleanParameter({ default: false }),
};

const query = {
  ...shown,
  ...queryParameter,
  ...saveParameter,
  result: oneOfParameter(["list", "library"], { default: "list" }),
  libraryId: textParameter(),
  autoRefresh: booleanParameter({ default: false }),
  updateMode: oneOfParameter(["MERGE", "REPLACE", "TRANSIENT"], { default: "MERGE" }),
  updateFrequency: intParameter({ minimum: 0 }),
};

/** Searches for items: among all, in a library, in a collection. */
export function itemSearchRoutes(deps: ItemSearchDeps): RouteTable {
  const route = routes();
  const answered = {
    role: "_item_read",
    output: ItemListDocument,
    plain: ({ item = [] }: ItemList) => item.map(({ id = "" }) => id),
  } as const;
  const declaration = { ...answered, query } as const;
  const readSaved = { ...answered, query: shown, etag: true } as const;

  route.get("/item", { summary: "List items, or search by a document in the query", ...declaration }, (request) =>
    searchItems(deps, request, "/item", searchOf(undefined, request.query.q)),
  );

  route.put(
    "/item",
    { summary: "Search for items", ...declaration, input: ItemSearchDocument, inputOptional: true, anyRoot: true },
    (request) => searchItems(deps, request, "/item", searchOf(request.body, request.query.q)),
  );

  route.get(
    "/item/saved/{key}",
    { summary: "Show what a saved search for items finds", ...readSaved },
    async (request) => listItems(deps, request, await deps.saved.find("item", request.params.key)),
  );

  const { collectionScope } = deps;
  if (collectionScope === undefined) return route;

  route.get(
    "/collection/{id}/item",
    { summary: "List the items of a collection, or search among them", ...declaration },
    async (request) => {
      const { id } = request.params;
      const scope = await collectionScope(request.subject, id);
      return searchItems(deps, request, itemsOf(id), searchOf(undefined, request.query.q), scope);
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
      const { id } = request.params;
      const scope = await collectionScope(request.subject, id);
      return searchItems(deps, request, itemsOf(id), searchOf(request.body, request.query.q), scope);
    },
  );

  route.get(
    "/collection/{id}/item/saved/{key}",
    { summary: "Show what a saved search for items finds in a collection", ...readSaved },
    async (request) => {
      const { id, key } = request.params;
      const scope = await collectionScope(request.subject, id);
      return listItems(deps, request, await deps.saved.find("item", key), scope);
    },
  );
  return route;
}

function itemsOf(collection: string): string {
  return `/collection/${encodeURIComponent(collection)}/item`;
}

type ShowingRequest = ItemRequest & {
  header(name: string): string | undefined;
  readonly query: {
    readonly first: number;
    readonly number: number;
    readonly count: boolean;
    readonly cursor?: string | undefined;
    readonly library: string;
    readonly url: boolean;
  };
};

type ItemSearchRequest = ShowingRequest & {
  readonly parameters: SavingRequest["parameters"];
  readonly query: {
    readonly save: boolean;
    readonly result: "list" | "library";
    readonly libraryId?: string | undefined;
    readonly autoRefresh: boolean;
    readonly updateMode: LibraryRequest["updateMode"];
    readonly updateFrequency?: number | undefined;
  };
};

async function searchItems(
  deps: ItemSearchDeps,
  request: ItemSearchRequest,
  path: string,
  search: ItemSearch,
  scope?: KeySet,
): Promise<ItemList | Response> {
  const { subject } = request;
  const { save, result } = request.query;
  deps.history.remember("item", subject.userName, search);
  if (save && result === "library") refuseSavedLibrary();
  if (save) return savedAnswer(deps, request, { target: "item", kinds: ["item"], query: search, scope, path });
  const kept = result === "library" ? await keepAsLibrary(deps, request, search) : undefined;
  return listItems(deps, request, search, scope, kept);
}

/** What a search finds, and the library that it was kept as. */
async function listItems(
  deps: ItemSearchDeps,
  request: ShowingRequest,
  search: ItemSearch,
  scope?: KeySet,
  kept?: string,
): Promise<ItemList | Response> {
  const { first, number, count, cursor, library, url } = request.query;
  const within = scope ?? (library === "*" ? undefined : await librariesOf(deps).scope(request.subject, library));
  const list = await itemList(deps, request, { query: search, scope: within, first, number, count, cursor });
  if (url && negotiate(request.header("accept"), forms) === "text/plain") return addresses(request, list);
  return kept === undefined ? list : { ...list, library: kept };
}

/** The forms of a list, best first. */
const forms = ["application/xml", "application/json", "text/plain", "text/xml"] as const;

/** A list in text form, with addresses in place of identifiers. */
function addresses(request: Pick<ItemRequest, "url">, { item = [] }: ItemList): Response {
  const lines = item.map(({ id = "" }) => `${request.url(`/item/${id}`)}\r\n`);
  return new Response(lines.join(""), { headers: { "content-type": "text/plain; charset=utf-8", vary: "accept" } });
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
