import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ContainerApi, makeCollection, makeItem, openContainerApi } from "./container-api.ts";

let api: ContainerApi;
beforeAll(async () => {
  api = await openContainerApi();
});
afterAll(() => api.close());
beforeEach(() => {
  api.events.length = 0;
});

async function contentOf(collection: string): Promise<readonly string[]> {
  const { body } = await api.admin(`GET /collection/${collection}`);
  return (body.content ?? []).map(({ id }: { readonly id: string }) => id);
}

async function fieldsOf(entity: string, field: string): Promise<Record<string, readonly string[]>> {
  const { body } = await api.admin(`GET ${entity}/metadata?field=${field}`);
  const metadata = body.item?.[0]?.metadata ?? body;
  const fields: { name: string; value: { value: string }[] }[] = metadata.timespan?.[0]?.field ?? [];
  return Object.fromEntries(fields.map(({ name, value }) => [name, value.map((one) => one.value)]));
}

test("a new collection answers its place, has its identity as metadata, and is announced [spec: event-collection]", async () => {
  const { status, body } = await api.admin("POST /collection?name=Rushes");
  expect({ status, body }).toEqual({
    status: 200,
    body: { loc: `http://kinora.test/collection/${body.id}`, id: body.id, name: "Rushes" },
  });
  expect(await fieldsOf(`/collection/${body.id}`, "collectionId,title,user,__items_size")).toEqual({
    collectionId: [body.id],
    title: ["Rushes"],
    user: ["admin"],
    __items_size: ["0"],
  });
  expect((await api.admin(`DELETE /collection/${body.id}`)).status).toBe(200);
  expect((await api.admin(`GET /collection/${body.id}`)).status).toBe(404);
  const seen = api.events.filter(({ entity }) => entity === "collection").map(({ action, keys }) => ({ action, keys }));
  expect(seen).toEqual([
    { action: "CREATE", keys: { collectionId: body.id, action: "CREATE" } },
    { action: "DELETE", keys: { collectionId: body.id, action: "DELETE" } },
  ]);
});

test("an unnamed collection answers without a name", async () => {
  const { body } = await api.admin("POST /collection");
  expect(Object.keys(body).sort()).toEqual(["id", "loc"]);
});

test("a collection can be made with members, metadata and a name in its document", async () => {
  const item = await makeItem(api.admin);
  const made = await api.admin("POST /collection", {
    name: "From a document",
    content: [{ id: item, type: "item", metadata: { field: [{ key: "role", value: "cover" }] } }],
  });
  const { body } = await api.admin(`GET /collection/${made.body.id}`);
  expect(body.name).toBe("From a document");
  expect(body.content).toEqual([
    {
      id: item,
      uri: `http://kinora.test/item/${item}`,
      type: "item",
      metadata: { field: [{ key: "role", value: "cover" }] },
    },
  ]);
});

test("a collection whose document cannot be carried out is not made", async () => {
  const cy = api.as("cy");
  const [mine, hidden] = [await makeItem(cy), await makeItem(api.admin)];
  const [library] = (await api.admin("POST /library", { item: [{ id: hidden }] })).body.uri;
  const item = { id: mine, type: "item", mode: "add" };
  const refused = async (...content: readonly object[]) =>
    (await cy("POST /collection", { name: "Half", metadata: {}, content })).status;
  expect(await refused(item, { id: hidden, type: "item", mode: "add" })).toBe(404);
  expect(await refused({ ...item, before: hidden })).toBe(404);
  expect(await refused(item, { id: mine, type: "item" })).toBe(400);
  expect(await refused({ id: library, type: "library", addItems: true })).toBe(404);
  expect(await refused({ id: "VX-999999", type: "collection", mode: "move" })).toBe(404);
  expect(await refused(...Array.from({ length: 10_001 }, () => item))).toBe(400);
  expect((await cy("PUT /collection", {})).body.hits).toBe(0);
});

