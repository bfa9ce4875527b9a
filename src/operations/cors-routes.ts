import { type RouteTable, routes } from "../http/route-table.ts";
import type { Store } from "../store/store.ts";
import { putDocument, readDocument } from "./configuration.ts";
import { checkCors } from "./cors.ts";
import { CORSConfigurationDocument, type CorsConfiguration } from "./cors-document.ts";
import { corsDocument } from "./cors-source.ts";
import { configurationReaders } from "./property-routes.ts";

/** `/configuration/cors`: a document without entries switches CORS off. */
export function corsRoutes({ store }: { readonly store: Store }): RouteTable {
  const route = routes();
  const path = "/configuration/cors";

  route.get(
    path,
    {
      summary: "Read the CORS configuration",
      role: configurationReaders,
      output: CORSConfigurationDocument,
      etag: true,
    },
    async () => ((await readDocument(store, corsDocument)) ?? {}) as CorsConfiguration,
  );

  route.put(
    path,
    {
      summary: "Replace the CORS configuration",
      role: "_administrator",
      input: CORSConfigurationDocument,
      output: CORSConfigurationDocument,
    },
    async (request) => {
      checkCors(request.body);
      const change = request.change();
      putDocument(store, change, corsDocument, request.body);
      await change.commit();
      return request.body;
    },
  );

  return route;
}
