import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database, Statement } from "../../src/store/database.ts";
import { startService, type TestService } from "./harness.ts";
import { type JsonSender, senderOf } from "./search-archive.ts";

/** How the database carries out each statement of a request: lines of its plan. */
let kinora: TestService;
let database: Database;
let admin: JsonSender;
let eve: JsonSender;
const executed: Statement[] = [];

/** Notes every statement on its way to the database. */
function watched(inner: Database): Database {
  database = inner;
  return {
    kind: inner.kind,
    query(statement) {
      executed.push(statement);
      return inner.query(statement);
    },
    values(statement) {
      executed.push(statement);
      return inner.values(statement);
    },
    batch(statements, mode) {
      executed.push(...statements);
      return inner.batch(statements, mode);
    },
    close: () => inner.close(),
  };
}

const ids: string[] = [];

beforeAll(async () => {
  kinora = await startService({ watched });
  admin = senderOf(kinora.admin);
  await admin("PUT /metadata-field/shot_note", { type: "string-exact" });
  await admin("PUT /metadata-field/shot_words", { type: "string" });
  await admin("PUT /metadata-field/field-group/shot");
  await admin("PUT /metadata-field/field-group/shot/shot_note");
  const { body: collection } = await admin("POST /collection?name=Harbour");
  for (let index = 0; index < 12; index++) {
    const fields = {
      title: `Harbour ${index % 3}`,
      originalFormat: index % 2 === 0 ? "mxf" : "mp4",
      originalWidth: `${index}`,
    };
    const field = Object.entries(fields).map(([name, value]) => ({ name, value: [{ value }] }));
    const group = [{ name: "shot", field: [{ name: "shot_note", value: [{ value: "sings" }] }] }];
    const { body } = await admin("POST /import/placeholder?container=1", {
      timespan: [{ start: "-INF", end: "+INF", field, group }],
    });
    ids.push(body.id);
    await admin(`PUT /collection/${collection.id}/${body.id}?type=item`);
  }
  await admin("POST /user", { userName: "eve", password: "secret enough for tests" });
  await admin("PUT /group/_item_read/user/eve");
  for (const id of ids) await admin(`POST /item/${id}/access`, { permission: "READ", user: "eve" });
  eve = senderOf(kinora.as("eve", "secret enough for tests"));
  await eve("PUT /item", {});
});
afterAll(() => kinora.close());

/** Whether a line of a plan goes through a whole table: not what is small, nor what was selected before. */
function readsAll(line: string, sql: string): boolean {
  const scanned = /^SCAN (\S+)(?: VIRTUAL TABLE INDEX (\d+):(.*))?/.exec(line);
  if (scanned === null || line.startsWith("SCAN CONSTANT ROW") || line.includes("access_principal_suspended"))
    return false;
  const [, name = "", index, expression = ""] = scanned;
  if (index === undefined) return !name.startsWith("(") && !isSelected(name, sql);
  // The full-text index is looked up by an expression (M), lists in JSON by their text, vocabularies by a span.
  if (!/^search_(?:group_)?index$/.test(tableOf(name, sql))) return index === "0";
  return !(sql.startsWith("delete") ? expression.includes("=") : expression.includes("M"));
}

/** The table that a name stands for in a statement. */
function tableOf(name: string, sql: string): string {
  return new RegExp(`(?:from|join)\\s+(\\w+)\\s+(?:as\\s+)?${name}\\b`, "i").exec(sql)?.[1] ?? name;
}

/** Whether a name is that of a select within the statement. */
function isSelected(name: string, sql: string): boolean {
  return new RegExp(
    `\\)\\s*(?:as\\s+)?${name}\\b|\\b${name}\\s*(?:\\([\\w, ]*\\)\\s*)?as\\s*(?:materialized\\s*)?\\(`,
    "i",
  ).test(sql);
}

const ofSearch = /\bsearch_(?!history|queue|transient_field)/;

async function planOf({ sql, args = [] }: Statement): Promise<Plan> {
  const rows = await database.query({ sql: `explain query plan ${sql}`, args });
  return { sql, lines: rows.rows.map((row) => String(row.detail)) };
}

