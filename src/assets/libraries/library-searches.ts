import { KinoraError } from "../../errors.ts";
import type { Subject } from "../../plugin/contract.ts";
import { resolveAccessEntity } from "../access/entity-id.ts";
import type { KeySet } from "../search/query/criterion.ts";
import { sql } from "../search/query/fragment.ts";
import type { LibrarySearches } from "../search/routes/search-items.ts";
import { libraryFromSearch } from "./edit-libraries.ts";
import type { LibraryEnvironment } from "./library-environment.ts";
import { libraryContent, libraryScope } from "./library-scope.ts";

/** What searches for items do with libraries: search within one, keep what was found as one. */
export function librarySearches(environment: LibraryEnvironment): LibrarySearches {
  const serialOf = async (library: string) =>
    Math.floor((await resolveAccessEntity(environment, "library", library)) / 8);

  async function foundKeys(subject: Subject, query: Parameters<typeof libraryFromSearch>[1]): Promise<KeySet> {
    const found: number[] = [];
    for await (const keys of environment.search.keys({ subject, query, kinds: ["item"] })) found.push(...keys);
    return { select: sql`select value as id from json_each(${JSON.stringify(found)})` };
  }

  return {
    async scope(subject, library) {
      requireRole("_library_read", subject);
      const serial = await serialOf(library);
      const content = await libraryContent(environment, subject, serial);
      return "query" in content ? foundKeys(subject, content.query) : libraryScope(serial);
    },
    async keep({ subject, change, query, library, autoRefresh, updateMode, updateFrequency }) {
      requireRole("_library_write", subject);
      const editing = { environment, subject, change };
      const settings = { autoRefresh, updateMode, updateFrequency };
      const serial = library === undefined ? undefined : await serialOf(library);
      return libraryFromSearch(editing, query, settings, serial);
    },
  };
}

/** A search for items is a read of items to its route; what it does with libraries takes their roles. */
function requireRole(role: "_library_read" | "_library_write", subject: Subject): void {
  if (subject.hasRole(role)) return;
  throw new KinoraError("forbidden", { context: "library", explanation: `The caller needs ${role}` });
}
