import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Client,
  childrenOf,
  clientOf,
  document,
  type Json,
  metadataJson,
  newUser,
  textAt,
  userPassword,
  valuesOf,
} from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";

const day = 86_400_000;
const roles = [
  "_item_read",
  "_metadata_read",
  "_metadata_write",
  "_collection_read",
  "_library_read",
  "_shape_read",
  "_item_uri",
];

let kinora: TestService;
let admin: Client;
let ada: Client;
beforeAll(async () => {
  kinora = await startService();
  admin = clientOf(kinora.admin);
  await newUser(admin, "ada", roles);
  ada = clientOf(kinora.as("ada", userPassword));
  await admin.json("PUT /API/metadata-field/news_scene", { type: "string-exact", inheritance: "true" });
});
afterAll(() => kinora.close());

const makeItem = async (fields: Readonly<Record<string, string>> = { title: "Harbour" }): Promise<string> =>
  (await admin.json("POST /API/import/placeholder", metadataJson(fields))).json.id;
const makeCollection = async (name: string): Promise<string> =>
  (await admin.json(`POST /API/collection?name=${name}`)).json.id;
const grant = (path: string, entry: Json) => admin.json(`POST /API/${path}/access`, { user: "ada", ...entry });

test("collections that a caller may not find are named by no field, search or facet", async () => {
  const [shown, hidden] = [await makeCollection("shown"), await makeCollection("hidden")];
  const id = await makeItem();
  for (const collection of [shown, hidden]) await admin.json(`PUT /API/collection/${collection}/${id}`);
  await grant(`item/${id}`, { permission: "READ" });
  await grant(`collection/${shown}`, { permission: "READ", recursive: false });
  for (const field of ["__collection", "__ancestor_collection"]) {
    const shows = async (client: Client) => {
      const metadata = (await client.json(`GET /API/item/${id}?content=metadata&field=${field}`)).json.metadata;
      return [...valuesOf(metadata, field)].sort();
    };
    expect([await shows(admin), await shows(ada)]).toEqual([[shown, hidden].sort(), [shown]]);
    const hits = async (client: Client, value: string) =>
      (await client.json("PUT /API/item", { field: [{ name: field, value: [{ value }] }] })).json.hits;
    expect([await hits(admin, hidden), await hits(ada, hidden), await hits(ada, shown)]).toEqual([1, 0, 1]);
  }
  const { facet } = (await ada.json("PUT /API/item", { facet: [{ field: "__collection" }] })).json;
  expect(facet[0].count).toEqual(
    [{ fieldValue: shown, count: 1, value: 1 }].map((one) => expect.objectContaining(one)),
  );
});

