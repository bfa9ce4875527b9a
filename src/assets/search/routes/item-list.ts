import type { Item } from "../../documents/item-document.ts";
import { type ItemDocumentEnvironment, type ItemRequest, itemDocuments } from "../../items/item-documents.ts";
import type { ItemList } from "../documents/list-documents.ts";
import type { Search } from "../search.ts";
import type { SearchHit, SearchRequest } from "../search-request.ts";
import { byInterval } from "./hit-interval.ts";
import { listExtras } from "./search-parameters.ts";

/** What lists of items are made of. */
export interface ItemListDeps {
  readonly search: Search;
  readonly items: ItemDocumentEnvironment;
}

/** A search for items as a request asks for it. */
export type ItemSearchRequest = Omit<SearchRequest, "kinds" | "subject">;

/** The items that a search finds, with the parts that the request wants of each. */
export async function itemList(deps: ItemListDeps, request: ItemRequest, search: ItemSearchRequest): Promise<ItemList> {
  const result = await deps.search.run({ ...search, subject: request.subject, kinds: ["item"] });
  return { ...listExtras(result), item: await foundItems(deps, request, result.found) };
}

/** Documents of hits, in their order. What was deleted meanwhile is left out. */
export async function foundItems(
  { items }: ItemListDeps,
  request: ItemRequest,
  found: readonly SearchHit[],
): Promise<readonly Item[]> {
  if (found.length === 0) return [];
  const bySerial = new Map<number, Item>();
  for (const part of byInterval(request, found)) {
    const serials = part.hits.map(({ serial }) => serial);
    for (const { serial, item } of await itemDocuments(items, part.request, serials)) bySerial.set(serial, item);
  }
  return found.flatMap(({ serial, start, end, timespans }) => {
    const item = bySerial.get(serial);
    return item === undefined ? [] : [{ ...item, start, end, timespan: timespans }];
  });
}
