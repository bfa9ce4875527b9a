import { booleanParameter, intParameter, oneOfParameter, textParameter } from "../../../http/parameters.ts";
import { type RouteTable, routes } from "../../../http/route-table.ts";
import { itemParameters } from "../../items/item-documents.ts";
import { ItemSearchDocument } from "../documents/item-search-document.ts";
import { type ItemList, ItemListDocument } from "../documents/list-documents.ts";
import { saveParameter } from "./saved-search.ts";
import { type ItemSearchDeps, listItems, searchItems } from "./search-items.ts";
import { queryParameter, searchOf, searchParameters } from "./search-parameters.ts";

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
