import { KinoraError } from "../../../errors.ts";
import { booleanParameter, type SentParameter } from "../../../http/parameters.ts";
import type { Subject } from "../../../plugin/contract.ts";
import type { ItemSearch } from "../documents/item-search-document.ts";
import type { KeySet } from "../query/criterion.ts";
import type { SavedSearches, SavedTarget } from "../saved-searches.ts";
import type { Search } from "../search.ts";
import type { SearchKind } from "../search-ports.ts";

/** Answers a search with the address of a saved one. */
export const saveParameter = { save: booleanParameter({ default: false }) };

/** The parameters that make a search, and so are not part of the address of a saved one. */
const making: ReadonlySet<string> = new Set([
  "save",
  "q",
  "result",
  "libraryId",
  "autoRefresh",
  "updateMode",
  "updateFrequency",
]);

export interface SavingDeps {
  readonly search: Search;
  readonly saved: SavedSearches;
}

/** A request whose search is to be saved. */
export interface SavingRequest {
  readonly subject: Subject;
  readonly parameters: readonly SentParameter[];
  url(path: string): string;
}

/** Which search, and under which path it is saved. */
export interface Saving {
  readonly target: SavedTarget;
  readonly kinds: readonly SearchKind[];
  readonly query: ItemSearch;
  readonly scope?: KeySet | undefined;
  readonly path: string;
}

/**
 * Saves a search and answers 303 with its address, which shows what it finds whenever it is read, with the parameters of
 * the request.
 *
 * @throws KinoraError what the search itself would throw for a document that makes no sense
 */
export async function savedAnswer(
  { search, saved }: SavingDeps,
  request: SavingRequest,
  { target, kinds, query, scope, path }: Saving,
): Promise<Response> {
  const { subject, parameters } = request;
  await search.check({ subject, kinds, query, scope });
  const key = await saved.save(target, subject.userName, query);
  const shown = new URLSearchParams(
    parameters.filter(([name]) => !making.has(name)).map(([name, value]) => [name, value]),
  );
  const location = request.url(`${path}/saved/${key}${shown.size === 0 ? "" : `?${shown}`}`);
  return new Response(null, { status: 303, headers: { location } });
}

/** @throws KinoraError `invalid-input`: a library is made once, a saved search is read many times */
export function refuseSavedLibrary(): never {
  throw new KinoraError("invalid-input", {
    context: "save",
    explanation: "The parameters save=true and result=library exclude each other; a library keeps its search itself",
  });
}