test("members come in and go out, each announced once, and doing it twice changes nothing [spec: event-collection-modify]", async () => {
  const collection = await makeCollection(api.admin);
  const item = await makeItem(api.admin);
  api.events.length = 0;
  await api.admin(`PUT /collection/${collection}/${item}`);
  await api.admin(`PUT /collection/${collection}/${item}`);
  expect(await contentOf(collection)).toEqual([item]);
  await api.admin(`DELETE /collection/${collection}/${item}`);
  expect(await contentOf(collection)).toEqual([]);
  expect((await api.admin(`DELETE /collection/${collection}/${item}`)).status).toBe(404);
  const keys = { notificationType: "collection", notificationTrigger: "MODIFY", collectionId: collection };
  expect(api.events.map(({ entity, action, keys }) => ({ entity, action, keys }))).toEqual([
    { entity: "collection", action: "MODIFY", keys },
    { entity: "collection", action: "MODIFY", keys },
  ]);
});

test("pairs of a membership are set and taken away", async () => {
  const collection = await makeCollection(api.admin);
  const item = await makeItem(api.admin);
  const pairs = async () => (await api.admin(`GET /collection/${collection}`)).body.content[0].metadata;
  await api.admin(`PUT /collection/${collection}/${item}?metadata=a=1&metadata=b=2=3`);
  expect(await pairs()).toEqual({
    field: [
      { key: "a", value: "1" },
      { key: "b", value: "2=3" },
    ],
  });
  await api.admin(`PUT /collection/${collection}/${item}?metadata=-a`);
  expect(await pairs()).toEqual({ field: [{ key: "b", value: "2=3" }] });
  expect((await api.admin(`PUT /collection/${collection}/${item}?metadata=nonsense`)).status).toBe(400);
});

test("what items and collections know of their collections follows every move", async () => {
  const [outer, inner] = [await makeCollection(api.admin), await makeCollection(api.admin)];
  const item = await makeItem(api.admin);
  await api.admin(`PUT /collection/${outer}/${inner}?type=collection`);
  await api.admin(`PUT /collection/${inner}/${item}`);
  const names = "__collection,__collection_size,__ancestor_collection,__ancestor_collection_size";
  expect(await fieldsOf(`/item/${item}`, names)).toEqual({
    __collection: [inner],
    __collection_size: ["1"],
    __ancestor_collection: [outer, inner],
    __ancestor_collection_size: ["2"],
  });
  expect(await fieldsOf(`/collection/${inner}`, "__parent_collection,__items_size")).toEqual({
    __parent_collection: [outer],
    __items_size: ["1"],
  });
  expect(await fieldsOf(`/collection/${outer}`, "__child_collection,__child_collection_size")).toEqual({
    __child_collection: [inner],
    __child_collection_size: ["1"],
  });
  const found = async (name: string, value: string) => {
    const { body } = await api.admin("PUT /search", { field: [{ name, value: [{ value }] }] });
    return body.entry.map(({ id }: { readonly id: string }) => id).sort();
  };
  expect(await found("__ancestor_collection", outer)).toEqual([inner, item].sort());
  expect(await found("__collection", inner)).toEqual([item]);
  expect(await found("__child_collection", inner)).toEqual([outer]);
  await api.admin(`DELETE /collection/${outer}/${inner}?type=collection`);
  expect(await found("__ancestor_collection", outer)).toEqual([]);
  expect(await fieldsOf(`/item/${item}`, names)).toMatchObject({ __ancestor_collection: [inner] });
  await api.admin(`DELETE /item/${item}`);
  expect(await fieldsOf(`/collection/${inner}`, "__items_size")).toEqual({ __items_size: ["0"] });
});

