import type { Subject } from "../../plugin/contract.ts";
import { accessKey } from "../access/access-entity.ts";
import { requireAccess } from "../access/require-access.ts";
import type { ItemSearch } from "../search/documents/item-search-document.ts";
import type { KeySet } from "../search/query/criterion.ts";
import { sql } from "../search/query/fragment.ts";
import type { LibraryEnvironment } from "./library-environment.ts";
import { itemsAtOnce, readLibrary } from "./library-items.ts";
import { noteUse } from "./library-use.ts";

/** What a library holds: the items that are kept, or the search that finds them. */
export type LibraryContent = { readonly scope: KeySet } | { readonly query: ItemSearch };

/** The items that are kept of a library, to search among them. */
export function libraryScope(library: number): KeySet {
  return {
    exact: true,
    select: sql`select i.item * 8 + 1 as id from library_item i where i.library = ${library}`,
    contains: (id) =>
      sql`(${id} & 7 = 1 and exists (select 1 from library_item i where i.library = ${library} and i.item = ${id} / 8))`,
  };
}

/** What a library holds, for one who may read it. @throws KinoraError `not-found` */
export async function libraryContent(
  environment: LibraryEnvironment,
  subject: Subject,
  serial: number,
): Promise<LibraryContent> {
  await requireAccess(environment, subject, accessKey("library", serial), "READ");
  const library = await readLibrary(environment, serial);
  await noteUse(environment, library);
  const { updateMode, query } = library;
  return updateMode === "TRANSIENT" ? { query: query ?? {} } : { scope: libraryScope(serial) };
}

/** The items of a library that a subject may find, in blocks. @throws KinoraError `not-found` */
export async function* libraryItems(
  environment: LibraryEnvironment,
  subject: Subject,
  serial: number,
): AsyncIterable<readonly number[]> {
  const content = await libraryContent(environment, subject, serial);
  const request = "query" in content ? content : { query: {}, scope: content.scope };
  for await (const keys of environment.search.keys({ ...request, subject, kinds: ["item"] })) {
    for (let from = 0; from < keys.length; from += itemsAtOnce) {
      yield keys.slice(from, from + itemsAtOnce).map((key) => Math.floor(key / 8));
    }
  }
}
