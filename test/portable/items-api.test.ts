import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AssetApi, fieldsOf, openAssetApi, valuesOf } from "./asset-api.ts";

let api: AssetApi;
beforeEach(async () => {
  api = await openAssetApi();
});
afterEach(() => api.close());

async function placeholder(fields: Record<string, string> = {}, by = api.admin): Promise<string> {
  return (await by("POST /import/placeholder?container=1", { body: fieldsOf(fields) })).body.id;
}

describe("a placeholder", () => {
  it("is an item with metadata of three change sets", async () => {
    const made = await api.admin("POST /import/placeholder?container=1&video=1", {
      body: fieldsOf({ title: "Harbour" }),
    });
    expect([made.status, made.body]).toEqual([200, { id: "VX-1" }]);
    const { body } = await api.admin("GET /item/VX-1/metadata");
    const metadata = body.item[0].metadata;
    expect(body.item[0].id).toBe("VX-1");
    expect(metadata.revision.split(",")).toHaveLength(3);
    expect(valuesOf(metadata, "title")).toEqual(["Harbour"]);
    expect(valuesOf(metadata, "itemId")).toEqual(["VX-1"]);
    expect(valuesOf(metadata, "mediaType")).toEqual(["none"]);
    expect(valuesOf(metadata, "shapeTag")).toEqual(["original"]);
    expect(valuesOf(metadata, "created")).toEqual(["2026-01-02T03:04:05.000Z"]);
    expect(valuesOf(metadata, "user")).toEqual(["admin"]);
    expect(valuesOf(metadata, "__metadata_last_modified")).toEqual(["2026-01-02T03:04:05.000Z"]);
    const users = Object.fromEntries(
      metadata.timespan[0].field.map((field: { name: string; user?: string }) => [field.name, field.user]),
    );
    expect(users).toMatchObject({ title: "admin", itemId: "system", shapeTag: "system", user: undefined });
    const changes = await api.admin("GET /item/VX-1/metadata/changes");
    const names = changes.body.changeSet.map((set: { metadata: { timespan: { field: { name: string }[] }[] } }) =>
      set.metadata.timespan[0]?.field.map((field) => field.name),
    );
    expect(names).toEqual([["title"], ["itemId", "created", "mediaType"], ["shapeTag"]]);
  });

  it("needs no body, and answers its id as text", async () => {
    const made = await api.admin("POST /import/placeholder", { accept: "text/plain" });
    expect(made.body).toBe("VX-1\r\n");
  });

  it("answers XML with the id as attribute", async () => {
    const made = await api.admin("POST /import/placeholder", { accept: "application/xml" });
    expect(made.body).toMatch(/<ItemDocument xmlns="urn:test" id="VX-1"\s*\/>/);
  });

  it("tells of its creation, and of its metadata [spec: event-item-create] [spec: event-item-modify]", async () => {
    await placeholder({ title: "Harbour" });
    expect(api.events.map(({ entity, action, keys }) => [entity, action, keys])).toEqual([
      ["item", "CREATE", { itemId: "VX-1", action: "CREATE" }],
      ["metadata", "MODIFY", { title: "Harbour", itemId: "VX-1", changeSetId: "VX-1" }],
    ]);
  });

  it("is made with unknown fields not at all", async () => {
    const refused = await api.admin("POST /import/placeholder", { body: fieldsOf({ title: "x", news_none: "y" }) });
    expect([refused.status, refused.body.notFound]).toEqual([
      404,
      { type: "metadata-field", id: "news_none", context: null },
    ]);
    expect((await api.store.query({ sql: "select count(*) as n from item" }))[0]?.n).toBe(0);
    expect(api.events).toEqual([]);
  });

  it("hands its expected components to the shapes", async () => {
    await api.close();
    const seen: unknown[] = [];
    const hook = {
      placeholderCreated(_: unknown, placeholderSeen: unknown) {
        seen.push(placeholderSeen);
        return { transient: { __placeholder_shape_size: ["1"] } };
      },
    };
    api = await openAssetApi({ hooks: [hook] });
    await api.admin("POST /import/placeholder?container=1&audio=2&video=1&binary=3&frameDuration=1@PAL&importTag=web");
    expect(seen).toEqual([
      { item: 1, owner: "admin", container: 1, audio: 2, video: 1, binary: 3, tag: "web", frameDuration: "1@PAL" },
    ]);
    const metadata = (await api.admin("GET /item/VX-1/metadata")).body.item[0].metadata;
    expect(valuesOf(metadata, "__placeholder_shape_size")).toEqual(["1"]);
    expect(valuesOf(metadata, "shapeTag")).toEqual(["web"]);
  });
});

