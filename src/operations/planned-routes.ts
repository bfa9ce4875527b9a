import { KinoraError } from "../errors.ts";
import { type RouteTable, routes } from "../http/route-table.ts";
import { plannedEndpoints } from "./planned-endpoints.ts";

type Path = `/${string}`;

/**
 * Routes for endpoints of the reference that are planned: they answer 501, so that a client can tell them from a path
 * that is wrong. Those that are served already are passed over.
 */
export function plannedRoutes(served: readonly RouteTable[]): RouteTable {
  const known = new Set(
    served.flatMap((table) => table.routes.map(({ method, path }) => shapeOf(`${method} ${path}`))),
  );
  const table = routes();
  for (const [part, endpoints] of Object.entries(plannedEndpoints)) {
    for (const endpoint of endpoints) {
      if (known.has(shapeOf(endpoint))) continue;
      const [method = "", path = ""] = endpoint.split(" ");
      const add = table[method.toLowerCase() as "get" | "put" | "post" | "delete"];
      add(path as Path, { summary: `Planned with ${part}`, role: "authenticated", output: "none" }, () => {
        throw new KinoraError("not-yet-implemented", { explanation: `This endpoint comes with ${part}` });
      });
    }
  }
  return table;
}

/** Parameters' names do not tell paths apart. */
function shapeOf(endpoint: string): string {
  return endpoint.replace(/\{[^}]*\}/g, "{}");
}
