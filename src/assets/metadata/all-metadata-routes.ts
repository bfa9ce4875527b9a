import { type RouteTable, routes } from "../../http/route-table.ts";
import { documentRoutes } from "./document-routes.ts";
import { addEntryRoutes } from "./entry-routes.ts";
import { globalMetadataRoutes } from "./global-routes.ts";
import { addHistoryRoutes } from "./history-routes.ts";
import { addFieldLockRoutes } from "./lock-routes.ts";
import { addCollectionMetadataRoutes, addItemMetadataRoutes } from "./metadata-routes.ts";
import type { MetadataRoutesDeps } from "./metadata-routes-deps.ts";

/** The metadata of items, collections and documents, and what belongs to none of them. */
export function metadataRoutes(deps: MetadataRoutesDeps): readonly RouteTable[] {
  const route = routes();
  addItemMetadataRoutes(route, deps);
  addCollectionMetadataRoutes(route, deps);
  for (const [kind, entity] of [
    ["item", "an item"],
    ["collection", "a collection"],
  ] as const) {
    addHistoryRoutes(route, deps, kind, entity);
    addEntryRoutes(route, deps, kind, entity);
    addFieldLockRoutes(route, deps, kind, entity);
  }
  return [route, globalMetadataRoutes(deps), documentRoutes(deps)];
}