describe("an item", () => {
  it("is only its id, unless content is asked for", async () => {
    const id = await placeholder({ title: "x" });
    expect((await api.admin(`GET /item/${id}`)).body).toEqual({ id });
    const { body } = await api.admin(`GET /item/${id}?content=metadata&field=title`);
    expect(valuesOf(body.metadata, "title")).toEqual(["x"]);
    const terse = await api.admin(`GET /item/${id};field=title,itemId;content=metadata?terse=yes`);
    expect(terse.body.terse.itemId).toMatchObject([{ start: "-INF", end: "+INF", value: id }]);
    expect(Object.keys(terse.body.terse)).toEqual(["title", "itemId"]);
    expect((await api.admin(`GET /item/${id}?content=colour`)).status).toBe(400);
  });

  it("has parts that other domains contribute", async () => {
    const id = await placeholder();
    api.environment.content.register("external", async ({ items }) => {
      return new Map(items.map((serial) => [serial, { externalId: [{ externalId: `x-${serial}` }] }]));
    });
    expect((await api.admin(`GET /item/${id}?content=external,shape`)).body).toEqual({
      id,
      externalId: [{ externalId: "x-1" }],
    });
  });

  it("that is unknown, or not readable, is 404; that is only readable cannot be written", async () => {
    const id = await placeholder({ title: "x" });
    for (const path of [`/item/${id}`, `/item/${id}?content=metadata`, `/item/${id}/metadata`, `/item/${id}/lock`]) {
      const { status, body } = await api.as("carl")(`GET ${path}`);
      expect([path, status, body.notFound?.type]).toEqual([path, 404, path.endsWith("lock") ? "Item" : "Item"]);
    }
    expect((await api.admin("GET /item/VX-99")).status).toBe(404);
    expect((await api.admin("GET /item/nonsense/metadata")).body.notFound.id).toBe("nonsense");
    api.grants.set("carl item 1", 1);
    expect((await api.as("carl")(`GET /item/${id}/metadata`)).status).toBe(200);
    const refused = await api.as("carl")(`PUT /item/${id}/metadata`, { body: fieldsOf({ title: "y" }) });
    expect([refused.status, refused.body.forbidden.explanation]).toEqual([
      403,
      "The caller has the permission READ on VX-1, and needs WRITE",
    ]);
  });

  it("has an entity tag that changes with it", async () => {
    const id = await placeholder({ title: "x" });
    const first = await api.admin(`GET /item/${id}/metadata`);
    const tag = first.headers.get("etag") as string;
    const again = await api.admin(`GET /item/${id}/metadata`, { headers: { "if-none-match": tag } });
    expect(again.status).toBe(304);
    const put = (headers: Record<string, string>, title: string) =>
      api.admin(`PUT /item/${id}/metadata`, { body: fieldsOf({ title }), headers });
    expect((await put({ "if-match": tag }, "y")).status).toBe(200);
    expect((await put({ "if-match": tag }, "z")).status).toBe(412);
    expect((await api.admin(`GET /item/${id}/metadata`, { headers: { "if-none-match": tag } })).status).toBe(200);
  });

  it("is deleted with everything of it [spec: event-item-delete]", async () => {
    const id = await placeholder({ title: "x" });
    const other = await placeholder();
    await api.admin(`POST /item/${id}/relation/${other}?direction=U`);
    await api.admin(`POST /item/${id}/lock`);
    await api.admin(`PUT /item/${id}/metadata`, { body: fieldsOf({ title: "y" }) });
    expect((await api.admin(`DELETE /item/${id}`)).status).toBe(200);
    expect((await api.admin(`GET /item/${id}`)).status).toBe(404);
    expect((await api.admin(`DELETE /item/${id}`)).status).toBe(404);
    expect((await api.admin(`GET /item/${other}/relation`)).body.relation).toEqual([]);
    const left = await api.store.query({
      sql: `select (select count(*) from item) as items, (select count(*) from metadata) as rows,
        (select count(*) from change_set) as sets, (select count(*) from item_lock) as locks,
        (select count(*) from search_value) as indexed`,
    });
    expect(left[0]).toEqual({ items: 1, rows: 1, sets: 0, locks: 0, indexed: 1 });
    expect(api.events.at(-1)).toMatchObject({
      entity: "item",
      action: "DELETE",
      keys: { itemId: id, action: "DELETE" },
    });
  });

  it("is deleted with others; unknown ones are passed over, keep options handed on", async () => {
    await api.close();
    const kept: unknown[] = [];
    api = await openAssetApi({ hooks: [{ itemsDeleted: (_, items, keep) => void kept.push([items, keep]) }] });
    const ids = [await placeholder(), await placeholder(), await placeholder()];
    const path = `/item?id=${ids[0]},VX-99&id=${ids[2]},nonsense&keepShapeTagMedia=original,web`;
    expect((await api.admin(`DELETE ${path}`)).status).toBe(200);
    expect(kept).toEqual([[[1, 3], { keepShapeTagMedia: ["original", "web"], keepShapeTagStorage: [] }]]);
    expect((await api.admin(`GET /item/${ids[1]}`)).status).toBe(200);
    expect((await api.admin("DELETE /item")).status).toBe(400);
  });

  it("is deleted by those with the permission ALL", async () => {
    const id = await placeholder();
    api.grants.set("carl item 1", 2);
    expect((await api.as("carl")(`DELETE /item/${id}`)).status).toBe(403);
    api.grants.set("carl item 1", 3);
    expect((await api.as("carl")(`DELETE /item/${id}`)).status).toBe(200);
  });

  it("is brought up to date in the index on demand", async () => {
    const id = await placeholder({ title: "x" });
    expect((await api.admin(`PUT /item/${id}/re-index`, { accept: "text/plain" })).body).toBe("OK");
    expect((await api.admin(`GET /item/${id}/collections`)).body).toEqual({});
  });
});

