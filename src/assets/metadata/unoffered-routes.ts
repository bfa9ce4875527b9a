import { KinoraError } from "../../errors.ts";
import { type Method, type RouteTable, routes } from "../../http/route-table.ts";

type Unoffered = readonly [method: Method, path: `/${string}`, what: string];

/** Parts of the public API around metadata that are known and not offered: they answer 501. */
export const unofferedMetadata: readonly Unoffered[] = [
  ["GET", "/item/{id}/metadata/graph", "Draw the metadata of an item as an image; see graph/dot"],
  ["GET", "/collection/{id}/metadata/graph", "Draw the metadata of a collection as an image; see graph/dot"],
  ["GET", "/item/{id}/metadata/export/scc", "Export closed captions"],
  ["GET", "/item/{id}/metadata/export/ttml", "Export timed text"],
  ["POST", "/metadata-field/{name}/allowed-values", "List the values that a dataset allows in a field"],
  ["GET", "/metadata/dataset", "List datasets"],
  ["GET", "/metadata/dataset/{name}", "Read a dataset"],
  ["PUT", "/metadata/dataset/{name}", "Store a dataset"],
  ["DELETE", "/metadata/dataset/{name}", "Delete a dataset"],
  ["GET", "/metadata/migration", "List migrations of fields"],
  ["POST", "/metadata/migration", "Move, rename or delete fields everywhere"],
  ["GET", "/metadata/migration/{id}", "Read a migration of fields"],
  ["GET", "/projection", "List projections"],
  ["DELETE", "/projection/{id}", "Delete a projection"],
  ["GET", "/projection/{id}/incoming", "Read the incoming part of a projection"],
  ["PUT", "/projection/{id}/incoming", "Store the incoming part of a projection"],
  ["GET", "/projection/{id}/outgoing", "Read the outgoing part of a projection"],
  ["PUT", "/projection/{id}/outgoing", "Store the outgoing part of a projection"],
];

/** Routes that say that a part of the API is not offered, so that a client need not guess. */
export function unofferedMetadataRoutes(): RouteTable {
  const route = routes();
  const registers = { GET: route.get, POST: route.post, PUT: route.put, DELETE: route.delete };
  for (const [method, path, what] of unofferedMetadata) {
    registers[method](path, { summary: `${what} (not offered)`, role: "authenticated", output: "none" }, () => {
      throw new KinoraError("not-yet-implemented");
    });
  }
  return route;
}