interface Plan {
  readonly sql: string;
  readonly lines: readonly string[];
}

/** The statements of a request that read or write the index, with their plans. */
async function plansOf(send: () => Promise<{ readonly status: number }>): Promise<readonly Plan[]> {
  executed.length = 0;
  expect((await send()).status).toBe(200);
  const statements = executed.filter(({ sql }) => ofSearch.test(sql));
  const plans: Plan[] = [];
  for (const statement of statements) plans.push(await planOf(statement));
  return plans;
}

const harbour = { text: [{ value: "harbour" }] };
const value = (name: string, text: string) => ({ name, value: [{ value: text }] });
const sorted = { sort: [{ field: "title", order: "ascending" }] };
const cursorOf = async (path: string, query: object) =>
  encodeURIComponent((await admin(`PUT ${path}`, query)).body.nextCursor);

const searches: readonly (readonly [what: string, request: () => Promise<string>, query: object])[] = [
  ["words of a field", async () => "/item", { field: [value("title", "harbour")] }],
  ["a value of a field", async () => "/item", { field: [value("originalFormat", "mxf")] }],
  [
    "the beginning of a word and a range",
    async () => "/item",
    {
      field: [value("title", "harb*"), { name: "originalWidth", range: [{ value: [{ value: "2" }, { value: "5" }] }] }],
    },
  ],
  ["text", async () => "/item", harbour],
  ["a page further on", async () => "/item?first=5&number=2", harbour],
  ["the first page by cursor", async () => "/item?cursor=*&number=2", harbour],
  [
    "the next page by cursor",
    async () => `/item?number=2&cursor=${await cursorOf("/item?cursor=*&number=2", harbour)}`,
    harbour,
  ],
  ["few hits sorted by a field", async () => "/item?number=2", { field: [value("originalWidth", "3")], ...sorted }],
  [
    "hits sorted by several fields",
    async () => "/item",
    { ...harbour, sort: [...sorted.sort, { field: "originalWidth" }] },
  ],
  ["relevance", async () => "/item", { ...harbour, sort: [{ field: "_relevance" }] }],
  [
    "relevance with a boost and a filter",
    async () => "/item",
    {
      text: [{ value: "harbour", boost: 3 }],
      filter: [{ field: [value("originalFormat", "mxf")] }],
      sort: [{ field: "_relevance" }],
    },
  ],
  [
    "facets of values and ranges",
    async () => "/item",
    { ...harbour, facet: [{ field: "originalFormat" }, { field: "originalWidth", range: [{ start: "0", end: "5" }] }] },
  ],
  ["facets of words", async () => "/item", { ...harbour, facet: [{ field: "shot_words" }] }],
  [
    "facets of words beside what is not in the index",
    async () => "/item",
    { ...harbour, field: [value("__shape_size", "1")], facet: [{ field: "shot_words" }] },
  ],
  ["a transient field", async () => "/item", { ...harbour, field: [value("__shape_size", "1")] }],
  ["a group", async () => "/item", { group: [{ name: "shot", field: [value("shot_note", "sings")] }] }],
  ["shapes of items", async () => "/item", { shape: { field: [value("placeholder", "true")] } }],
  ["a reference", async () => "/item", { reference: ["00000000-0000-8000-8000-000000000000"] }],
  ["items and collections", async () => "/search", harbour],
  ["shapes", async () => "/search/shape", { field: [value("placeholder", "true")] }],
  ["a collection", async () => "/collection/VX-1/item", harbour],
];

/** Those lines of plans that go through a whole table, with their statements. */
function wholeTables(plans: readonly Plan[]) {
  return plans.flatMap(({ sql, lines }) => {
    const bad = lines.filter((line) => readsAll(line, sql));
    return bad.length === 0 ? [] : [{ bad, sql }];
  });
}