describe("a lock on an item", () => {
  it("holds others off until it ends", async () => {
    const id = await placeholder({ title: "x" });
    api.grants.set("carl item 1", 4);
    api.grants.set("dora item 1", 4);
    const [carl, dora] = [api.as("carl"), api.as("dora")];
    expect((await carl(`GET /item/${id}/lock`)).status).toBe(404);
    expect((await carl(`POST /item/${id}/lock?duration=60`)).status).toBe(200);
    const { body: lock } = await dora(`GET /item/${id}/lock`);
    expect(lock).toMatchObject({ user: "carl", expires: "2026-01-02T03:05:05.000+0000" });
    const write = { body: fieldsOf({ title: "y" }) };
    const refused = await dora(`PUT /item/${id}/metadata`, write);
    expect([refused.status, refused.body.conflict.explanation]).toEqual([409, "The item is locked by carl"]);
    expect((await dora(`DELETE /item/${id}`)).status).toBe(409);
    expect((await dora(`POST /item/${id}/lock`)).status).toBe(409);
    expect((await dora(`DELETE /item/${id}/lock`)).status).toBe(409);
    expect((await carl(`PUT /item/${id}/metadata`, write)).status).toBe(200);
    expect((await carl(`PUT /item/${id}/lock?timestamp=2026-01-02T03:06:00Z`)).status).toBe(200);
    expect((await carl(`GET /item/${id}/lock`)).body.id).toBe(lock.id);
    api.clock.now += 120_000;
    expect((await dora(`GET /item/${id}/lock`)).status).toBe(404);
    expect((await dora(`PUT /item/${id}/metadata`, { body: fieldsOf({ title: "z" }) })).status).toBe(200);
    expect((await dora(`POST /item/${id}/lock`)).status).toBe(200);
    expect((await api.admin(`DELETE /item/${id}/lock`)).status).toBe(200);
  });

  it.each(["timestamp=yesterday", "timestamp=2020-01-01T00:00:00Z", "duration=999999999", "duration=-1"])(
    "until %s is refused",
    async (query) => {
      const id = await placeholder();
      expect((await api.admin(`POST /item/${id}/lock?${query}`)).status).toBe(400);
    },
  );
});