test("what is inherited from a collection that a caller may not find does not name it, and stays inherited", async () => {
  const [shown, hidden] = [await makeCollection("shown"), await makeCollection("hidden")];
  await admin.json("PUT /API/metadata-field/news_place", { type: "string", inheritance: "true" });
  await admin.json("PUT /API/metadata-field/field-group/news_crew", { inheritance: "true" });
  await admin.json("PUT /API/metadata-field/field-group/news_crew/title");
  const scene = { name: "news_scene", value: [{ value: "final whistle" }] };
  const crew = { name: "news_crew", field: [{ name: "title", value: [{ value: "camera" }] }] };
  const untimed = { start: "-INF", end: "+INF" };
  await admin.json(`PUT /API/collection/${shown}/metadata`, metadataJson({ news_place: "stadium" }));
  await admin.json(`PUT /API/collection/${hidden}/metadata`, {
    timespan: [{ ...untimed, field: [scene], group: [crew] }],
  });
  const id = await makeItem();
  for (const collection of [shown, hidden]) await admin.json(`PUT /API/collection/${collection}/${id}`);
  await grant(`item/${id}`, { permission: "WRITE" });
  await grant(`collection/${shown}`, { permission: "READ", recursive: false });
  const timespanOf = async (client: Client): Promise<Json> => {
    const { item } = (await client.json(`GET /API/item/${id}/metadata?field=news_scene,news_place&group=news_crew`))
      .json;
    return item[0].metadata.timespan[0];
  };
  const origins = async (client: Client) => {
    const { field = [], group = [] } = await timespanOf(client);
    return Object.fromEntries([...field, ...group].map((one: Json) => [one.name, one.inheritance]));
  };
  const named = { news_scene: `Collection/${hidden}`, news_crew: `Collection/${hidden}` };
  const unnamed = { news_scene: "Collection", news_crew: "Collection" };
  const place = { news_place: `Collection/${shown}` };
  expect(await origins(admin)).toEqual({ ...named, ...place });
  expect(await origins(ada)).toEqual({ ...unnamed, ...place });
  for (const path of [`item/${id}?content=metadata`, "item?content=metadata", `item/${id}/metadata?terse=true`]) {
    expect((await ada.json(`GET /API/${path}`)).text).not.toContain(`"Collection/${hidden}"`);
  }

  const { field } = await timespanOf(ada);
  expect((await ada.json(`PUT /API/item/${id}/metadata`, { timespan: [{ ...untimed, field }] })).status).toBe(200);
  expect(await origins(admin), "put back as it was").toEqual({ ...named, ...place });

  const granted = (await grant(`collection/${hidden}`, { permission: "READ", recursive: false })).json;
  expect(await origins(ada)).toEqual({ ...named, ...place });
  await admin.json(`DELETE /API/collection/${hidden}/access/${granted.id}`);
  await grant(`collection/${hidden}`, { permission: "READ", recursive: false, operation: { metadata: {} } });
  expect(await origins(ada), "who may read its metadata may find it").toEqual({ ...named, ...place });
});

test("grants for shapes of one tag show and hide these alone", async () => {
  await admin.json("PUT /API/shape-tag/lowres", {});
  const id = await makeItem();
  await admin.json(`DELETE /API/item/${id}/shape`);
  for (const tag of ["original", "lowres"]) await admin.json(`POST /API/item/${id}/shape/create?tag=${tag}`);
  const of = (tag: string) => ({ operation: { shape: { tag } } });
  await grant(`item/${id}`, { permission: "READ", ...of("lowres") });
  expect(childrenOf((await ada.xml(`GET /API/item/${id}/shape`)).xml, "uri"), "of the item nothing else").toHaveLength(
    1,
  );
  expect((await ada.xml(`GET /API/item/${id}?content=shape`)).status).toBe(404);
  await grant(`item/${id}`, { permission: "READ" });
  await grant(`item/${id}`, { permission: "NONE", ...of("original") });
  const tagsOf = async (client: Client) => {
    const { xml } = await client.xml(`GET /API/item/${id}?content=shape`);
    return childrenOf(xml, "shape").map((shape) => textAt(shape, "tag"));
  };
  expect([await tagsOf(admin), await tagsOf(ada)]).toEqual([["original", "lowres"], ["lowres"]]);
  expect(childrenOf((await ada.xml(`GET /API/item/${id}/shape`)).xml, "uri")).toHaveLength(1);
  expect(
    (await ada.json("PUT /API/search/shape", { field: [{ name: "itemId", value: [{ value: id }] }] })).json.hits,
  ).toBe(1);
});

test("a library that nobody uses is removed after the days of the property", async () => {
  const property = (value: number) =>
    admin.json("PUT /API/configuration/properties", { key: "libraryRetentionDays", value: `${value}` });
  expect((await property(7)).status).toBe(200);
  await makeItem({ title: "Lighthouse" });
  const search = { text: [{ value: "lighthouse" }] };
  const { library } = (await admin.json("PUT /API/item;result=library", search)).json;
  const path = `/API/library/${encodeURIComponent(library)}`;
  const status = async () => {
    await kinora.service.tick();
    return (await admin.json(`GET ${path}/metadata`)).status;
  };
  kinora.advance(6 * day);
  expect(await status()).toBe(200);
  expect((await admin.json(`GET ${path}`)).json.hits).toBe(1);
  kinora.advance(6 * day);
  expect(await status(), "it was read").toBe(200);
  kinora.advance(2 * day);
  expect(await status()).toBe(404);
});