test.each(searches)("a search for %s goes through no whole table", async (_what, request, query) => {
  const path = await request();
  for (const send of path.startsWith("/item") ? [admin, eve] : [admin]) {
    const plans = await plansOf(() => send(`PUT ${path}`, query));
    expect(plans.length).toBeGreaterThan(0);
    expect(wholeTables(plans)).toEqual([]);
  }
});

const lastPlan = async (path: string, query: object) => (await plansOf(() => admin(`PUT ${path}`, query))).at(-1);

test("a page of everything is the end of the table in the order of keys", async () => {
  const lines = (await lastPlan("/item?number=2", {}))?.lines ?? [];
  expect(lines.slice(lines.indexOf("CO-ROUTINE p") + 1, lines.indexOf("SCAN p"))).toEqual(["SCAN f"]);
});

test("a page in the order of a field, and the next by cursor, are read in that order", async () => {
  const first = (await lastPlan("/item?number=2", sorted))?.lines ?? [];
  expect(first).toContain("SEARCH s USING PRIMARY KEY (field=?)");
  const cursor = await cursorOf("/item?cursor=*&number=2", sorted);
  const next = (await lastPlan(`/item?number=2&cursor=${cursor}`, sorted))?.lines ?? [];
  expect(next).toContain("SEARCH s USING PRIMARY KEY (field=? AND (value,id)>(?,?))");
  expect([...first, ...next].filter((line) => line.startsWith("USE TEMP"))).toEqual([]);
});

test("the scores of what is boosted are found once and looked up for each hit", async () => {
  const plans = await plansOf(() =>
    admin("PUT /item", {
      text: [{ value: "harbour", boost: 3 }],
      filter: [{ field: [value("originalFormat", "mxf")] }],
      sort: [{ field: "_relevance" }],
    }),
  );
  const joins = plans.flatMap(({ lines }) => lines.filter((line) => /^(?:SCAN|SEARCH) r\d\b/.test(line)));
  expect(joins.map((line) => line.replace(/ LEFT-JOIN$/, ""))).toEqual([
    "SEARCH r0 USING AUTOMATIC COVERING INDEX (id=?)",
    "SEARCH r1 USING AUTOMATIC COVERING INDEX (id=?)",
  ]);
});

const writes: readonly (readonly [what: string, send: () => ReturnType<JsonSender>])[] = [
  [
    "a write of metadata",
    () =>
      admin(`PUT /item/${ids[0]}/metadata`, {
        timespan: [{ start: "-INF", end: "+INF", field: [value("title", "Dawn")], group: [{ name: "shot" }] }],
      }),
  ],
  ["a new place in a collection", () => admin(`DELETE /collection/VX-1/${ids[1]}?type=item`)],
  ["a new shape", () => kinora.admin(`/API/item/${ids[2]}/shape/placeholder?container=1`, { method: "POST" })],
  ["a removal", () => admin(`DELETE /item/${ids[3]}`)],
];

test.each(writes)("%s looks up all that it changes in the index by its whole key", async (_what, send) => {
  const plans = await plansOf(send);
  expect(wholeTables(plans)).toEqual([]);
  const ofOrder = plans.flatMap(({ lines }) => lines.filter((line) => / search_sort /.test(line)));
  expect(ofOrder.filter((line) => !line.includes("(field=? AND value=? AND id=?)"))).toEqual([]);
});

test.each([
  "select id from search_sort s where s.id = 9",
  "select id from search_value v where v.value is null",
  "select f.rowid from search_index f where f.rowid = 9",
  "delete from search_transient where value = 'x' and id + 0 = 9",
  "select term from search_index_token where doc > 3",
])("what goes through a whole table is seen: %s", async (sql) => {
  expect(wholeTables([await planOf({ sql })])).toHaveLength(1);
});

test("a list of keys without a type is seen to be looked up by its first part", async () => {
  const list = "select value ->> 0, value ->> 1, value ->> 2 from json_each('[]')";
  const { lines } = await planOf({ sql: `delete from search_sort where (field, value, id) in (${list})` });
  expect(lines).toContain("SEARCH search_sort USING PRIMARY KEY (field=?)");
});