describe("relations", () => {
  it("are made, listed by direction and pair, changed and deleted", async () => {
    const [a, b, c] = [await placeholder(), await placeholder(), await placeholder()];
    const made = await api.admin(`POST /item/${a}/relation/${b}?direction=S&kind=sequel&kind=remake`);
    expect(made.body).toEqual({
      id: "VX-1",
      direction: { type: "D", source: a, target: b },
      value: [
        { key: "kind", value: "sequel" },
        { key: "kind", value: "remake" },
      ],
    });
    await api.admin(`POST /item/${a}/relation/${c}?direction=T`);
    await api.admin(`POST /item/${a}/relation/${c}?direction=U`);
    const list = async (query: string) =>
      (await api.admin(`GET /item/${a}/relation${query}`)).body.relation.map((one: { id: string }) => one.id);
    expect(await list("")).toEqual(["VX-1", "VX-2", "VX-3"]);
    expect(await list("?direction=S")).toEqual(["VX-1"]);
    expect(await list("?direction=T")).toEqual(["VX-2"]);
    expect(await list("?direction=U")).toEqual(["VX-3"]);
    expect(await list("?kind=remake")).toEqual(["VX-1"]);
    expect((await api.admin(`POST /item/${a}/relation/${b}?direction=S&allowDuplicate=false`)).status).toBe(409);
    const changed = await api.admin("PUT /relation/VX-1?direction=T");
    expect(changed.body.direction).toEqual({ type: "D", source: b, target: a });
    expect(changed.body.value).toHaveLength(2);
    expect((await api.admin("DELETE /relation/VX-1")).status).toBe(200);
    expect((await api.admin("GET /relation/VX-1")).status).toBe(404);
    expect((await api.admin(`DELETE /item/${a}/relation/${c}?direction=U`)).status).toBe(200);
    expect(await list("")).toEqual(["VX-2"]);
    const text = await api.admin(`GET /item/${a}/relation`, { accept: "text/plain" });
    expect(text.body).toBe(`VX-2\tD\t${c}\t${a}\r\n`);
  });

  it("are made as a list, and only between items that the caller may read", async () => {
    const [a, b] = [await placeholder(), await placeholder()];
    const relation = [{ direction: { type: "U", source: a, target: b }, value: [{ key: "k", value: "v" }] }];
    expect((await api.admin("POST /relation", { body: { relation } })).body.relation[0].id).toBe("VX-1");
    expect((await api.admin(`POST /item/${a}/relation/VX-99?direction=U`)).status).toBe(404);
    expect((await api.admin(`POST /item/${a}/relation/${b}`)).status).toBe(400);
    api.grants.set("carl item 1", 4);
    expect((await api.as("carl")(`GET /item/${a}/relation`)).body.relation).toEqual([]);
    expect((await api.as("carl")("GET /relation/VX-1")).status).toBe(404);
    api.grants.set("carl item 2", 1);
    expect((await api.as("carl")(`GET /item/${a}/relation`)).body.relation).toHaveLength(1);
  });
});
