import type { RouteTable } from "../../../http/route-table.ts";
import { type CollectionSearchDeps, collectionSearchRoutes } from "./collection-search-routes.ts";
import { historyRoutes } from "./history-routes.ts";
import { type ItemSearchDeps, itemSearchRoutes } from "./item-search-routes.ts";
import { mixedSearchRoutes } from "./mixed-search-routes.ts";

/** Everything that finds items and collections. The histories come first: their paths look like those of entities. */
export function searchRoutes(deps: ItemSearchDeps & CollectionSearchDeps): readonly RouteTable[] {
  return [historyRoutes(deps), itemSearchRoutes(deps), collectionSearchRoutes(deps), mixedSearchRoutes(deps)];
}
