import { URIListDocument } from "../documents/uri-list.ts";
import { type RouteTable, routes } from "../http/route-table.ts";
import { configurationReaders } from "./property-routes.ts";

const parts = ["auth", "cors", "properties"] as const;

/** `/configuration`: what can be configured. */
export function configurationRoutes(): RouteTable {
  const route = routes();
  route.get(
    "/configuration",
    {
      summary: "List what can be configured",
      role: configurationReaders,
      output: URIListDocument,
      plain: ({ uri = [] }) => uri.map((address) => address.slice(address.lastIndexOf("/") + 1)),
    },
    (request) => ({ hits: parts.length, uri: parts.map((part) => request.url(`/configuration/${part}`)) }),
  );
  return route;
}
