import type { ItemSearch } from "../../src/assets/search/documents/item-search-document.ts";
import { searchKey } from "../../src/assets/search/kinds.ts";
import { writeCursor } from "../../src/assets/search/query/cursor.ts";
import type { Database, Row, Statement } from "../../src/store/database.ts";
import { type Archive, administrator } from "./archive.ts";
import { randomNumbers, sampleWord } from "./sample-items.ts";

/** One thing to measure: how the service does it, and the best SQL that gives the same answer. */
export interface ReadCase {
  readonly name: string;
  /** What the report says of it. */
  readonly what: string;
  /** The service's way; answers what the SQL must answer as well. */
  readonly ours: (run: number) => Promise<unknown>;
  readonly sql: (run: number) => Promise<unknown>;
  /** The search of a run, for the whole request through HTTP. */
  readonly query?: (run: number) => ItemSearch;
  /** Parameters of that request. */
  readonly parameters?: (run: number) => string;
}

const pageSize = 100;

/** A page of hits as both ways give it. */
interface Page {
  readonly hits: number;
  readonly keys: readonly number[];
}

export function readCases(
  archive: Archive,
  database: Database,
  items: number,
  keyOf: (field: string) => string,
): readonly ReadCase[] {
  const find = async (query: ItemSearch, more: { readonly cursor?: string } = {}): Promise<Page> => {
    const result = await archive.search.run({
      subject: administrator,
      query,
      kinds: ["item"],
      first: 1,
      number: pageSize,
      count: true,
      ...more,
    });
    return { hits: result.hits ?? 0, keys: result.found.map(({ serial }) => searchKey("item", serial)) };
  };
  const all = (...statements: readonly Statement[]) => archive.store.readAll(statements);
  const matching = "search_index where search_index match ? and rowid & 7 = 1";
  const pageBySql = async (match: string): Promise<Page> => {
    const [count, page] = await all(
      { sql: `select count(*) as hits from ${matching}`, args: [match] },
      { sql: `select rowid as id from ${matching} order by rowid desc limit ${pageSize}`, args: [match] },
    );
    return { hits: Number(count?.[0]?.hits), keys: keysOf(page) };
  };
  const field = (name: string, value: string): ItemSearch => ({ field: [{ name, value: [{ value }] }] });
  const exact = (name: string, encoded: string) => `"${keyOf(name)}=${encoded}"`;

  const random = randomNumbers(2026);
  const numbers = Array.from({ length: 1000 }, random);
  const pick = (run: number, most: number) => Math.floor((numbers[run % numbers.length] ?? 0) * most);

  /** One item in a hundred. */
  const category = (run: number) => pick(run, 100);
  /** Words of one item in two hundred to one in twenty, or so. */
  const word = (run: number) => sampleWord(20 + pick(run, 100));
  const facets = ["arc_status", "arc_format", "arc_category"];
  const facetCounts = (rows: readonly Row[] | undefined) =>
    new Map((rows ?? []).map((row) => [String(row.value), Number(row.hits)]));
  return [
    {
      name: "get",
      what: "one item with all its metadata",
      ours: async (run) => {
        const serial = 1 + pick(run, items);
        const [row] = await archive.store.query({
          sql: "select id, body from metadata where id = ?",
          args: [serial * 8 + 1],
        });
        return row?.id;
      },
      sql: async (run) => {
        const serial = 1 + pick(run, items);
        const { rows } = await database.query({
          sql: "select id, body from metadata where id = ?",
          args: [serial * 8 + 1],
        });
        return rows[0]?.id;
      },
    },
    {
      name: "field search",
      what: "a value that 1 % of the items have; the number of hits, and the newest 100",
      query: (run) => field("arc_category", `Category ${category(run)}`),
      ours: (run) => find(field("arc_category", `Category ${category(run)}`)),
      sql: (run) => pageBySql(exact("arc_category", `[#ategory![${category(run)}`)),
    },
    {
      name: "rare field search",
      what: "a value that 1 in 5,000 items has",
      query: (run) => field("arc_project", `PRJ-${pick(run, 5000)}`),
      ours: (run) => find(field("arc_project", `PRJ-${pick(run, 5000)}`)),
      sql: (run) => pageBySql(exact("arc_project", `[0[2[*-${pick(run, 5000)}`)),
    },
    {
      name: "broad field search",
      what: "a value that nearly half of the items have",
      query: () => field("arc_status", "draft"),
      ours: () => find(field("arc_status", "draft")),
      sql: () => pageBySql(exact("arc_status", "draft")),
    },
    {
      name: "range search",
      what: "a month of recording dates and a status",
      ours: (run) => {
        const month = `20${15 + pick(run, 2)}-0${1 + pick(run + 7, 9)}`;
        return find({
          field: [
            { name: "arc_status", value: [{ value: "draft" }] },
            { name: "arc_recorded", range: [{ value: [{ value: month }, { value: month }] }] },
          ],
        });
      },
      sql: (run) => {
        const month = `20${15 + pick(run, 2)}0${1 + pick(run + 7, 9)}`;
        return pageBySql(`${exact("arc_status", "draft")} AND "${keyOf("arc_recorded")}#${month}"`);
      },
    },
    {
      name: "text search",
      what: "a word anywhere that 1 to 4 % of the items have",
      query: (run) => ({ text: [{ value: word(run) }] }),
      ours: (run) => find({ text: [{ value: word(run) }] }),
      sql: (run) => pageBySql(`".${word(run)}"`),
    },
    {
      name: "text search with facets",
      what: "the same, with three facets over all hits",
      query: (run) => ({ text: [{ value: word(run) }], facet: facets.map((name) => ({ field: name })) }),
      ours: async (run) => {
        const result = await archive.search.run({
          subject: administrator,
          query: { text: [{ value: word(run) }], facet: facets.map((name) => ({ field: name })) },
          kinds: ["item"],
          first: 1,
          number: pageSize,
          count: true,
        });
        return {
          hits: result.hits,
          keys: result.found.map(({ serial }) => searchKey("item", serial)),
          facets: result.facets.map(({ count }) => new Map(count?.map(({ fieldValue, value }) => [fieldValue, value]))),
        };
      },
      sql: async (run) => {
        const match = `".${word(run)}"`;
        const page = await pageBySql(match);
        const counts = await all(
          ...facets.map((name) => ({
            sql: `select v.value ->> '$."${keyOf(name)}"[0]' as value, count(*) as hits
              from search_index f cross join search_value v on v.id = f.rowid
              where f.search_index match ? and f.rowid & 7 = 1 group by 1`,
            args: [match],
          })),
        );
        return { ...page, facets: counts.map(facetCounts) };
      },
    },
    {
      name: "sorted page",
      what: "everything by title, the first 100",
      query: () => ({ sort: [{ field: "title", order: "ascending" }] }),
      ours: () => find({ sort: [{ field: "title", order: "ascending" }] }),
      sql: async () => {
        const [count, page] = await all(
          { sql: "select entities as hits from search_total where kind = 1" },
          {
            sql: `select id from search_sort where field = ? and ends & 1 and id & 7 = 1
              order by value, id limit ${pageSize}`,
            args: [keyOf("title")],
          },
        );
        const hits = count?.reduce((sum, row) => sum + Number(row.hits), 0);
        return { hits, keys: keysOf(page) };
      },
    },
    {
      name: "sorted search",
      what: "the items of a category by recording date",
      query: (run) => ({
        ...field("arc_category", `Category ${category(run)}`),
        sort: [{ field: "arc_recorded", order: "descending" }],
      }),
      ours: (run) =>
        find({
          ...field("arc_category", `Category ${category(run)}`),
          sort: [{ field: "arc_recorded", order: "descending" }],
        }),
      sql: async (run) => {
        const match = exact("arc_category", `[#ategory![${category(run)}`);
        const [count, page] = await all(
          { sql: `select count(*) as hits from ${matching}`, args: [match] },
          {
            sql: `select f.rowid as id, v.value ->> '$."${keyOf("arc_recorded")}"[#-1]' as k0
              from search_index f cross join search_value v on v.id = f.rowid
              where f.search_index match ? and f.rowid & 7 = 1 order by k0 desc, id desc limit ${pageSize}`,
            args: [match],
          },
        );
        return { hits: Number(count?.[0]?.hits), keys: keysOf(page) };
      },
    },
    {
      name: "deep cursor page",
      what: "a page of the same search, from the middle of the archive on",
      query: (run) => ({ text: [{ value: word(run) }], cursor: cursorAt(items, run, pick) }),
      ours: (run) => find({ text: [{ value: word(run) }] }, { cursor: cursorAt(items, run, pick) }),
      sql: async (run) => {
        const match = `".${word(run)}"`;
        const [count, page] = await all(
          { sql: `select count(*) as hits from ${matching}`, args: [match] },
          {
            sql: `select rowid as id from ${matching} and rowid < ? order by rowid desc limit ${pageSize}`,
            args: [match, middle(items, run, pick)],
          },
        );
        return { hits: Number(count?.[0]?.hits), keys: keysOf(page) };
      },
    },
    {
      name: "browse",
      what: "everything, the newest 100",
      query: () => ({}),
      ours: () => find({}),
      sql: async () => {
        const [count, page] = await all(
          { sql: "select entities as hits from search_total where kind = 1" },
          { sql: `select id from search_document where id & 7 = 1 order by id desc limit ${pageSize}` },
        );
        return { hits: count?.reduce((sum, row) => sum + Number(row.hits), 0), keys: keysOf(page) };
      },
    },
  ];
}

type Pick = (run: number, most: number) => number;

function middle(items: number, run: number, pick: Pick): number {
  return searchKey("item", Math.floor(items * 0.4) + pick(run, Math.ceil(items / 5)));
}

function cursorAt(items: number, run: number, pick: Pick): string {
  return writeCursor({ id: middle(items, run, pick), values: [] });
}

function keysOf(rows: readonly Row[] | undefined): readonly number[] {
  return (rows ?? []).map((row) => Number(row.id));
}
