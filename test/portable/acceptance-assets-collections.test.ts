import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  childrenOf,
  clientOf,
  document,
  type Json,
  metadataJson,
  metadataXml,
  namesIn,
  textAt,
  valuesOf,
  xmlValuesOf,
} from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";

let kinora: TestService;
let admin: Client;
beforeAll(async () => {
  kinora = await startService();
  admin = clientOf(kinora.admin);
});
afterAll(() => kinora.close());

async function item(title = "Harbour"): Promise<string> {
  return (await admin.json("POST /API/import/placeholder", metadataJson({ title }))).json.id;
}
async function collection(name = "Rushes"): Promise<string> {
  return (await admin.json(`POST /API/collection?name=${encodeURIComponent(name)}`)).json.id;
}
const members = async (id: string) =>
  ((await admin.json(`GET /API/collection/${id}`)).json.content ?? []).map((one: Json) => one.id) as string[];

describe("row 17: POST, GET and DELETE /collection", () => {
  test("created with a name in the query, and no body", async () => {
    const { status, json } = await admin.json("POST /API/collection?name=Rushes");
    expect([status, json]).toEqual([
      200,
      { id: expect.stringMatching(/^VX-\d+$/), name: "Rushes", loc: `http://localhost/API/collection/${json.id}` },
    ]);
    const { xml } = await admin.xml("POST /API/collection/;name=Dailies");
    expect([xml.name, textAt(xml, "name")]).toEqual(["CollectionDocument", "Dailies"]);
  });

  test("created with an empty object, as text its identifier", async () => {
    const { json } = await admin.json("POST /API/collection", {});
    expect(json).not.toHaveProperty("name");
    expect((await admin.text("POST /API/collection?name=x")).text).toMatch(/^VX-\d+\r\n$/);
  });

  test("read with its members, each with id, type and address", async () => {
    const [id, child, inside] = [await collection(), await collection("Child"), await item()];
    await admin.json(`PUT /API/collection/${id}/${inside}?type=item`);
    await admin.json(`PUT /API/collection/${id}/${child}?type=collection`);
    const { json } = await admin.json(`GET /API/collection/${id}/`);
    expect(json).toMatchObject({ id, name: "Rushes", loc: expect.stringContaining(`/API/collection/${id}`) });
    expect(json.content).toMatchObject([
      { id: inside, type: "item", uri: expect.stringContaining(`/item/${inside}`) },
      { id: child, type: "collection", uri: expect.stringContaining(`/collection/${child}`) },
    ]);
    const { xml } = await admin.xml(`GET /API/collection/${id}`);
    expect(textAt(xml, "id")).toBe(id);
    expect(childrenOf(xml, "content").map((content) => [textAt(content, "id"), textAt(content, "type")])).toEqual([
      [inside, "item"],
      [child, "collection"],
    ]);
  });

  test("listed newest first", async () => {
    const [a, b] = [await collection("A"), await collection("B")];
    const { json } = await admin.json("GET /API/collection/;first=1;number=2");
    expect(json.hits).toBeGreaterThanOrEqual(2);
    expect(json.collection.map((one: Json) => [one.id, one.name])).toEqual([
      [b, "B"],
      [a, "A"],
    ]);
  });

  test("deleted, alone or several, without its members", async () => {
    const [id, other, inside] = [await collection(), await collection(), await item()];
    await admin.json(`PUT /API/collection/${id}/${inside}`);
    expect((await admin.json(`DELETE /API/collection/${id}`)).status).toBe(200);
    expect((await admin.json(`GET /API/collection/${id}`)).json.notFound).toMatchObject({
      type: expect.stringMatching(/^collection$/i),
      id,
    });
    expect((await admin.json(`GET /API/item/${inside}`)).status).toBe(200);
    expect((await admin.json(`DELETE /API/collection?id=${other},VX-99999`)).status).toBe(200);
    expect((await admin.json(`GET /API/collection/${other}`)).status).toBe(404);
  });

  test("renamed, by its own path and by its title", async () => {
    const id = await collection();
    expect((await admin.json(`PUT /API/collection/${id}/rename?name=Renamed%20%26%20kept`)).status).toBe(200);
    expect((await admin.json(`GET /API/collection/${id}`)).json.name).toBe("Renamed & kept");
    await admin.json(`PUT /API/collection/${id}/metadata`, metadataJson({ title: "Titled" }));
    expect((await admin.json(`GET /API/collection/${id}`)).json.name).toBe("Titled");
  });
});

