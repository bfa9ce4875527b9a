import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccess } from "../../src/assets/access/create-access.ts";
import { type ContainerApi, makeCollection, makeItem, openContainerApi } from "./container-api.ts";

let api: ContainerApi;
beforeAll(async () => {
  api = await openContainerApi();
});
afterAll(() => api.close());

/** What everybody may do with everything, as sets and classes say. */
function outcome() {
  return api.store.query({
    sql: `select d.id, s.key, c.key as class from search_document d
      join access_set s on s.id = d.access join access_class c on c.id = s.class order by d.id`,
  });
}

async function rebuild(): Promise<void> {
  const access = createAccess({ store: api.store, memberOf: () => [] });
  let after: number | undefined = 0;
  while (after !== undefined) after = await access.rebuild(after, 50);
}

test("grants, moves and deletions of two instances at once leave what one after the other would", async () => {
  const other = (await api.onAnother())("admin");
  const collections = await Promise.all(Array.from({ length: 6 }, () => makeCollection(api.admin)));
  const items = await Promise.all(Array.from({ length: 8 }, () => makeItem(api.admin)));
  const requests = collections.flatMap((collection, at) => [
    [`POST /collection/${collection}/access`, { user: "alva", permission: "READ" }] as const,
    [`PUT /collection/${collections[(at + 1) % 6]}/${collection}?type=collection`, undefined] as const,
    ...items
      .filter((_, index) => (index + at) % 3 === 0)
      .map((item) => [`PUT /collection/${collection}/${item}`, undefined] as const),
    [`POST /item/${items[at]}/access`, { group: "editors", permission: "WRITE" }] as const,
    [`DELETE /item/${items[7]}`, undefined] as const,
  ]);
  const answers = await Promise.all(
    requests.map(([request, document], index) => (index % 2 === 0 ? api.admin : other)(request, document)),
  );
  // One of the moves would close a circle; the item is deleted once.
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(requests.length - 12);
  const before = await outcome();
  await rebuild();
  expect(await outcome()).toEqual(before);
  const edges = await api.store.query({
    sql: `select m.collection * 8 + 2 as container, m.member * 8 + m.kind as id from collection_member m where m.passes = 1
      order by 2, 1`,
  });
  const placed = await api.store.query({
    sql: `select p.container, d.id from search_document d join access_set_parent p on p.access_set = d.access order by 2, 1`,
  });
  expect(placed).toEqual(edges);
});

test("a large collection that is deleted is tidied up in slices, and grants nothing from the first moment", async () => {
  const alva = api.as("alva");
  const collection = await makeCollection(alva);
  const serial = Number(collection.slice(3));
  const count = 11_000;
  const first = 1_000_000;
  // Items without metadata: only their membership matters here.
  const numbers = `(with recursive n (value) as (select 1 union all select value + 1 from n where value < ${count}) select value from n)`;
  await api.store.database.batch(
    [
      {
        sql: `insert into search_document (id, access)
          select (${first} + value) * 8 + 1, (select id from access_set where key like '[1,%' limit 1) from ${numbers}`,
      },
      {
        sql: `insert into collection_member (collection, kind, member, position, passes)
          select ${serial}, 1, ${first} + value, value, 0 from ${numbers}`,
      },
    ],
    "write",
  );
  const item = await makeItem(alva);
  await alva(`PUT /collection/${collection}/${item}`);
  await alva(`POST /collection/${collection}/access`, { user: "cy", permission: "READ" });
  expect((await api.as("cy")(`GET /item/${item}`)).status).toBe(200);
  expect((await alva(`DELETE /collection/${collection}`)).status).toBe(200);
  expect((await api.as("cy")(`GET /item/${item}`)).status).toBe(404);
  const left = async () => {
    const [row] = await api.store.query({
      sql: "select count(*) as n from collection_member where collection = ?",
      args: [serial],
    });
    return Number(row?.n);
  };
  expect(await left()).toBeGreaterThan(0);
  await api.tick();
  expect(await left()).toBe(0);
  expect(await api.store.query({ sql: "select name from asset_task" })).toEqual([]);
});

test("sets and classes that nobody needs any more are swept away", async () => {
  const collection = await makeCollection(api.as("alva"));
  const item = await makeItem(api.as("alva"));
  await api.as("alva")(`PUT /collection/${collection}/${item}`);
  const sets = async () => (await api.store.query({ sql: "select id from access_set" })).length;
  const before = await sets();
  await api.as("alva")(`DELETE /item/${item}`);
  api.clock.now += 3_700_000;
  await api.tick();
  expect(await sets()).toBeLessThan(before);
  const orphans = await api.store.query({
    sql: "select 1 from access_reader r where not exists (select 1 from access_set s where s.class = r.class)",
  });
  expect(orphans).toEqual([]);
});