test("a collection's document changes it as a whole, or not at all", async () => {
  const collection = await makeCollection("Match");
  const id = await makeItem({ title: "Camera 1", startTimeCode: "90000@PAL" });
  const content = `<content><id>${id}</id><type>item</type></content>`;
  const scene = (name: string) => `<metadata><timespan start="90250@PAL" end="90500@PAL">
    <field><name>${name}</name><value>kick-off</value></field></timespan></metadata>`;
  const put = (inner: string) => admin.xml(`PUT /API/collection/${collection}`, document("CollectionDocument", inner));
  const read = async () => (await admin.xml(`GET /API/collection/${collection}`)).xml;

  const refused = await put(`<name>Final</name>${content}${scene("news_none")}<absoluteTime>true</absoluteTime>`);
  expect(refused.status).toBe(404);
  expect([textAt(await read(), "name"), childrenOf(await read(), "content")]).toEqual(["Match", []]);

  const changed = await put(`<name>Final</name>${content}${scene("news_scene")}<absoluteTime>true</absoluteTime>`);
  expect(changed.status).toBe(200);
  expect([textAt(await read(), "name"), textAt(await read(), "content", "id")]).toEqual(["Final", id]);
  expect(textAt(await read(), "absoluteTime")).toBe("true");
  const kickOff = { field: [{ name: "news_scene", value: [{ value: "kick-off" }] }] };
  const { item } = (await admin.json("PUT /API/item", kickOff)).json;
  expect(item.map(({ id, start, end }: Json) => [id, start, end])).toEqual([[id, "250@PAL", "500@PAL"]]);
});

test("the first thumbnail stands for its item, with and without login", async () => {
  const id = await makeItem();
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
  const stored = await kinora.admin(`/API/thumbnail/VX-1/${id}/250@PAL`, {
    method: "PUT",
    headers: { "content-type": "image/png" },
    body: png,
  });
  expect(stored.status).toBe(200);
  const { metadata } = (await admin.json(`GET /API/item/${id}?content=metadata`)).json;
  expect(valuesOf(metadata, "representativeThumbnail")).toEqual([`/API/thumbnail/VX-1/${id};version=0/250@PAL`]);
  const [open = ""] = valuesOf(metadata, "representativeThumbnailNoAuth");
  const image = await kinora.fetch(open);
  expect([image.status, new Uint8Array(await image.arrayBuffer())]).toEqual([200, png]);
});

test.each(["thumbnail", "poster"])("where %ss are is told of the latest version, of one, or of all", async (kind) => {
  const id = await makeItem();
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
  const headers = { "content-type": "image/png" };
  for (const version of [0, 2]) {
    const path = `/API/${kind}/VX-1/${id};version=${version}/250@PAL`;
    expect((await kinora.admin(path, { method: "PUT", headers, body: png })).status).toBe(200);
  }
  const place = (version: number) => `http://localhost/API/${kind}/VX-1/${id};version=${version}`;
  const versionsOf = async (query: string) => {
    const { status, json } = await admin.json(`GET /API/item/${id}/${kind}resource${query}`);
    return status === 200 ? (json.uri ?? []) : status;
  };
  expect(await versionsOf("")).toEqual([place(2)]);
  expect(await versionsOf("?version=latest")).toEqual([place(2)]);
  expect(await versionsOf(";version=Latest")).toEqual([place(2)]);
  expect(await versionsOf("?version=0")).toEqual([place(0)]);
  expect(await versionsOf("?version=1")).toEqual([]);
  expect(await versionsOf("?version=all")).toEqual([place(2), place(0)]);
  expect(await versionsOf("?version=newest")).toBe(400);
  const stored = async (version: string) => {
    const { status, json } = await admin.json(`PUT /API/item/${id}/${kind}resource?version=${version}`);
    return status === 200 ? json.uri : status;
  };
  expect([await stored("latest"), await stored("3"), await stored("all")]).toEqual([[place(0)], [place(3)], 400]);
});
