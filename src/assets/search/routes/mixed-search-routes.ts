import { type RouteTable, routes } from "../../../http/route-table.ts";
import type { Collection } from "../../documents/collection-document.ts";
import type { Item } from "../../documents/item-document.ts";
import { itemParameters } from "../../items/item-documents.ts";
import { AutocompleteRequestDocument, type ItemSearch, ItemSearchDocument } from "../documents/item-search-document.ts";
import { SearchResultDocument, type SearchResultEntry, type SearchResults } from "../documents/list-documents.ts";
import { AutocompleteResponseDocument } from "../documents/search-answer.ts";
import type { SearchHit } from "../search-request.ts";
import { type CollectionSearchDeps, foundCollections } from "./collection-search-routes.ts";
import { foundItems, type ItemListDeps } from "./item-list.ts";
import { type SavingRequest, savedAnswer, saveParameter } from "./saved-search.ts";
import { listExtras, queryParameter, searchOf, searchParameters } from "./search-parameters.ts";

export type MixedSearchDeps = ItemListDeps & CollectionSearchDeps;

type MixedRequest = Parameters<typeof foundItems>[1] & {
  readonly query: {
    readonly first: number;
    readonly number: number;
    readonly count: boolean;
    readonly cursor?: string | undefined;
  };
};

/** Searches for items and collections together, and completion of what somebody types. */
export function mixedSearchRoutes(deps: MixedSearchDeps): RouteTable {
  const route = routes();
  const answered = { role: ["_item_read", "_collection_read"], output: SearchResultDocument } as const;
  const shown = { ...itemParameters, ...searchParameters };
  const declaration = { ...answered, query: { ...shown, ...queryParameter, ...saveParameter } } as const;

  route.get("/search", { summary: "List items and collections, newest first", ...declaration }, (request) =>
    searchBoth(deps, request, searchOf(undefined, request.query.q)),
  );

  route.put(
    "/search",
    {
      summary: "Search for items and collections",
      ...declaration,
      input: ItemSearchDocument,
      inputOptional: true,
      anyRoot: true,
    },
    (request) => searchBoth(deps, request, searchOf(request.body, request.query.q)),
  );

  route.get(
    "/search/saved/{key}",
    { summary: "Show what a saved search for items and collections finds", ...answered, query: shown, etag: true },
    async (request) => listBoth(deps, request, await deps.saved.find("search", request.params.key)),
  );

  route.put(
    "/search/autocomplete",
    {
      summary: "Complete a word or value that somebody types",
      role: ["_item_read", "_collection_read"],
      input: AutocompleteRequestDocument,
      anyRoot: true,
      output: AutocompleteResponseDocument,
    },
    (request) => deps.search.autocomplete(request.subject, ["item", "collection"], request.body),
  );
  return route;
}

function kindsOf({ subject }: Pick<MixedRequest, "subject">) {
  return (["item", "collection"] as const).filter((kind) => subject.hasRole(`_${kind}_read`));
}

async function searchBoth(
  deps: MixedSearchDeps,
  request: MixedRequest & SavingRequest & { readonly query: { readonly save: boolean } },
  query: ItemSearch,
): Promise<SearchResults | Response> {
  if (!request.query.save) return listBoth(deps, request, query);
  return savedAnswer(deps, request, { target: "search", kinds: kindsOf(request), query, path: "/search" });
}

async function listBoth(deps: MixedSearchDeps, request: MixedRequest, query: ItemSearch): Promise<SearchResults> {
  const { first, number, count, cursor } = request.query;
  const { subject } = request;
  const kinds = kindsOf(request);
  const result = await deps.search.run({ subject, query, kinds, first, number, count, cursor });
  const [items, collections] = await Promise.all([
    foundItems(
      deps,
      request,
      result.found.filter(({ kind }) => kind === "item"),
    ),
    foundCollections(
      deps,
      request,
      result.found.filter(({ kind }) => kind === "collection"),
    ),
  ]);
  const itemsById = new Map(items.map((item) => [item.id, item]));
  const collectionsById = new Map(collections.map((collection) => [collection.id, collection]));
  const { format } = deps.items.ids;
  return {
    ...listExtras(result),
    entry: result.found.flatMap((hit) => {
      const id = format(hit.serial);
      return hit.kind === "item"
        ? entry("Item", hit, id, itemsById.get(id))
        : entry("Collection", hit, id, collectionsById.get(id));
    }),
  };
}

function entry(
  type: "Item" | "Collection",
  { start, end, timespans }: SearchHit,
  id: string,
  document: Item | Collection | undefined,
): readonly SearchResultEntry[] {
  if (document === undefined) return [];
  const common = { start, end, type, id, timespan: timespans };
  return [
    type === "Item"
      ? { ...common, item: withoutTimespan(document as Item) }
      : { ...common, collection: document as Collection },
  ];
}

/** The entry has the timespans, not the item in it. */
function withoutTimespan({ timespan: _timespan, ...item }: Item): Item {
  return item;
}