test("a collection cannot come to be in itself", async () => {
  const [a, b, c] = [await makeCollection(api.admin), await makeCollection(api.admin), await makeCollection(api.admin)];
  await api.admin(`PUT /collection/${a}/${b}?type=collection`);
  await api.admin(`PUT /collection/${b}/${c}?type=collection`);
  for (const [outer, inner] of [
    [a, a],
    [c, a],
    [b, a],
    [c, b],
  ]) {
    const { status, body } = await api.admin(`PUT /collection/${outer}/${inner}?type=collection`);
    expect([status, body.conflict?.id]).toEqual([409, outer]);
  }
  expect((await api.admin(`GET /collection/${c}/ancestor`)).body.uri).toEqual([a, b]);
});

test("members are put in order by place, by a list, and by a reordering", async () => {
  const collection = await makeCollection(api.admin);
  const [a = "", b = "", c = "", d = ""] = await Promise.all([1, 2, 3, 4].map(() => makeItem(api.admin)));
  const put = (content: readonly object[], query = "") =>
    api.admin(`PUT /collection/${collection}${query}`, { content });
  await put([{ id: a }, { id: b }, { id: c }]);
  expect(await contentOf(collection)).toEqual([a, b, c]);
  await put([
    { id: d, mode: "add", before: b },
    { id: a, mode: "move" },
  ]);
  expect(await contentOf(collection)).toEqual([d, b, c, a]);
  await api.admin(`POST /collection/${collection}/order`, {
    item: [
      { id: a, before: d },
      { id: b, after: a },
    ],
  });
  expect(await contentOf(collection)).toEqual([a, b, d, c]);
  await put([{ id: c }, { id: a }]);
  expect(await contentOf(collection)).toEqual([c, a]);
  await put([{ id: d }, { id: a }], "?clear=false");
  expect(await contentOf(collection)).toEqual([d, a, c]);
  await put([
    { id: c, mode: "remove" },
    { id: b, mode: "add", after: d },
  ]);
  expect(await contentOf(collection)).toEqual([d, b, a]);
  expect((await put([{ id: a, mode: "add" }, { id: b }])).status).toBe(400);
  expect((await put([{ id: a, mode: "move", before: c }])).status).toBe(404);
  expect((await api.admin(`POST /collection/${collection}/order`, { item: [{ id: a }] })).status).toBe(400);
});

test("room between members never runs out", async () => {
  const collection = await makeCollection(api.admin);
  const items: string[] = [];
  for (let count = 0; count < 30; count++) items.push(await makeItem(api.admin));
  const [first = "", second = "", ...others] = items;
  await api.admin(`PUT /collection/${collection}`, { content: [{ id: first }, { id: second }] });
  for (const id of others) {
    await api.admin(`PUT /collection/${collection}`, { content: [{ id, mode: "add", before: second }] });
  }
  expect(await contentOf(collection)).toEqual([first, ...others, second]);
});

test("items of a collection come newest first, or in their own order when that is set [spec: index-collection-item-order]", async () => {
  const collection = await makeCollection(api.admin);
  const [a = "", b = "", c = ""] = [await makeItem(api.admin), await makeItem(api.admin), await makeItem(api.admin)];
  for (const item of [b, c, a]) await api.admin(`PUT /collection/${collection}/${item}`);
  const listed = async () => {
    const { body } = await api.admin(`GET /collection/${collection}/item`);
    return body.item.map(({ id }: { readonly id: string }) => id);
  };
  expect(await listed()).toEqual([c, b, a]);
  api.settings.inOrder = true;
  expect(await listed()).toEqual([b, c, a]);
  api.settings.inOrder = false;
});

test("members that a caller cannot see are neither shown nor taken out by a list", async () => {
  const alva = api.as("alva");
  const collection = await makeCollection(alva);
  const [own, hidden] = [await makeItem(alva), await makeItem(api.admin)];
  await api.admin(`PUT /collection/${collection}/${own}`);
  await api.admin(`PUT /collection/${collection}/${hidden}`);
  await api.admin(`POST /item/${hidden}/access`, { user: "alva", permission: "NONE" });
  const another = await makeItem(alva);
  await alva(`PUT /collection/${collection}`, { content: [{ id: another }] });
  expect((await alva(`GET /collection/${collection}`)).body.content).toHaveLength(1);
  expect(await contentOf(collection)).toEqual([another, hidden]);
});

