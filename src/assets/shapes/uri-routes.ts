import { URIListDocument, uriLines } from "../../documents/uri-list.ts";
import { booleanParameter, listParameter, textParameter } from "../../http/parameters.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { mediaUris } from "./item-media.ts";
import { type ShapeRoutesDeps, shapesOf } from "./shape-routes-deps.ts";

/** Where the media of an item is. */
export function uriRoutes(deps: ShapeRoutesDeps): RouteTable {
  const route = routes();

  route.get(
    "/item/{itemId}/uri",
    {
      summary: "List the addresses of an item's media",
      role: "_item_uri",
      query: {
        closedFiles: booleanParameter({ default: true }),
        tag: listParameter(),
        type: listParameter(),
        version: textParameter({ default: "latest" }),
        scheme: textParameter(),
      },
      output: URIListDocument,
      plain: uriLines,
    },
    async (request) => ({ uri: mediaUris(await shapesOf(deps, request), (name) => request.parameter(name)) }),
  );

  return route;
}
