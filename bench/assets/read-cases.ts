import { collectionScope } from "../../src/assets/collections/collection-scope.ts";
import { readRows } from "../../src/assets/metadata/metadata-row.ts";
import type { ItemSearch } from "../../src/assets/search/documents/item-search-document.ts";
import { searchKey } from "../../src/assets/search/kinds.ts";
import type { KeySet } from "../../src/assets/search/query/criterion.ts";
import { writeCursor } from "../../src/assets/search/query/cursor.ts";
import { encodeExact } from "../../src/assets/search/tokens/exact-token.ts";
import type { Row, Statement } from "../../src/store/database.ts";
import { type Archive, administrator } from "./archive.ts";
import type { Http } from "./http.ts";
import { randomNumbers, sampleWord } from "./sample-items.ts";

/** One thing to measure: how the service does it, and the best SQL that gives the same answer. */
export interface ReadCase {
  readonly name: string;
  /** What the report says of it. */
  readonly what: string;
  /** The service's way; answers what the SQL must answer as well. */
  readonly ours: (run: number) => Promise<unknown>;
  readonly sql: (run: number) => Promise<unknown>;
  /** The same as a request to the whole service: with identifiers only, and with the metadata of each item. */
  readonly requests: (http: Http) => Readonly<Record<"request" | "metadata", (run: number) => Promise<unknown>>>;
}

const pageSize = 100;
const matching = "search_index where search_index match ? and rowid & 7 = 1";
const facets = ["arc_status", "arc_format", "arc_category"];

/** A page of hits as both ways give it. */
interface Page {
  readonly hits: number;
  readonly keys: readonly number[];
}

/** What the cases are about. */
export interface ReadSubject {
  readonly archive: Archive;
  readonly items: number;
  /** Collections to list. */
  readonly collections: readonly number[];
  /** The key of a field in the index. */
  readonly keyOf: (field: string) => string;
}

