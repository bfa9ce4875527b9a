import type { Subject } from "../../plugin/contract.ts";
import type { Row, Statement } from "../../store/database.ts";
import type { ItemSearch } from "./documents/item-search-document.ts";
import type { PreparedSearch } from "./prepare.ts";
import { raw, sql } from "./query/fragment.ts";

/** A search for instances of field groups. */
export interface GroupSearchRequest {
  readonly subject: Subject;
  readonly query: ItemSearch;
  /** Names of the groups whose instances are searched. */
  readonly names: readonly string[];
  /** The first hit that is wanted, counted from 1. */
  readonly first: number;
  readonly number: number;
}

/** An instance by the key of the entity that it stands in and its number there. */
export interface FoundGroup {
  readonly key: number;
  readonly entry: number;
}

export interface GroupSearchResult {
  readonly hits: number;
  readonly found: readonly FoundGroup[];
}

/**
 * A page of the instances in which the criteria hold, of entities that the caller may read. Global metadata and
 * documents (kinds 3 and 4) have no access lists. What an entity only shows of others has numbers below zero.
 */
export async function findGroups(
  search: PreparedSearch,
  { names, first, number }: GroupSearchRequest,
  readAll: (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>,
): Promise<GroupSearchResult> {
  if (names.length === 0) return { hits: 0, found: [] };
  const { readable } = search.searched;
  const mayRead =
    readable === undefined
      ? raw("1")
      : sql`(f.entity & 7 in (3, 4) or exists (
          select 1 from search_document d where d.id = f.entity and d.access in (${readable})))`;
  const instances = search.groupInstances(names, raw("g.entity, g.entry"));
  const found = sql`from (${instances}) f where f.entry > 0 and ${mayRead}`;
  const [counts, page] = await readAll([
    sql`select count(*) as hits ${found}`,
    sql`select f.entity, f.entry ${found} order by f.entity desc, f.entry limit ${number} offset ${Math.max(0, first - 1)}`,
  ]);
  return {
    hits: Number(counts?.[0]?.hits ?? 0),
    found: (page ?? []).map((row) => ({ key: Number(row.entity), entry: Number(row.entry) })),
  };
}