test("items of another collection come in with addItems", async () => {
  const [from, to] = [await makeCollection(api.admin), await makeCollection(api.admin)];
  const items = [await makeItem(api.admin), await makeItem(api.admin)];
  for (const item of items) await api.admin(`PUT /collection/${from}/${item}`);
  await api.admin(`PUT /collection/${to}/${from}?type=collection&addItems=true`);
  expect(await contentOf(to)).toEqual(items);
});

test("deleting collections leaves their members, and passes over unknown ones", async () => {
  const [a, b, outer] = [
    await makeCollection(api.admin),
    await makeCollection(api.admin),
    await makeCollection(api.admin),
  ];
  const item = await makeItem(api.admin);
  await api.admin(`PUT /collection/${a}/${item}`);
  await api.admin(`PUT /collection/${a}/${b}?type=collection`);
  await api.admin(`PUT /collection/${outer}/${a}?type=collection`);
  expect((await api.admin(`DELETE /collection?id=${a},VX-999999,nothing`)).status).toBe(200);
  expect((await api.admin(`GET /item/${item}/collections`)).body.uri ?? []).toEqual([]);
  expect(await fieldsOf(`/collection/${b}`, "__parent_collection")).toEqual({});
  expect(await contentOf(outer)).toEqual([]);
  expect(await api.store.query({ sql: "select count(*) as n from asset_task" })).toEqual([{ n: 0 }]);
  expect((await api.admin(`DELETE /collection/${a}`)).status).toBe(404);
});

test("a rename is a change of the title, and the other way round", async () => {
  const collection = await makeCollection(api.admin, "Before");
  await api.admin(`PUT /collection/${collection}/rename?name=Between`);
  expect(await fieldsOf(`/collection/${collection}`, "title")).toEqual({ title: ["Between"] });
  const field = [{ name: "title", value: [{ value: "After" }] }];
  await api.admin(`PUT /collection/${collection}/metadata`, { timespan: [{ field }] });
  expect((await api.admin(`GET /collection/${collection}`)).body.name).toBe("After");
});

test("the folder of a collection is remembered", async () => {
  const collection = await makeCollection(api.admin);
  await api.admin(`PUT /collection/${collection}/map-to-folder`);
  expect(await fieldsOf(`/collection/${collection}`, "__folder_mapped")).toEqual({ __folder_mapped: ["true"] });
  expect((await api.admin(`PUT /collection/${collection}/folder-name?name=rushes`, undefined, "*/*")).body).toBe(
    "rushes",
  );
  expect((await api.admin(`PUT /collection/${collection}/folder-name?name=a/b`, undefined, "*/*")).status).toBe(400);
  await api.admin(`DELETE /collection/${collection}/map-to-folder`);
  expect(await fieldsOf(`/collection/${collection}`, "__folder_mapped")).toEqual({});
});

test("two writers on two instances lose nothing of each other's", async () => {
  const other = (await api.onAnother())("admin");
  const collection = await makeCollection(api.admin);
  const items = await Promise.all(Array.from({ length: 12 }, () => makeItem(api.admin)));
  const answers = await Promise.all(
    items.map((item, index) => (index % 2 === 0 ? api.admin : other)(`PUT /collection/${collection}/${item}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual(items.map(() => 200));
  expect([...(await contentOf(collection))].sort()).toEqual([...items].sort());
  expect(await fieldsOf(`/collection/${collection}`, "__items_size")).toEqual({ __items_size: ["12"] });
});

test("one request takes a bounded number of members", async () => {
  const collection = await makeCollection(api.admin);
  const content = Array.from({ length: 10_001 }, (_, index) => ({ id: `VX-${index + 1}` }));
  expect((await api.admin(`PUT /collection/${collection}`, { content })).status).toBe(400);
});
