import type { AnyDocument } from "../documents/declare.ts";
import { xsd } from "../documents/xsd.ts";
import { type RouteTable, routes } from "./route-table.ts";

/** `GET /schema.xsd`: the XML Schema of all documents that are taken and given. */
export function schemaRoutes(documents: readonly AnyDocument[], namespace: string): RouteTable {
  const table = routes();
  let schema: string | undefined;
  table.get(
    "/schema.xsd",
    { summary: "Read the XML Schema of all documents", role: "authenticated", output: "bytes" },
    () => {
      schema ??= xsd(documents, namespace);
      return new Response(schema, { headers: { "content-type": "application/xml" } });
    },
  );
  return table;
}
