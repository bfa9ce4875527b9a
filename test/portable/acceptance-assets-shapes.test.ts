import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, childrenOf, clientOf, document, metadataJson, textAt } from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";

let kinora: TestService;
let admin: Client;
beforeAll(async () => {
  kinora = await startService();
  admin = clientOf(kinora.admin);
  for (const tag of ["web", "a", "b"]) await admin.json(`PUT /API/shape-tag/${tag}`, { format: "mp4" });
});
afterAll(() => kinora.close());

async function item(query = "?container=1"): Promise<string> {
  return (await admin.json(`POST /API/import/placeholder${query}`, metadataJson({ title: "Harbour" }))).json.id;
}
const shapesOf = async (id: string, query = "") =>
  ((await admin.json(`GET /API/item/${id}/shape${query}`)).json.uri ?? []) as string[];

/** A file that somebody registered, so that a shape can have it. */
async function file(uri: string): Promise<string> {
  const body = document("FileDocument", `<uri>${uri}</uri><state>CLOSED</state><size>1048576</size>`);
  const made = await admin.xml("POST /API/storage/file", body);
  expect([made.text, made.status]).toEqual([expect.anything(), 200]);
  return textAt(made.xml, "id") ?? "";
}

describe("row 6: shapes of an item", () => {
  test("are a list of identifiers, with placeholders when asked for", async () => {
    const id = await item("?container=1&video=1");
    expect(await shapesOf(id)).toEqual([]);
    const [shape] = await shapesOf(id, "?placeholder=all");
    expect(shape).toMatch(/^VX-\d+$/);
    const { xml } = await admin.xml(`GET /API/item/${id}/shape/;placeholder=true`);
    expect([xml.name, xml.children.map(({ name, text }) => [name, text])]).toEqual([
      "URIListDocument",
      [["uri", shape]],
    ]);
    const addresses = await admin.json(`GET /API/item/${id}/shape?placeholder=all&url=true`);
    expect(addresses.json.uri).toEqual([expect.stringMatching(new RegExp(`^http.*/item/${id}/shape/${shape}$`))]);
    const one = await admin.json(`GET /API/item/${id}/shape/${shape}?includePlaceholder=true`);
    expect(one.json).toMatchObject({ id: shape, essenceVersion: 0, tag: ["original"] });
  });

  test("of files: containers, tracks, files", async () => {
    const id = await item("");
    const container = await file("https://media.example.org/in/harbour.mp4");
    const body = document(
      "ShapeDocument",
      `<tag>original</tag><mimeType>video/mp4</mimeType>
       <containerComponent><file><id>${container}</id></file><duration><samples>250</samples><timeBase><numerator>1</numerator><denominator>25</denominator></timeBase></duration><format>mp4</format></containerComponent>
       <audioComponent><file><id>${container}</id></file><codec>aac</codec><itemTrack>A1</itemTrack><channelCount>2</channelCount></audioComponent>
       <videoComponent><file><id>${container}</id></file><codec>h264</codec><itemTrack>V1</itemTrack></videoComponent>`,
    );
    const made = await admin.xml(`POST /API/item/${id}/shape/create?tag=web`, body);
    expect([made.status, made.xml.name]).toEqual([200, "ShapeDocument"]);
    const shape = textAt(made.xml, "id") ?? "";
    const { json } = await admin.json(`GET /API/item/${id}/shape/${shape}`);
    expect(json).toMatchObject({
      id: shape,
      essenceVersion: 0,
      tag: ["original", "web"],
      mimeType: ["video/mp4"],
      containerComponent: {
        id: expect.any(String),
        format: "mp4",
        file: [{ id: container, uri: ["https://media.example.org/in/harbour.mp4"], state: "CLOSED", size: 1_048_576 }],
      },
      audioComponent: [{ codec: "aac", channelCount: 2 }],
      videoComponent: [{ codec: "h264" }],
    });
    expect(await shapesOf(id, "?tag=web")).toEqual([shape]);
    expect(await shapesOf(id, "?tag=none")).toEqual([]);
    const content = await admin.json(`GET /API/item/${id}?content=shape,metadata`);
    expect(content.json.shape).toMatchObject([{ id: shape }]);
    const inSearch = await admin.json("PUT /API/item?content=shape&tag=web", {
      field: [{ name: "itemId", value: [{ value: id }] }],
    });
    expect(inSearch.json.item).toMatchObject([{ shape: [{ id: shape }] }]);
    const found = await admin.xml(
      "PUT /API/item",
      document("ItemSearchDocument", "<shape><field><name>mimeType</name><value>video/mp4</value></field></shape>"),
    );
    expect(childrenOf(found.xml, "item").map(({ attributes }) => attributes.id)).toEqual([id]);
    const shapes = await admin.json("PUT /API/search/shape?number=10", {
      field: [{ name: "mimeType", value: [{ value: "video/mp4" }] }],
    });
    expect(shapes.json.shape).toMatchObject([{ id: shape, item: [{ id }] }]);
    const uris = await admin.json(`GET /API/item/${id}/uri?tag=original&scheme=https`);
    expect(uris.json.uri).toEqual(["https://media.example.org/in/harbour.mp4"]);
  });

  test("carry pairs of their own", async () => {
    const id = await item("");
    const { json } = await admin.json(`POST /API/item/${id}/shape/create?tag=original`, {});
    expect(json).toMatchObject({ id: expect.stringMatching(/^VX-\d+$/), essenceVersion: 0 });
    const path = `/API/item/${id}/shape/${json.id}/metadata`;
    const put = await admin.json(`PUT ${path}`, { field: [{ key: "note", value: "first" }] });
    expect([put.status, put.text]).toEqual([204, ""]);
    expect((await admin.json(`GET ${path}`)).json.field).toEqual([{ key: "note", value: "first" }]);
    expect((await admin.text(`GET ${path}/note`)).text.trim()).toBe("first");
  });
});