export function readCases({ archive, items, collections, keyOf }: ReadSubject): readonly ReadCase[] {
  const all = (...statements: readonly Statement[]) => archive.store.readAll(statements);

  async function run(query: ItemSearch, scope?: KeySet) {
    const result = await archive.search.run({
      subject: administrator,
      query,
      scope,
      kinds: ["item"],
      first: 1,
      number: pageSize,
      count: true,
    });
    const page: Page = { hits: result.hits ?? 0, keys: result.found.map(({ serial }) => searchKey("item", serial)) };
    if (query.facet === undefined) return page;
    const counts = result.facets.map(
      ({ count }) => new Map(count?.map(({ fieldValue, value }) => [fieldValue, value])),
    );
    return { ...page, facets: counts };
  }

  function search(
    name: string,
    what: string,
    query: (run: number) => ItemSearch,
    sql: (run: number) => Promise<unknown>,
  ): ReadCase {
    return {
      name,
      what,
      sql,
      ours: (index) => run(query(index)),
      requests: (http) => ({
        request: (index) => http.search(query(index), ""),
        metadata: (index) => http.search(query(index), "&content=metadata"),
      }),
    };
  }

  async function pageBySql(match: string, page: Statement = newestPage(match)): Promise<Page> {
    const [count, rows = []] = await all({ sql: `select count(*) as hits from ${matching}`, args: [match] }, page);
    return { hits: Number(count?.[0]?.hits), keys: rows.map((row) => Number(row.id)) };
  }

  async function browseBySql(page: Statement): Promise<Page> {
    const total = { sql: "select sum(entities) as hits from search_total where kind = 1" };
    const [count, rows = []] = await all(total, page);
    return { hits: Number(count?.[0]?.hits), keys: rows.map((row) => Number(row.id)) };
  }

  async function facetsBySql(match: string) {
    const counts = await all(
      ...facets.map((name) => ({
        sql: `select v.value ->> '$."${keyOf(name)}"[0]' as value, count(*) as hits
          from search_index f cross join search_value v on v.id = f.rowid
          where f.search_index match ? and f.rowid & 7 = 1 group by 1`,
        args: [match],
      })),
    );
    return counts.map((rows) => new Map(rows.map((row: Row) => [String(row.value), Number(row.hits)])));
  }

  const random = randomNumbers(2026);
  const numbers = Array.from({ length: 1000 }, random);
  const pick = (index: number, most: number) => Math.floor((numbers[index % numbers.length] ?? 0) * most);

  const field = (name: string, value: string): ItemSearch => ({ field: [{ name, value: [{ value }] }] });
  const exact = (name: string, value: string) => `"${keyOf(name)}=${encodeExact(value).replaceAll('"', '""')}"`;
  const category = (index: number) => `Category ${pick(index, 100)}`;
  const file = (index: number) => `clip_${1 + pick(index, items - 1)}.mxf`;
  const project = (index: number) => `PRJ-${pick(index, 5000)}`;
  const word = (index: number) => sampleWord(50 + pick(index, 150));
  const wordMatch = (index: number) => `".${word(index)}"`;
  const month = (index: number) => `${2015 + pick(index, 2)}-0${1 + pick(index + 7, 9)}`;
  const middle = (index: number) => searchKey("item", Math.floor(items * 0.4) + pick(index, Math.ceil(items / 5)));

  const collection = (index: number) => collections[index % collections.length] ?? 0;
  const listing: ReadCase = {
    name: "collection listing",
    what: "the newest 100 of the 1,000 items of a collection",
    ours: (index) => {
      const { select, contains, exact } = collectionScope(collection(index));
      return run({}, { select, exact: exact === true, ...(contains === undefined ? {} : { contains }) });
    },
    sql: async (index) => {
      const members = "collection_member where collection = ? and kind = 1";
      const args = [collection(index)];
      const [count, rows = []] = await all(
        { sql: `select count(*) as hits from ${members}`, args },
        { sql: `select member * 8 + 1 as id from ${members} order by member desc limit ${pageSize}`, args },
      );
      return { hits: Number(count?.[0]?.hits), keys: rows.map((row) => Number(row.id)) };
    },
    requests: (http) => ({
      request: (index) => http.get(`/API/collection/VX-${collection(index)}/item?number=100`),
      metadata: (index) => http.get(`/API/collection/VX-${collection(index)}/item?number=100&content=metadata`),
    }),
  };

  const get: ReadCase = {
    name: "get",
    what: "one item with all its metadata, in memory",
    ours: async (index) => {
      const [row] = await readRows(archive.environment, administrator, "item", [1 + pick(index, items)]);
      return row?.key;
    },
    sql: async (index) => {
      const sql = "select id, writes, body, transient from metadata where id = ?";
      const [row] = await archive.store.query({ sql, args: [searchKey("item", 1 + pick(index, items))] });
      return row?.id;
    },
    requests: (http) => ({
      request: (index) => http.get(`/API/item/VX-${1 + pick(index, items)}`),
      metadata: (index) => http.get(`/API/item/VX-${1 + pick(index, items)}?content=metadata`),
    }),
  };

  return [
    get,
    listing,
    search(
      "known item",
      "a value that one item has",
      (index) => field("arc_filename", file(index)),
      (index) => pageBySql(exact("arc_filename", file(index))),
    ),
    search(
      "field search",
      "a value that 1 % of the items have: the number of hits, and the newest 100",
      (index) => field("arc_category", category(index)),
      (index) => pageBySql(exact("arc_category", category(index))),
    ),
    search(
      "rare field search",
      "a value that 1 in 5,000 items has",
      (index) => field("arc_project", project(index)),
      (index) => pageBySql(exact("arc_project", project(index))),
    ),
    search(
      "broad field search",
      "a value that nearly half of the items have",
      () => field("arc_status", "draft"),
      () => pageBySql(exact("arc_status", "draft")),
    ),
    search(
      "range search",
      "a month of recording dates and a status",
      (index) => ({
        field: [
          { name: "arc_status", value: [{ value: "draft" }] },
          { name: "arc_recorded", range: [{ value: [{ value: month(index) }, { value: month(index) }] }] },
        ],
      }),
      (index) =>
        pageBySql(`${exact("arc_status", "draft")} AND "${keyOf("arc_recorded")}#${month(index).replace("-", "")}"`),
    ),
    search(
      "text search",
      "a word anywhere that 1 to 4 % of the items have",
      (index) => ({ text: [{ value: word(index) }] }),
      (index) => pageBySql(wordMatch(index)),
    ),
    search(
      "text search with facets",
      "the same, with three facets over all hits",
      (index) => ({ text: [{ value: word(index) }], facet: facets.map((name) => ({ field: name })) }),
      async (index) => ({ ...(await pageBySql(wordMatch(index))), facets: await facetsBySql(wordMatch(index)) }),
    ),
    search(
      "sorted page",
      "everything by title, the first 100",
      () => ({ sort: [{ field: "title", order: "ascending" }] }),
      () =>
        browseBySql({
          sql: `select id from search_sort where field = ? and ends & 1 and id & 7 = 1 order by value, id limit ${pageSize}`,
          args: [keyOf("title")],
        }),
    ),
    search(
      "sorted search",
      "the items of a category by recording date",
      (index) => ({
        ...field("arc_category", category(index)),
        sort: [{ field: "arc_recorded", order: "descending" }],
      }),
      (index) => {
        const match = exact("arc_category", category(index));
        return pageBySql(match, {
          sql: `select f.rowid as id, v.value ->> '$."${keyOf("arc_recorded")}"[#-1]' as recorded
            from search_index f cross join search_value v on v.id = f.rowid
            where f.search_index match ? and f.rowid & 7 = 1 order by recorded desc, id desc limit ${pageSize}`,
          args: [match],
        });
      },
    ),
    search(
      "deep cursor page",
      "a text search from the middle of the archive on",
      (index) => ({ text: [{ value: word(index) }], cursor: writeCursor({ id: middle(index), values: [] }) }),
      (index) =>
        pageBySql(wordMatch(index), {
          sql: `select rowid as id from ${matching} and rowid < ? order by rowid desc limit ${pageSize}`,
          args: [wordMatch(index), middle(index)],
        }),
    ),
    search(
      "browse",
      "everything, the newest 100",
      () => ({}),
      () => browseBySql({ sql: `select id from search_document where id & 7 = 1 order by id desc limit ${pageSize}` }),
    ),
  ];
}

function newestPage(match: string): Statement {
  return { sql: `select rowid as id from ${matching} order by rowid desc limit ${pageSize}`, args: [match] };
}
