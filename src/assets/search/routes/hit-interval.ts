import type { ItemRequest } from "../../items/item-documents.ts";
import type { SearchHit } from "../search-request.ts";

/** Hits that the same request shows. */
interface HitsOfRequest {
  readonly request: ItemRequest;
  readonly hits: readonly SearchHit[];
}

/**
 * What shows the hits: the request as it is, or with `interval=result` one for each place in time at which hits were
 * found, so that the metadata of a hit is that which overlaps the hit. An untimed hit overlaps everything.
 */
export function byInterval(request: ItemRequest, found: readonly SearchHit[]): readonly HitsOfRequest[] {
  const { subject, query } = request;
  const { interval = [] } = query;
  if (!interval.includes("result")) return [{ request, hits: found }];
  const others = interval.filter((one) => one !== "result");
  const groups = new Map<string, { readonly spans: readonly string[]; readonly hits: SearchHit[] }>();
  for (const hit of found) {
    const spans = hit.timespans.map(({ start, end }) =>
      start === "-INF" && end === "+INF" ? "all" : `${start}-${end}`,
    );
    const group = groups.get(spans.join());
    if (group === undefined) groups.set(spans.join(), { spans, hits: [hit] });
    else group.hits.push(hit);
  }
  return [...groups.values()].map(({ spans, hits }) => ({
    request: {
      subject,
      query: { ...query, interval: [...others, ...spans] },
      parameter: (name) => request.parameter(name),
      url: (path) => request.url(path),
    },
    hits,
  }));
}
