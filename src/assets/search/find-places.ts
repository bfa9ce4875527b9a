import type { ItemSearch } from "./documents/item-search-document.ts";
import { searchEntity } from "./kinds.ts";
import type { PreparedSearch } from "./prepare.ts";
import { createHighlighter } from "./query/highlight.ts";
import { leavesFor } from "./query/hit-match.ts";
import { everywhere, placeOf } from "./query/hit-timespans.ts";
import type { KeyPage } from "./query/page.ts";
import type { SearchEntities } from "./search-ports.ts";
import type { SearchHit } from "./search-request.ts";

interface Reading {
  readonly mayRead: (field: string) => boolean;
  readonly entities: SearchEntities;
}

/**
 * Tells where in its time each hit of a page matches. Metadata is read only of hits that have any with a timespan, or of
 * all when matches shall be highlighted.
 */
export function findPlaces(
  search: PreparedSearch,
  query: ItemSearch,
  { keys, timed }: KeyPage,
  { mayRead, entities }: Reading,
): readonly SearchHit[] | Promise<readonly SearchHit[]> {
  if (query.highlight === undefined && (timed.length === 0 || query.intervals === "generic")) return keys.map(anywhere);
  const leaves = leavesFor(search.criterion);
  if (leaves.length === 0) return keys.map(anywhere);
  const highlighter = query.highlight && createHighlighter(query.highlight, leaves, mayRead);
  return entities.valuesOf(highlighter === undefined ? timed : keys).then((values) =>
    keys.map((key) => {
      const found = values.get(key);
      if (found === undefined) return anywhere(key);
      return { ...searchEntity(key), ...placeOf(found, leaves, query.intervals ?? "all", highlighter) };
    }),
  );
}

function anywhere(key: number): SearchHit {
  const { kind, serial } = searchEntity(key);
  return { kind, serial, start: everywhere.start, end: everywhere.end, timespans: everywhere.timespans };
}