describe("row 25: metadata of a collection", () => {
  test("is a MetadataDocument, in XML and in JSON", async () => {
    const id = await collection("Named");
    const read = await admin.xml(`GET /API/collection/${id}/metadata`);
    expect(read.xml.name).toBe("MetadataDocument");
    for (const [name, value] of [
      ["title", "Named"],
      ["collectionId", id],
    ] as const) {
      expect(xmlValuesOf(read.xml, name)).toEqual([value]);
    }
    const put = await admin.xml(`PUT /API/collection/${id}/metadata/`, metadataXml({ title: "Two" }));
    expect([put.status, put.xml.name, xmlValuesOf(put.xml, "title")]).toEqual([200, "MetadataDocument", ["Two"]]);
    const json = await admin.json(`PUT /API/collection/${id}/metadata`, metadataJson({ title: "Three" }));
    expect([json.json.revision, valuesOf(json.json, "title")]).toEqual([expect.any(String), ["Three"]]);
  });

  test("comes with the collection and with the list, when asked for", async () => {
    const id = await collection("With metadata");
    const { json } = await admin.json(`GET /API/collection/${id}?content=metadata&field=title`);
    expect(valuesOf(json.metadata, "title")).toEqual(["With metadata"]);
    const list = await admin.json("GET /API/collection?content=metadata&field=title&terse=true&number=1");
    expect(list.json.collection).toMatchObject([{ id, terse: { title: [{ value: "With metadata" }] } }]);
  });
});

describe("row 27: members of a collection", () => {
  test.each(["", "?type=item", ";type=item"])("an item enters and leaves with %j", async (type) => {
    const [id, inside] = [await collection(), await item()];
    expect((await admin.send(`PUT /API/collection/${id}/${inside}${type}`)).status).toBe(200);
    expect((await admin.send(`PUT /API/collection/${id}/${inside}${type}`)).status).toBe(200);
    expect(await members(id)).toEqual([inside]);
    expect((await admin.send(`DELETE /API/collection/${id}/${inside}${type}`)).status).toBe(200);
    expect(await members(id)).toEqual([]);
  });

  test("a membership has pairs of its own", async () => {
    const [id, inside] = [await collection(), await item()];
    await admin.json(`PUT /API/collection/${id}/${inside}?metadata=role%3Dcover&metadata=note=a=b`);
    const { json } = await admin.json(`GET /API/collection/${id}`);
    expect(json.content[0].metadata.field).toEqual(
      expect.arrayContaining([
        { key: "role", value: "cover" },
        { key: "note", value: "a=b" },
      ]),
    );
    await admin.json(`PUT /API/collection/${id}/${inside}?metadata=-role`);
    const after = (await admin.json(`GET /API/collection/${id}`)).json.content[0].metadata.field;
    expect(after).toEqual([{ key: "note", value: "a=b" }]);
  });

  test("no collection is in itself, however far down", async () => {
    const [a, b, c] = [await collection("a"), await collection("b"), await collection("c")];
    await admin.json(`PUT /API/collection/${a}/${b}?type=collection`);
    await admin.json(`PUT /API/collection/${b}/${c}?type=collection`);
    for (const [outer, inner] of [
      [a, a],
      [c, a],
      [b, a],
    ]) {
      const refused = await admin.json(`PUT /API/collection/${outer}/${inner}?type=collection`);
      expect([outer, inner, refused.status]).toEqual([outer, inner, expect.toBeOneOf([400, 409])]);
      expect(refused.text).toMatch(/in itself|cycle|within itself|contain/i);
    }
    expect((await admin.json(`GET /API/collection/${c}/ancestor`)).json.uri.sort()).toEqual([a, b].sort());
  });

  test("an unknown member is not found", async () => {
    const id = await collection();
    const refused = await admin.json(`PUT /API/collection/${id}/VX-99999?type=item`);
    expect([refused.status, refused.json.notFound]).toMatchObject([404, { id: "VX-99999" }]);
  });

  test("are put in order [spec: index-collection-item-order]", async () => {
    const id = await collection();
    const [a, b, c] = [await item("a"), await item("b"), await item("c")];
    for (const one of [b, c, a]) await admin.json(`PUT /API/collection/${id}/${one}`);
    expect(await members(id)).toEqual([b, c, a]);
    const order = document("CollectionReorderDocument", `<item id="${a}" before="${b}"/>`);
    const moved = await admin.xml(`POST /API/collection/${id}/order`, order);
    expect([moved.status, moved.xml.name]).toEqual([200, "CollectionDocument"]);
    expect(await members(id)).toEqual([a, b, c]);
    const inSearch = async () =>
      (await admin.json(`GET /API/collection/${id}/item`)).json.item.map((one: Json) => one.id) as string[];
    expect(await inSearch()).toEqual([c, b, a]);
    const property = { key: "indexCollectionItemOrder", value: "true" };
    expect((await admin.json("PUT /API/configuration/properties", property)).status).toBe(200);
    expect(await inSearch()).toEqual([a, b, c]);
    await admin.json("PUT /API/configuration/properties", { ...property, value: "false" });
  });
});

