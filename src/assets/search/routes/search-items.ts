import { KinoraError } from "../../../errors.ts";
import { plainText } from "../../../http/answer.ts";
import { negotiate } from "../../../http/negotiate.ts";
import type { Subject } from "../../../plugin/contract.ts";
import type { Change } from "../../../store/change.ts";
import type { ItemRequest } from "../../items/item-documents.ts";
import type { ItemSearch } from "../documents/item-search-document.ts";
import type { ItemList } from "../documents/list-documents.ts";
import type { KeySet } from "../query/criterion.ts";
import type { SearchHistory } from "../search-history.ts";
import { type ItemListDeps, itemList } from "./item-list.ts";
import { refuseSavedLibrary, type SavingDeps, type SavingRequest, savedAnswer } from "./saved-search.ts";

/** How a search is kept as a library. */
export interface LibraryRequest {
  readonly subject: Subject;
  /** Starts a change in the name of the caller. */
  change(): Change;
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
  change(): Change;
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

/**
 * Makes a search for items: answers what it finds, which it may keep as a library, or the address under which it is
 * saved.
 *
 * @param path under which the search is saved
 */
export async function searchItems(
  deps: ItemSearchDeps,
  request: ItemSearchRequest,
  path: string,
  search: ItemSearch,
  scope?: KeySet,
): Promise<ItemList | Response> {
  const { save, result } = request.query;
  if (save && result === "library") refuseSavedLibrary();
  const kept = result === "library" ? await keepAsLibrary(deps, request, search) : undefined;
  const answer = save
    ? await savedAnswer(deps, request, { target: "item", kinds: ["item"], query: search, scope, path })
    : await listItems(deps, request, search, scope, kept);
  deps.history.remember("item", request.subject.userName, search);
  return answer;
}

/** What a search finds, and the library that it was kept as. */
export async function listItems(
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
  return new Response(lines.join(""), { headers: { "content-type": plainText, vary: "accept" } });
}

function librariesOf({ libraries }: ItemSearchDeps): LibrarySearches {
  if (libraries === undefined) throw new KinoraError("not-yet-implemented");
  return libraries;
}

function keepAsLibrary(deps: ItemSearchDeps, request: ItemSearchRequest, search: ItemSearch) {
  const { libraryId, autoRefresh, updateMode, updateFrequency } = request.query;
  return librariesOf(deps).keep({
    subject: request.subject,
    change: () => request.change(),
    query: search,
    autoRefresh,
    updateMode,
    ...(libraryId === undefined ? {} : { library: libraryId }),
    ...(updateFrequency === undefined ? {} : { updateFrequency }),
  });
}