describe("row 21: DELETE /item/{id}/shape/{shapeId}", () => {
  test("answers 200 with an empty object; all at once 204", async () => {
    const id = await item("");
    const { json } = await admin.json(`POST /API/item/${id}/shape/create?tag=a`, {});
    const gone = await admin.json(`DELETE /API/item/${id}/shape/${json.id}?keepFiles=true&updateMetadata=true`);
    expect([gone.status, gone.text]).toEqual([200, "{}"]);
    const again = await admin.json(`GET /API/item/${id}/shape/${json.id}`);
    expect([again.status, again.json.notFound]).toMatchObject([404, { type: "shape", id: json.id }]);
    await admin.json(`POST /API/item/${id}/shape/create?tag=b`, {});
    const all = await admin.json(`DELETE /API/item/${id}/shape/?keepFiles=true`);
    expect([all.status, await shapesOf(id)]).toEqual([204, []]);
  });
});

describe("row 49: placeholder shapes", () => {
  test("are answered as text", async () => {
    const id = await item("");
    const made = await admin.text(`POST /API/item/${id}/shape/placeholder?tag=web&container=1&audio=2`);
    expect([made.status, made.text.trim()]).toEqual([200, expect.stringMatching(/^VX-\d+$/)]);
    expect(await shapesOf(id, "?placeholder=true")).toContain(made.text.trim());
    const size = await admin.json(`GET /API/item/${id}?content=metadata&terse=true&field=__placeholder_shape_size`);
    expect(size.json.terse.__placeholder_shape_size).toMatchObject([{ value: "2" }]);
  });
});

describe("essence versions [spec: essence-version-list]", () => {
  test("are an EssenceVersionListDocument, counted from 0", async () => {
    const id = await item("");
    await admin.json(`POST /API/item/${id}/shape/create?tag=original`, {});
    await admin.xml(`POST /API/item/${id}/shape/version`);
    const { xml } = await admin.xml(`GET /API/item/${id}/shape/version`);
    expect(xml.name).toBe("EssenceVersionListDocument");
    const versions = childrenOf(xml, "version");
    expect(versions.map((version) => textAt(version, "id"))).toEqual(["0", "1"]);
    expect(versions[1] && textAt(versions[1], "uri")).toMatch(new RegExp(`/item/${id}/shape/version/1$`));
    const one = await admin.json(`GET /API/item/${id}/shape/version/1`);
    expect(one.json.shape).toMatchObject([{ essenceVersion: 1 }]);
    expect(await shapesOf(id)).toHaveLength(1);
    expect(await shapesOf(id, "?version=all")).toHaveLength(2);
  });
});

