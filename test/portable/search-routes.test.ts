import { describe, expect, test } from "vitest";
import { startService } from "./harness.ts";

const json = { accept: "application/json", "content-type": "application/json" };

async function archive() {
  const kinora = await startService();
  const create = async (title: string, fields: Readonly<Record<string, string>> = {}) => {
    const field = Object.entries({ title, ...fields }).map(([name, value]) => ({ name, value: [{ value }] }));
    const response = await kinora.admin("/API/import/placeholder?container=1", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ timespan: [{ start: "-INF", end: "+INF", field }] }),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { id: string }).id;
  };
  const search = async (path: string, query: object) => {
    const response = await kinora.admin(path, { method: "PUT", headers: json, body: JSON.stringify(query) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { kinora, create, search };
}

describe("PUT /item", () => {
  test("finds an item as soon as it is written", async () => {
    const { create, search } = await archive();
    const id = await create("Harbour at dawn");
    await create("Something else");
    expect(await search("/API/item", { text: [{ value: "harbour" }] })).toEqual({
      status: 200,
      body: {
        hits: 1,
        item: [{ id, start: "-INF", end: "+INF", timespan: [{ start: "-INF", end: "+INF", field: [] }] }],
        facet: [],
        suggestion: [],
        autocomplete: [],
      },
    });
  });

  test("answers XML with nothing that was not asked for", async () => {
    const { kinora, create } = await archive();
    await create("Harbour");
    const response = await kinora.admin("/API/item;first=1;number=10", {
      method: "PUT",
      headers: { accept: "application/xml", "content-type": "application/xml" },
      body: '<ItemSearchDocument xmlns="http://xml.vidispine.com/schema/vidispine"><field><name>title</name><value>harb*</value></field></ItemSearchDocument>',
    });
    expect(await response.text()).toBe(
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
        '<ItemListDocument xmlns="urn:kinora:schema:media-asset"><hits>1</hits>' +
        '<item id="VX-1" start="-INF" end="+INF"><timespan start="-INF" end="+INF"/></item></ItemListDocument>',
    );
  });

  test("gives the metadata of the hits when that is asked for", async () => {
    const { create, search } = await archive();
    await create("Harbour");
    const { body } = await search("/API/item?content=metadata&field=title&terse=true", {});
    expect(body.item).toMatchObject([{ terse: { title: [{ value: "Harbour" }] } }]);
  });

  test("pages by first and number, and by cursor until fewer come than asked for", async () => {
    const { create, search } = await archive();
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.unshift(await create(`Item ${index}`));
    const idsOf = (body: Record<string, unknown>) => (body.item as { id: string }[]).map(({ id }) => id);
    expect(idsOf((await search("/API/item?first=2&number=2", {})).body)).toEqual(ids.slice(1, 3));
    const found: string[] = [];
    let cursor = "*";
    for (;;) {
      const { body } = await search(`/API/item?number=2&cursor=${encodeURIComponent(cursor)}`, {});
      expect(body.nextCursor).toBeTypeOf("string");
      found.push(...idsOf(body));
      if (idsOf(body).length < 2) break;
      cursor = body.nextCursor as string;
    }
    expect(found).toEqual(ids);
    const last = await search(`/API/item?number=2&cursor=${encodeURIComponent(cursor)}`, {});
    const behind = await search(`/API/item?number=2&cursor=${String(last.body.nextCursor)}`, {});
    expect([idsOf(behind.body), behind.body.nextCursor]).toEqual([[], last.body.nextCursor]);
  });

  test("counts facets, with some filters left out", async () => {
    const { create, search } = await archive();
    await create("One", { originalFormat: "mxf" });
    await create("Two", { originalFormat: "mxf" });
    await create("Three", { originalFormat: "mp4" });
    const facet = { field: "originalFormat", name: "all", exclude: ["format"] };
    const { body } = await search("/API/item", {
      filter: [{ name: "format", field: [{ name: "originalFormat", value: [{ value: "mp4" }] }] }],
      facet: [facet, { field: "originalFormat" }],
    });
    expect(body).toMatchObject({
      hits: 1,
      facet: [
        {
          name: "all",
          field: "originalFormat",
          count: [
            { fieldValue: "mxf", value: 2, count: 2 },
            { fieldValue: "mp4", value: 1, count: 1 },
          ],
        },
        { field: "originalFormat", count: [{ fieldValue: "mp4", value: 1 }] },
      ],
    });
  });

  test.each([
    ["an unknown field", { field: [{ name: "no_such", value: [{ value: "x" }] }] }, 404, "metadata-field"],
    ["an unknown field to sort by", { sort: [{ field: "no_such" }] }, 404, "metadata-field"],
    [
      "a text where a number must be",
      { field: [{ name: "originalWidth", value: [{ value: "wide" }] }] },
      400,
      "originalWidth",
    ],
    ["a cursor of another search", { cursor: "bm90IGEgY3Vyc29y" }, 400, "cursor"],
    ["a parenthesis that is not closed", { text: [{ value: "(a", noescape: true }] }, 400, "parenthesis"],
    [
      "1,001 clauses",
      { field: [{ name: "title", value: Array.from({ length: 1001 }, (_, index) => ({ value: `w${index}` })) }] },
      400,
      "1000 values and ranges",
    ],
    ["51 facets", { facet: Array.from({ length: 51 }, () => ({ field: "originalFormat" })) }, 400, "50 facets"],
  ])("refuses %s with a sentence", async (_what, query, status, explained) => {
    const { search } = await archive();
    const answer = await search("/API/item", query);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(explained);
  });

  test("takes 1,000 clauses, and operators nested 64 deep but not 65", async () => {
    const { create, search } = await archive();
    await create("w999");
    const many = Array.from({ length: 1000 }, (_, index) => ({ value: `w${index}` }));
    expect((await search("/API/item", { field: [{ name: "title", value: many }] })).body.hits).toBe(1);
    const nested = (depth: number): object =>
      depth === 0
        ? { operation: "AND", text: [{ value: "w999" }] }
        : { operation: "NOT", operator: [nested(depth - 1)] };
    expect(await search("/API/item", { operator: nested(62) })).toMatchObject({ status: 200, body: { hits: 1 } });
    expect((await search("/API/item", { operator: nested(64) })).status).toBe(400);
  });
});

describe("GET /item", () => {
  test("takes the search in the query", async () => {
    const { kinora, create } = await archive();
    await create("Harbour");
    await create("Dawn");
    const q = "<ItemSearchDocument><text>harbour</text></ItemSearchDocument>";
    const response = await kinora.admin(`/API/item?q=${encodeURIComponent(q)}`, { headers: { accept: "text/plain" } });
    expect(await response.text()).toBe("VX-1\r\n");
  });

  test("lists everything, newest first, without the number of hits when that is not wanted", async () => {
    const { kinora, create } = await archive();
    await create("One");
    await create("Two");
    const response = await kinora.admin("/API/item?count=false", { headers: json });
    const body = (await response.json()) as { hits?: number; item: { id: string }[] };
    expect([body.hits, body.item.map(({ id }) => id)]).toEqual([undefined, ["VX-2", "VX-1"]]);
  });
});

describe("GET /item/history", () => {
  test("has each search once, the latest first", async () => {
    const { kinora, search } = await archive();
    for (const value of ["harbour", "dawn", "harbour"]) {
      await search("/API/item", { text: [{ value }] });
      kinora.advance(1000);
    }
    const response = await kinora.admin("/API/item/history", { headers: json });
    const { query } = (await response.json()) as { query: { user: string; query: object }[] };
    expect(query.map((entry) => [entry.user, entry.query])).toEqual([
      ["admin", { text: [{ value: "harbour" }] }],
      ["admin", { text: [{ value: "dawn" }] }],
    ]);
  });
});

describe("PUT /search", () => {
  test("finds items and collections together, the newest first whatever they are", async () => {
    const { kinora, create, search } = await archive();
    const first = await create("Harbour item");
    const made = await kinora.admin("/API/collection?name=Harbour%20collection", { method: "POST", headers: json });
    const { id: collection } = (await made.json()) as { id: string };
    const last = await create("Harbour again");
    const { body } = await search("/API/search", { text: [{ value: "harbour" }] });
    const entries = body.entry as readonly Record<string, unknown>[];
    expect(body.hits).toBe(3);
    expect(entries.map(({ type, id }) => [type, id])).toEqual([
      ["Item", last],
      ["Collection", collection],
      ["Item", first],
    ]);
    expect(entries[2]).toEqual({
      item: { id: first, start: "-INF", end: "+INF" },
      timespan: [{ field: [], start: "-INF", end: "+INF" }],
      start: "-INF",
      end: "+INF",
      type: "Item",
      id: first,
    });
    const collections = await search("/API/collection", { text: [{ value: "harbour" }] });
    expect(collections.body).toMatchObject({ hits: 1, collection: [{ id: collection, name: "Harbour collection" }] });
  });

  test("finds only what the caller may read", async () => {
    const { kinora, create, search } = await archive();
    const id = await create("Harbour");
    const user = { userName: "ada", password: "secret enough for tests" };
    await kinora.admin("/API/user", { method: "POST", headers: json, body: JSON.stringify(user) });
    for (const role of ["_item_read", "_collection_read"]) {
      await kinora.admin(`/API/group/${role}/user/ada`, { method: "PUT" });
    }
    const ada = kinora.as("ada", user.password);
    const hits = async (path: string) => {
      const response = await ada(path, { method: "PUT", headers: json, body: '{"text":[{"value":"harbour"}]}' });
      return [response.status, ((await response.json()) as { hits: number }).hits];
    };
    expect(await hits("/API/item")).toEqual([200, 0]);
    const access = { permission: "READ", user: "ada" };
    const granted = await kinora.admin(`/API/item/${id}/access`, {
      method: "POST",
      headers: json,
      body: JSON.stringify(access),
    });
    expect(granted.status).toBe(200);
    expect(await hits("/API/item")).toEqual([200, 1]);
    expect(await hits("/API/search")).toEqual([200, 1]);
    expect((await search("/API/item", {})).body.hits).toBe(1);
  });
});

describe("PUT /search/shape and /search/file", () => {
  test("answer lists", async () => {
    const { create, search } = await archive();
    const item = await create("Harbour");
    expect((await search("/API/search/shape", {})).body).toMatchObject({ hits: 1, shape: [{ item: [{ id: item }] }] });
    expect(await search("/API/search/file", {})).toMatchObject({ status: 200, body: { hits: 0, file: [] } });
  });
});
