import { intParameter, oneOfParameter } from "../../../http/parameters.ts";
import { type RouteTable, routes } from "../../../http/route-table.ts";
import type { Store } from "../../../store/store.ts";
import { ReindexRequestDocument } from "../documents/reindex-document.ts";
import { type Reindexers, readReindex, reindexStatuses, requestReindex } from "../reindex/reindex-requests.ts";

/** Rebuilding of indexes. */
export function reindexRoutes(deps: { readonly store: Store; readonly reindexers: Reindexers }): RouteTable {
  const { store, reindexers } = deps;
  const route = routes();
  const path = "/reindex/{index}" as const;

  route.get(
    path,
    { summary: "Tell how far the rebuilding of an index is", role: "_administrator", output: ReindexRequestDocument },
    ({ params }) => readReindex(store, params.index),
  );

  route.put(
    path,
    {
      summary: "Rebuild an index, or pause, go on with or end that",
      role: "_administrator",
      query: {
        priority: intParameter({ default: 500, minimum: 0, maximum: 1_000_000 }),
        status: oneOfParameter(reindexStatuses, { default: "IN_QUEUE" }),
      },
      output: ReindexRequestDocument,
    },
    (request) => requestReindex(store, request.change(), reindexers, request.params.index, request.query),
  );
  return route;
}
