import type { Row, Statement } from "../../store/database.ts";
import type { ItemSearch } from "./documents/item-search-document.ts";
import { searchEntity } from "./kinds.ts";
import type { PreparedSearch } from "./prepare.ts";
import { sql, valuesOf } from "./query/fragment.ts";
import { createHighlighter } from "./query/highlight.ts";
import { leavesFor } from "./query/hit-match.ts";
import { everywhere, placeOf } from "./query/hit-timespans.ts";
import type { SearchEntities } from "./search-ports.ts";
import type { SearchHit } from "./search-request.ts";

interface Reading {
  readonly mayRead: (field: string) => boolean;
  readonly readAll: (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;
  readonly entities: SearchEntities;
}

/**
 * Tells where in its time each hit of a page matches. Metadata is read only of hits that have any with a timespan, or of
 * all when matches shall be highlighted.
 */
export async function findPlaces(
  search: PreparedSearch,
  query: ItemSearch,
  keys: readonly number[],
  { mayRead, readAll, entities }: Reading,
): Promise<readonly SearchHit[]> {
  const leaves = leavesFor(search.criterion);
  const highlighter = query.highlight && createHighlighter(query.highlight, leaves, mayRead);
  const looked = leaves.length === 0 ? [] : highlighter === undefined ? await timedOnes(keys, query, readAll) : keys;
  const values = looked.length === 0 ? undefined : await entities.valuesOf(looked);
  return keys.map((key) => {
    const found = values?.get(key);
    const place = found === undefined ? everywhere : placeOf(found, leaves, query.intervals ?? "all", highlighter);
    return { ...searchEntity(key), ...place };
  });
}

async function timedOnes(keys: readonly number[], query: ItemSearch, readAll: Reading["readAll"]) {
  if (query.intervals === "generic" || keys.length === 0) return [];
  const [rows = []] = await readAll([
    sql`select id from search_document where id in ${valuesOf(JSON.stringify(keys))} and timed = 1`,
  ]);
  return rows.map((row) => Number(row.id));
}
