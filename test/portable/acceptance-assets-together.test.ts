import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf, type Json, metadataJson, valuesOf } from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";

let kinora: TestService;
let admin: Client;
beforeAll(async () => {
  kinora = await startService();
  admin = clientOf(kinora.admin);
  for (const name of ["news_a", "news_b", "news_keyword"]) {
    await admin.json(`PUT /API/metadata-field/${name}`, { type: "string-exact" });
  }
});
afterAll(() => kinora.close());

async function item(fields: Readonly<Record<string, string>> = { title: "Harbour" }): Promise<string> {
  return (await admin.json("POST /API/import/placeholder", metadataJson(fields))).json.id;
}
const metadataOf = async (id: string) => (await admin.json(`GET /API/item/${id}/metadata`)).json.item[0].metadata;
const put = (id: string, fields: Readonly<Record<string, string>>, query = "") =>
  admin.json(`PUT /API/item/${id}/metadata${query}`, metadataJson(fields));

describe("two writers on one item", () => {
  test("both land when they write different fields", async () => {
    const id = await item();
    const answers = await Promise.all([put(id, { news_a: "one" }), put(id, { news_b: "two" })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const metadata = await metadataOf(id);
    expect([valuesOf(metadata, "news_a"), valuesOf(metadata, "news_b")]).toEqual([["one"], ["two"]]);
  });

  test("by the same revision exactly one lands, the other is told of a conflict", async () => {
    const id = await item();
    const { revision } = await metadataOf(id);
    const answers = await Promise.all([
      put(id, { title: "one" }, `?revision=${revision}`),
      put(id, { title: "two" }, `?revision=${revision}`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers[0]?.status === 200 ? "one" : "two";
    expect(valuesOf(await metadataOf(id), "title")).toEqual([winner]);
  });

  test("no value that was added is ever lost, however many add at once", async () => {
    const word = fc.stringMatching(/^[a-z]{3,8}$/);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(word, { minLength: 2, maxLength: 8 }), async (words) => {
        const id = await item();
        const answers = await Promise.all(
          words.map((value) =>
            admin.json(`PUT /API/item/${id}/metadata`, {
              timespan: [
                { start: "-INF", end: "+INF", field: [{ name: "news_keyword", value: [{ value, mode: "add" }] }] },
              ],
            }),
          ),
        );
        expect(answers.map(({ status }) => status)).toEqual(words.map(() => 200));
        const metadata = await metadataOf(id);
        expect([...valuesOf(metadata, "news_keyword")].sort()).toEqual([...words].sort());
        const found = await admin.json("PUT /API/item", {
          operator: {
            operation: "AND",
            field: [
              { name: "itemId", value: [{ value: id }] },
              ...words.map((value) => ({ name: "news_keyword", value: [{ value }] })),
            ],
          },
        });
        expect(found.json.hits).toBe(1);
      }),
      { numRuns: 10 },
    );
  });

  test("a deletion and a write end in one of both", async () => {
    for (let round = 0; round < 5; round++) {
      const id = await item();
      const [written, gone] = await Promise.all([put(id, { title: "late" }), admin.json(`DELETE /API/item/${id}`)]);
      expect([gone.status, [200, 404].includes(written.status)]).toEqual([200, true]);
      expect((await admin.json(`GET /API/item/${id}/metadata`)).status).toBe(404);
      const left = await admin.json("PUT /API/item", { field: [{ name: "itemId", value: [{ value: id }] }] });
      expect(left.json.hits).toBe(0);
    }
  });
});

describe("writers and one collection", () => {
  test("all members that were put in at once are in", async () => {
    const { id } = (await admin.json("POST /API/collection?name=Together")).json;
    const items = await Promise.all(Array.from({ length: 10 }, () => item()));
    const answers = await Promise.all(items.map((one) => admin.json(`PUT /API/collection/${id}/${one}`)));
    expect(answers.map(({ status }) => status)).toEqual(items.map(() => 200));
    const { json } = await admin.json(`GET /API/collection/${id}`);
    expect(json.content.map((one: Json) => one.id).sort()).toEqual([...items].sort());
    const size = await admin.json(`GET /API/collection/${id}?content=metadata&terse=true&field=__items_size`);
    expect(size.json.terse.__items_size).toMatchObject([{ value: "10" }]);
  });

  test("of two collections that enter each other at once, one does", async () => {
    const a = (await admin.json("POST /API/collection?name=a")).json.id;
    const b = (await admin.json("POST /API/collection?name=b")).json.id;
    const answers = await Promise.all([
      admin.json(`PUT /API/collection/${a}/${b}?type=collection`),
      admin.json(`PUT /API/collection/${b}/${a}?type=collection`),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => status < 500)).toBe(true);
  });
});

describe("a search right after a write", () => {
  test("finds each of many items created at once, each exactly once", async () => {
    const titles = Array.from({ length: 20 }, (_, index) => `together${index}`);
    const ids = await Promise.all(titles.map((title) => item({ title, news_a: "together" })));
    expect(new Set(ids).size).toBe(ids.length);
    const { json } = await admin.json("PUT /API/item", { field: [{ name: "news_a", value: [{ value: "together" }] }] });
    expect([json.hits, json.item.map((one: Json) => one.id).sort()]).toEqual([20, [...ids].sort()]);
    for (const [index, title] of titles.entries()) {
      const one = await admin.json("PUT /API/item", { text: [{ value: title }] });
      expect(one.json.item.map((found: Json) => found.id)).toEqual([ids[index]]);
    }
  });
});

describe("a cursor while writers add [spec: cursor-5.5]", () => {
  test.each([
    ["newest first", {}],
    ["sorted by title", { sort: [{ field: "title", order: "ascending" }] }],
    ["sorted by title, downwards", { sort: [{ field: "title", order: "descending" }] }],
  ])("walks what was there exactly once, %s", async (order, sort) => {
    const mark = order.replace(/\W/g, "");
    const before = await Promise.all(
      Array.from({ length: 25 }, (_, index) => item({ title: `walk ${String((index * 7) % 25)}`, news_b: mark })),
    );
    const query = { field: [{ name: "news_b", value: [{ value: mark }] }], ...sort };
    const walked: string[] = [];
    let cursor = "*";
    for (let turn = 0; ; turn++) {
      const { status, json } = await admin.json(`PUT /API/item?number=4&cursor=${encodeURIComponent(cursor)}`, query);
      expect(status).toBe(200);
      walked.push(...json.item.map((one: Json) => one.id));
      if (json.item.length < 4 || turn > 30) break;
      cursor = json.nextCursor;
      await item({ title: `walk ${turn}`, news_b: mark });
    }
    const seen = walked.filter((id) => before.includes(id));
    expect([...seen].sort()).toEqual([...before].sort());
    expect(new Set(walked).size).toBe(walked.length);
  });
});
