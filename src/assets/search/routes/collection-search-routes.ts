import { type RouteTable, routes } from "../../../http/route-table.ts";
import {
  type CollectionDocumentEnvironment,
  type CollectionRequest,
  collectionDocuments,
} from "../../collections/collection-documents.ts";
import type { Collection } from "../../documents/collection-document.ts";
import { itemParameters } from "../../items/item-documents.ts";
import { CollectionSearchDocument, type ItemSearch } from "../documents/item-search-document.ts";
import { type CollectionList, CollectionListDocument } from "../documents/list-documents.ts";
import type { SearchHistory } from "../search-history.ts";
import type { SearchHit } from "../search-request.ts";
import { byInterval } from "./hit-interval.ts";
import { type SavingDeps, type SavingRequest, savedAnswer, saveParameter } from "./saved-search.ts";
import { listExtras, queryParameter, searchOf, searchParameters } from "./search-parameters.ts";

export interface CollectionSearchDeps extends SavingDeps {
  readonly history: SearchHistory;
  readonly collections: CollectionDocumentEnvironment;
}

type CollectionSearchRequest = CollectionRequest & {
  readonly query: {
    readonly first: number;
    readonly number: number;
    readonly count: boolean;
    readonly cursor?: string | undefined;
  };
};

/** Searches for collections. */
export function collectionSearchRoutes(deps: CollectionSearchDeps): RouteTable {
  const route = routes();
  const answered = { role: "_collection_read", output: CollectionListDocument } as const;
  const shown = { ...itemParameters, ...searchParameters };
  const declaration = { ...answered, query: { ...shown, ...queryParameter, ...saveParameter } } as const;

  route.get(
    "/collection",
    {
      summary: "List collections, newest first",
      ...declaration,
      plain: ({ collection = [] }: CollectionList) => collection.map(({ id = "", name = "" }) => `${id}\t${name}`),
    },
    (request) => searchCollections(deps, request, searchOf(undefined, request.query.q)),
  );

  route.put(
    "/collection",
    {
      summary: "Search for collections",
      ...declaration,
      input: CollectionSearchDocument,
      inputOptional: true,
      anyRoot: true,
    },
    (request) => searchCollections(deps, request, searchOf(request.body, request.query.q)),
  );

  route.get(
    "/collection/saved/{key}",
    { summary: "Show what a saved search for collections finds", ...answered, query: shown, etag: true },
    async (request) => listCollections(deps, request, await deps.saved.find("collection", request.params.key)),
  );
  return route;
}

async function searchCollections(
  deps: CollectionSearchDeps,
  request: CollectionSearchRequest & SavingRequest & { readonly query: { readonly save: boolean } },
  query: ItemSearch,
): Promise<CollectionList | Response> {
  const saving = { target: "collection", kinds: ["collection"], query, path: "/collection" } as const;
  const answer = request.query.save
    ? await savedAnswer(deps, request, saving)
    : await listCollections(deps, request, query);
  deps.history.remember("collection", request.subject.userName, query);
  return answer;
}

async function listCollections(
  deps: CollectionSearchDeps,
  request: CollectionSearchRequest,
  query: ItemSearch,
): Promise<CollectionList> {
  const { first, number, count, cursor } = request.query;
  const { subject } = request;
  const result = await deps.search.run({ subject, query, kinds: ["collection"], first, number, count, cursor });
  return { ...listExtras(result), collection: await foundCollections(deps, request, result.found) };
}

/** Documents of hits, in their order. What was deleted meanwhile is left out. */
export async function foundCollections(
  { collections }: Pick<CollectionSearchDeps, "collections">,
  request: CollectionRequest,
  found: readonly SearchHit[],
): Promise<readonly Collection[]> {
  if (found.length === 0) return [];
  const bySerial = new Map<number, Collection>();
  for (const part of byInterval(request, found)) {
    const serials = part.hits.map(({ serial }) => serial);
    const shown = await collectionDocuments(collections, part.request, serials);
    for (const { serial, collection } of shown) bySerial.set(serial, collection);
  }
  return found.flatMap(({ serial }) => bySerial.get(serial) ?? []);
}
