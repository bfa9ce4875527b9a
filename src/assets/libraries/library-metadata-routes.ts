import { KinoraError } from "../../errors.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { addKeyValueRoutes } from "../../identity/key-value-routes.ts";
import { accessEntityOf } from "../access/access-entity.ts";
import { resolveAccessEntity } from "../access/entity-id.ts";
import { requireAccess } from "../access/require-access.ts";
import type { LibraryEnvironment } from "./library-environment.ts";

/** How the table of simple metadata names libraries. */
export const libraryPairs = "library";

/** Simple metadata of libraries. */
export function libraryMetadataRoutes(environment: LibraryEnvironment): RouteTable {
  const route = routes();
  addKeyValueRoutes(route, environment.store, {
    path: "/library/{id}",
    entity: "a library",
    read: "_library_read",
    write: "_library_write",
    setStatus: 204,
    async owner({ id = "" }, { subject, writes }) {
      const library = await resolveAccessEntity(environment, "library", id);
      await requireAccess(environment, subject, library, writes ? "WRITE" : "READ");
      return {
        entity: libraryPairs,
        row: { sql: "(select id from library where id = ?)", args: [accessEntityOf(library).serial] },
        missing: new KinoraError("not-found", { type: "Library", id }),
      };
    },
  });
  return route;
}