describe("row 28: GET and PUT /collection/{id}/item", () => {
  test("lists and searches only what is inside", async () => {
    const [id, inside] = [await collection(), await item("Lantern inside")];
    await item("Lantern outside");
    await admin.json(`PUT /API/collection/${id}/${inside}`);
    const list = await admin.json(`GET /API/collection/${id}/item;number=1000?content=metadata&terse=true&field=title`);
    expect(list.json).toMatchObject({
      hits: 1,
      item: [{ id: inside, terse: { title: [{ value: "Lantern inside" }] } }],
    });
    const search = document("ItemSearchDocument", "<text>lantern</text>");
    const found = await admin.xml(`GET /API/collection/${id}/item/?q=${encodeURIComponent(search)}`);
    expect([found.xml.name, namesIn(found.xml), textAt(found.xml, "hits")]).toEqual([
      "ItemListDocument",
      ["hits", "item"],
      "1",
    ]);
    const put = await admin.xml(`PUT /API/collection/${id}/item;first=1;number=10`, search);
    expect(childrenOf(put.xml, "item").map(({ attributes }) => attributes)).toEqual([
      { id: inside, start: "-INF", end: "+INF" },
    ]);
    expect((await admin.xml("PUT /API/item", search)).xml.children[0]?.text).toBe("2");
  });
});

describe("row 44: libraries", () => {
  const search = document("ItemSearchDocument", "<text>lighthouse</text>");
  const firstOf = async (request: string) => (await admin.xml(request, search)).xml;

  test("are made from a search, by matrix parameters", async () => {
    const first = await item("lighthouse one");
    const made = await firstOf("PUT /API/item;result=library;autoRefresh=true;updateMode=REPLACE;updateFrequency=60");
    expect([made.name, textAt(made, "hits")]).toEqual(["ItemListDocument", "1"]);
    const library = textAt(made, "library") ?? "";
    expect(library).toMatch(/^VX\*\d+$/);
    expect(childrenOf(made, "item").map(({ attributes }) => attributes.id)).toEqual([first]);
    const path = `/API/library/${encodeURIComponent(library)}`;
    const settings = (await admin.json(`GET ${path}/settings`)).json;
    expect(settings).toMatchObject({
      id: library,
      username: "admin",
      updateMode: "REPLACE",
      autoRefresh: true,
      updateFrequency: 60,
      query: { text: [{ value: "lighthouse" }] },
    });
    const second = await item("lighthouse two");
    kinora.advance(120_000);
    await kinora.service.tick();
    const list = await admin.json(`GET ${path};number=10`);
    expect(list.json.item.map((one: Json) => one.id).sort()).toEqual([first, second].sort());
    const inside = await admin.json(`GET /API/item;library=${encodeURIComponent(library)}?number=1`);
    expect(inside.json.hits).toBe(2);
    expect((await admin.json(`GET /API/item/${first}/library`)).json.uri).toEqual([library]);
    expect((await admin.json("GET /API/library")).json.uri).toContain(library);
    expect((await admin.json(`DELETE ${path}`)).status).toBe(200);
    expect((await admin.json(`GET ${path}`)).status).toBe(404);
  });

  test("are made from a list, and items enter and leave", async () => {
    const [a, b] = [await item("a"), await item("b")];
    const made = await admin.xml("POST /API/library", document("ItemListDocument", `<item id="${a}"/>`));
    const library = made.xml.children[0]?.text ?? "";
    const path = `/API/library/${encodeURIComponent(library)}`;
    const inside = async () => (await admin.json(`GET ${path}`)).json.item.map((one: Json) => one.id).sort();
    expect(await inside()).toEqual([a]);
    expect((await admin.json(`PUT ${path}/${b}`)).status).toBe(200);
    expect(await inside()).toEqual([a, b].sort());
    expect((await admin.json(`DELETE ${path}/${a}`)).status).toBe(200);
    expect(await inside()).toEqual([b]);
  });
});
