import type { RouteTable } from "../../http/route-table.ts";
import { componentRoutes } from "./component-routes.ts";
import { transferRoutes } from "./component-transfer-routes.ts";
import { labelRoutes } from "./label-routes.ts";
import { placeholderRoutes } from "./placeholder-routes.ts";
import { shapeMetadataRoutes } from "./shape-metadata-routes.ts";
import { shapeRoutes } from "./shape-routes.ts";
import type { ShapeRoutesDeps } from "./shape-routes-deps.ts";
import { shapeTagRoutes } from "./shape-tag-routes.ts";
import { uriRoutes } from "./uri-routes.ts";
import { versionRoutes } from "./version-routes.ts";

/** All routes of shapes and shape tags. */
export function allShapeRoutes(deps: ShapeRoutesDeps): readonly RouteTable[] {
  return [
    shapeRoutes,
    placeholderRoutes,
    versionRoutes,
    labelRoutes,
    componentRoutes,
    transferRoutes,
    shapeMetadataRoutes,
    shapeTagRoutes,
    uriRoutes,
  ].map((table) => table(deps));
}