describe("row 41: shape tags", () => {
  test("are kept with their presets", async () => {
    const preset = { format: "mp4", audio: { codec: "aac", bitrate: 128000 }, video: { codec: "h264" } };
    const made = await admin.json("PUT /API/shape-tag/web", preset);
    expect([made.status, made.text]).toEqual([200, ""]);
    expect((await admin.json("GET /API/shape-tag/web")).json).toMatchObject(preset);
    const { json } = await admin.json("GET /API/shape-tag/");
    expect(json.uri).toEqual(expect.arrayContaining(["original", "web"]));
    const xml = document("TranscodePresetDocument", "<description>Small</description><format>mov</format>");
    expect((await admin.xml("PUT /API/shape-tag/small", xml)).status).toBe(200);
    expect(textAt((await admin.xml("GET /API/shape-tag/small/")).xml, "format")).toBe("mov");
    expect((await admin.json("DELETE /API/shape-tag/small")).status).toBe(200);
    const gone = await admin.json("GET /API/shape-tag/small");
    expect([gone.status, gone.json.notFound]).toMatchObject([404, { type: "shape-tag", id: "small" }]);
  });
});

describe("row 43: external identifiers [spec: external-identifiers-unique] [spec: delete-external-identifier]", () => {
  beforeAll(async () => {
    // This client sends the document under a name of its own.
    const body = document("ExternalIdentifierNamespace", "<pattern>[a-f0-9]{8}</pattern><priority>5</priority>");
    expect((await admin.xml("PUT /API/external-id/archive", body)).status).toBe(200);
  });

  test("namespaces have a pattern and a priority", async () => {
    const { xml } = await admin.xml("GET /API/external-id/archive");
    expect([textAt(xml, "name"), textAt(xml, "pattern"), textAt(xml, "priority")]).toEqual([
      "archive",
      "[a-f0-9]{8}",
      "5",
    ]);
    expect((await admin.json("GET /API/external-id/")).json.namespace).toMatchObject([{ name: "archive" }]);
    const gone = await admin.json("GET /API/external-id/none");
    expect(gone.status).toBe(404);
  });

  test("stand for the item in every path, once for each type of entity", async () => {
    const [id, other] = [await item(), await item()];
    const collection = (await admin.json("POST /API/collection?name=x")).json.id;
    expect((await admin.send(`PUT /API/item/${id}/external-id/0a1b2c3d`)).status).toBe(200);
    expect((await admin.json("GET /API/item/0a1b2c3d?content=external")).json).toMatchObject({
      id,
      externalId: [{ entityId: id, namespace: "archive", externalId: "0a1b2c3d" }],
    });
    expect((await admin.json("GET /API/item/0a1b2c3d/metadata")).json.item[0].id).toBe(id);
    expect((await admin.json("PUT /API/item/0a1b2c3d/metadata", metadataJson({ title: "By id" }))).status).toBe(200);
    const taken = await admin.json(`PUT /API/item/${other}/external-id/0a1b2c3d`);
    expect([taken.status, taken.json.conflict]).toMatchObject([409, {}]);
    expect((await admin.json(`PUT /API/collection/${collection}/external-id/0a1b2c3d`)).status).toBe(200);
    expect((await admin.json(`PUT /API/collection/0a1b2c3d/0a1b2c3d?type=item`)).status).toBe(200);
    expect((await admin.json("GET /API/collection/0a1b2c3d")).json.content).toMatchObject([{ id }]);
    const list = await admin.xml(`GET /API/item/${id}/external-id`);
    expect(list.xml.name).toBe("ExternalIdentifierListDocument");
    expect(textAt(list.xml, "id", "externalId")).toBe("0a1b2c3d");
    expect((await admin.send(`DELETE /API/item/${id}/0a1b2c3d`)).status).toBe(200);
    expect((await admin.json("GET /API/item/0a1b2c3d")).status).toBe(404);
    expect((await admin.json("GET /API/collection/0a1b2c3d")).status).toBe(200);
    expect((await admin.send(`DELETE /API/collection/${collection}/external-id/0a1b2c3d`)).status).toBe(200);
  });

  test("that no namespace allows are refused with a sentence", async () => {
    const id = await item();
    for (const bad of ["nothing-of-this-form", "VX-7"]) {
      const refused = await admin.json(`PUT /API/item/${id}/external-id/${bad}`);
      expect([bad, refused.status]).toEqual([bad, 400]);
      expect(refused.json.invalidInput.explanation).toMatch(/namespace|identifier/i);
    }
  });
});

