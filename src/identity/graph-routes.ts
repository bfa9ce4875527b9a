import { KinoraError } from "../errors.ts";
import { listParameter } from "../http/parameters.ts";
import { type RouteTable, routes } from "../http/route-table.ts";
import { drawGraph } from "./graph.ts";
import type { IdentityRoutesDeps } from "./routes-deps.ts";

/** Users and groups as a picture. */
export function graphRoutes({ store }: Pick<IdentityRoutesDeps, "store">): RouteTable {
  const route = routes();
  const query = { users: listParameter(), groups: listParameter() };

  route.get(
    "/user/graph",
    { summary: "Draw users and groups as PNG (not offered)", role: "_user_read", query, output: "bytes" },
    () => {
      throw new KinoraError("not-yet-implemented", {
        explanation: "Pictures are not drawn here; render the answer of /user/graph/dot with Graphviz",
      });
    },
  );

  route.get(
    "/user/graph/dot",
    { summary: "Describe users and groups as a graph for Graphviz", role: "_user_read", query, output: "bytes" },
    async (request) => {
      const type = request.accepts("text/vnd.graphviz") ? "text/vnd.graphviz" : "text/plain";
      if (!request.accepts(type)) throw new KinoraError("not-acceptable");
      return new Response(await drawGraph(store, request.query), {
        headers: { "content-type": `${type}; charset=utf-8` },
      });
    },
  );

  return route;
}