describe("deletion locks", () => {
  test("keep an item until they expire", async () => {
    const id = await item();
    const expiryTime = new Date(kinora.now() + 3_600_000).toISOString();
    const made = await admin.json(`POST /API/item/${id}/deletion-lock`, { expiryTime });
    expect([made.status, made.json]).toMatchObject([200, { isEffective: true, isExpired: false, user: "admin" }]);
    expect((await admin.json(`GET /API/item/${id}/deletion-lock`)).json.lock).toMatchObject([{ id: made.json.id }]);
    const refused = await admin.json(`DELETE /API/item/${id}`);
    expect([refused.status, refused.json.conflict?.explanation]).toEqual([409, expect.stringMatching(/lock/i)]);
    kinora.advance(3_600_001);
    expect((await admin.json(`DELETE /API/item/${id}`)).status).toBe(200);
  });
});

describe("rows 32 and 36: thumbnails and posters as resources", () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);

  test("are stored and served, listed by time code", async () => {
    const id = await item("");
    const named = await admin.json(`PUT /API/item/${id}/thumbnailresource`);
    expect([named.status, named.json.uri]).toEqual([200, [expect.stringContaining(`/thumbnail/`)]]);
    const [resource = ""] = named.json.uri as string[];
    expect(resource).toMatch(/^(http:\/\/localhost)?\/API\/thumbnail\/[^/]+\/VX-\d+/);
    const path = resource.replace("http://localhost", "");
    const stored = await kinora.admin(`${path}/250@PAL`, {
      method: "PUT",
      headers: { "content-type": "image/png" },
      body: png,
    });
    expect(stored.status).toBe(200);
    const listed = await admin.xml(`GET /API/item/${id}/thumbnailresource`);
    expect(listed.xml.children.map(({ text }) => text)).toEqual([resource]);
    expect((await admin.json(`GET ${path}`)).json.uri).toEqual(["250@PAL"]);
    const image = await kinora.admin(`${path}/250@PAL`, { headers: { accept: "image/png" } });
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(new Uint8Array(await image.arrayBuffer())).toEqual(png);
    const content = await admin.json(`GET /API/item/${id}?content=thumbnail&noauth-url=true`);
    const [open] = content.json.thumbnails.uri as string[];
    expect(open).toMatch(/\/APInoauth\/thumbnail\/.*250@PAL\?hash=\w+$/);
    const unauthenticated = await kinora.fetch((open ?? "").replace(/^http:\/\/localhost/, ""));
    expect(unauthenticated.status).toBe(200);
    expect(
      (await kinora.fetch((open ?? "").replace(/^http:\/\/localhost/, "").replace(/hash=\w+/, "hash=0"))).status,
    ).toBeGreaterThanOrEqual(401);
    expect((await admin.json(`GET /API/item/${id}/posterresource`)).status).toBe(200);
    expect((await admin.send(`DELETE ${path}/250@PAL`)).status).toBe(200);
    expect((await admin.json(`GET ${path}`)).json.uri ?? []).toEqual([]);
  });
});
