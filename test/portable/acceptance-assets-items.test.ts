import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  childrenOf,
  clientOf,
  document,
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
  for (const name of ["news_keyword", "news_note"]) {
    const made = await admin.json(`PUT /API/metadata-field/${name}`, { type: "string" });
    expect(made.status).toBe(200);
  }
  expect((await admin.xml("PUT /API/metadata-field/field-group/news_shot/news_note")).status).toBe(404);
  expect((await admin.xml("PUT /API/metadata-field/field-group/news_shot")).status).toBe(200);
  expect((await admin.xml("PUT /API/metadata-field/field-group/news_shot/news_note")).status).toBe(200);
});
afterAll(() => kinora.close());

const harbour = document(
  "MetadataDocument",
  `<group>news_shot</group>
   <timespan start="-INF" end="+INF">
     <field><name>title</name><value>Harbour at dawn</value></field>
     <field><name>news_keyword</name><value>boats</value><value>water</value></field>
   </timespan>
   <timespan start="250@PAL" end="500@PAL">
     <group mode="add"><name>news_shot</name><field track="V1"><name>news_note</name><value lang="en">wide</value></field></group>
   </timespan>`,
);

async function placeholder(body = metadataXml({ title: "Harbour" })): Promise<string> {
  return (await admin.xml("POST /API/import/placeholder?container=1", body)).xml.attributes.id ?? "";
}

describe("row 10: POST /import/placeholder", () => {
  test("answers XML with the identifier as an attribute", async () => {
    const { status, xml } = await admin.xml("POST /API/import/placeholder?container=1&video=1", harbour);
    expect([status, xml.name, xml.attributes.id]).toEqual([200, "ItemDocument", expect.stringMatching(/^VX-\d+$/)]);
  });

  test("answers JSON with the identifier", async () => {
    const made = await admin.json("POST /API/import/placeholder;container=1", metadataJson({ title: "Harbour" }));
    expect([made.status, made.json]).toEqual([200, { id: expect.stringMatching(/^VX-\d+$/) }]);
  });

  test.each([
    ["no body and no type", {}],
    ["no body and a type of forms", { type: "application/x-www-form-urlencoded" }],
    ["an empty body that calls itself XML", { type: "application/xml", body: "" }],
    ["an empty object", { type: "application/json", body: "{}" }],
  ])("takes %s", async (_, sent) => {
    const made = await admin.send("POST /API/import/placeholder/?container=1", { accept: "application/json", ...sent });
    expect([made.status, made.json]).toEqual([200, { id: expect.stringMatching(/^VX-\d+$/) }]);
  });

  test("takes numbers for values, and answers them as text", async () => {
    const { json } = await admin.json("POST /API/import/placeholder", metadataJson({ title: 123 }));
    const item = await admin.json(`GET /API/item/${json.id}?content=metadata&field=title`);
    expect(valuesOf(item.json.metadata, "title")).toEqual(["123"]);
  });
});

describe("row 1: GET /item/{id} and GET /item/{id}/metadata", () => {
  let id = "";
  beforeAll(async () => {
    id = await placeholder(harbour);
  });

  test("without content the item is its identifier", async () => {
    expect((await admin.json(`GET /API/item/${id}`)).json).toEqual({ id });
    const { xml } = await admin.xml(`GET /API/item/${id}/`);
    expect([xml.name, xml.attributes, xml.children]).toEqual(["ItemDocument", { id }, []]);
  });

  test("metadata in XML: spans, fields with who wrote them, groups, the group of the item", async () => {
    const { status, type, xml } = await admin.xml(`GET /API/item/${id}/metadata`);
    expect([status, type]).toEqual([200, expect.stringContaining("application/xml")]);
    expect(xml.name).toBe("MetadataListDocument");
    const item = xml.children[0];
    expect([item?.name, item?.attributes.id]).toEqual(["item", id]);
    const metadata = item?.children[0];
    if (metadata === undefined) throw new Error("No metadata");
    expect(textAt(metadata, "revision")).toMatch(/^VX-\d+(,VX-\d+)*$/);
    expect(textAt(metadata, "group")).toBe("news_shot");
    const [untimed] = childrenOf(metadata, "timespan");
    expect(untimed?.attributes).toMatchObject({ start: "-INF", end: "+INF" });
    const title = untimed?.children.find((field) => textAt(field, "name") === "title");
    const written = { user: "admin", uuid: expect.any(String), timestamp: "2026-01-01T00:00:00.000+00:00" };
    expect(title?.attributes).toMatchObject({ ...written, change: expect.stringMatching(/^VX-\d+$/) });
    expect(title?.children[1]?.attributes).toMatchObject(written);
    expect(xmlValuesOf(metadata, "title")).toEqual(["Harbour at dawn"]);
    expect(xmlValuesOf(metadata, "news_keyword")).toEqual(["boats", "water"]);
    const timed = childrenOf(metadata, "timespan").find((span) => span.attributes.start === "250@PAL");
    expect(timed?.attributes).toMatchObject({ start: "250@PAL", end: "500@PAL" });
    const shot = timed?.children[0];
    expect([shot?.name, shot && textAt(shot, "name"), shot && textAt(shot, "field", "value")]).toEqual([
      "group",
      "news_shot",
      "wide",
    ]);
  });

  test("metadata in JSON: as its own document, and as part of the item", async () => {
    const own = await admin.json(`GET /API/item/${id}/metadata`);
    expect(own.json).toMatchObject({ item: [{ id, metadata: { revision: expect.any(String) } }] });
    expect(valuesOf(own.json.item[0].metadata, "title")).toEqual(["Harbour at dawn"]);
    const part = await admin.json(`GET /API/item/${id}?content=metadata`);
    expect(part.json.metadata).toEqual(own.json.item[0].metadata);
  });

  test.each([
    "?content=metadata&field=title,itemId",
    "?content=metadata&field=title&field=itemId",
    ";field=title,itemId?content=metadata",
    ";content=metadata;field=title;field=itemId",
    "/;content=metadata;field=title,itemId",
  ])("fields are chosen by %s", async (selection) => {
    const { json } = await admin.json(`GET /API/item/${id}${selection}`);
    const names = json.metadata.timespan.flatMap((span: { field: { name: string }[] }) =>
      span.field.map(({ name }) => name),
    );
    expect(names.sort()).toEqual(["itemId", "title"]);
  });

  test.each(["true", "yes", "True", "1"])("terse=%s gives the short form", async (yes) => {
    const { json } = await admin.json(`GET /API/item/${id}?content=metadata&terse=${yes}`);
    expect(json.terse).toMatchObject({
      title: [{ start: "-INF", end: "+INF", uuid: expect.stringMatching(/./), value: "Harbour at dawn" }],
      news_keyword: [{ value: "boats" }, { value: "water" }],
      news_note: [{ start: "250@PAL", end: "500@PAL", value: "wide" }],
      user: [{ uuid: "", value: "admin" }],
    });
    expect(json).not.toHaveProperty("metadata");
  });

  test("the short form in XML has one element for each field", async () => {
    const { xml } = await admin.xml(`GET /API/item/${id};field=title?content=metadata&terse=true`);
    expect(namesIn(xml)).toEqual(["terse"]);
    expect(xml.children[0]?.children.map(({ name, text }) => [name, text])).toEqual([["title", "Harbour at dawn"]]);
    const list = await admin.xml(`GET /API/item/${id}/metadata;field=title;terse=yes`);
    expect(list.xml.name).toBe("TerseMetadataListDocument");
    expect(list.xml.children[0]?.attributes.id).toBe(id);
    expect(list.xml.children[0]?.children.map(({ name, text }) => [name, text])).toEqual([
      ["title", "Harbour at dawn"],
    ]);
  });

  test("an interval chooses spans, a rate converts them", async () => {
    const inside = await admin.json(`GET /API/item/${id}/metadata?interval=12.00-34.50&group=news_shot`);
    expect(inside.json.item[0].metadata.timespan).toMatchObject([{ start: "250@PAL", end: "500@PAL" }]);
    const outside = await admin.json(`GET /API/item/${id}/metadata?interval=30.00-34.50&group=news_shot`);
    expect(outside.json.item[0].metadata.timespan ?? []).toEqual([]);
    const generic = await admin.json(`GET /API/item/${id}/metadata;interval=generic`);
    expect(generic.json.item[0].metadata.timespan).toHaveLength(1);
    const converted = await admin.json(`GET /API/item/${id}/metadata?group=news_shot&sampleRate=48000`);
    expect(converted.json.item[0].metadata.timespan).toMatchObject([{ start: "480000@48000", end: "960000@48000" }]);
  });

  test("transient fields can be left out", async () => {
    const names = async (selection: string) =>
      Object.keys((await admin.json(`GET /API/item/${id}?content=metadata&terse=true${selection}`)).json.terse);
    expect(await names("")).toContain("__metadata_last_modified");
    expect((await names("&includeTransientMetadata=false")).filter((name) => name.startsWith("__"))).toEqual([]);
  });

  test("all content at once", async () => {
    const query = "content=metadata,shape,thumbnail,poster,uri,access,merged-access,external&noauth-url=true";
    const { status, json } = await admin.json(`GET /API/item/${id}?${query}&baseURI=https://example.org/APInoauth/`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id,
      metadata: {},
      access: expect.arrayContaining([{ type: "GENERIC", permission: "OWNER" }]),
    });
    const xml = await admin.xml(`GET /API/item/${id}?${query}`);
    expect([xml.status, xml.xml.attributes.id]).toEqual([200, id]);
    const repeated = await admin.json(`GET /API/item/${id}?content=metadata&content=access`);
    expect(repeated.json).toMatchObject({ metadata: {}, access: expect.anything() });
  });

  test("an unknown item is said to be unknown, in the form that was asked for", async () => {
    const xml = await admin.xml("GET /API/item/VX-404/metadata");
    expect([xml.status, xml.xml.name, xml.xml.children[0]?.name]).toEqual([404, "ExceptionDocument", "notFound"]);
    expect(textAt(xml.xml, "notFound", "id")).toBe("VX-404");
    const json = await admin.json("GET /API/item/VX-404?content=metadata");
    expect(json.json).toEqual({
      notFound: { type: expect.stringMatching(/^item$/i), id: "VX-404", context: null },
      internalServer: null,
      forbidden: null,
      notYetImplemented: null,
      conflict: null,
      invalidInput: null,
      licenseFault: null,
      fileAlreadyExists: null,
      notAuthorized: null,
    });
    const text = await admin.text("GET /API/item/VX-404/collections");
    expect(text.text.split("\r\n").slice(0, 3)).toEqual([
      "404 A resource could not be found",
      expect.stringMatching(/^Type: Item$/i),
      "ID: VX-404",
    ]);
  });
});

describe("row 3: PUT /item/{id}/metadata", () => {
  test("answers a MetadataListDocument, in XML and in JSON", async () => {
    const id = await placeholder();
    const xml = await admin.xml(`PUT /API/item/${id}/metadata`, metadataXml({ title: "Two" }));
    expect([xml.status, xml.xml.name, xml.xml.children[0]?.attributes.id]).toEqual([200, "MetadataListDocument", id]);
    const json = await admin.json(`PUT /API/item/${id}/metadata/`, metadataJson({ news_keyword: ["a", "b"] }));
    expect([json.status, json.json.item[0].id]).toEqual([200, id]);
    expect(valuesOf(json.json.item[0].metadata, "title")).toEqual(["Two"]);
    expect(valuesOf(json.json.item[0].metadata, "news_keyword")).toEqual(["a", "b"]);
  });

  test("values replace, add and go by their mode", async () => {
    const id = await placeholder();
    const put = (values: string) =>
      admin.xml(
        `PUT /API/item/${id}/metadata`,
        document(
          "MetadataDocument",
          `<timespan start="-INF" end="+INF"><field><name>news_keyword</name>${values}</field></timespan>`,
        ),
      );
    const now = async () => {
      const { json } = await admin.json(`GET /API/item/${id}?content=metadata&terse=yes&field=news_keyword`);
      return (json.terse.news_keyword ?? []) as { value: string; uuid: string }[];
    };
    await put("<value>one</value>");
    await put('<value mode="add">two</value>');
    expect((await now()).map(({ value }) => value)).toEqual(["one", "two"]);
    await put(`<value mode="remove" uuid="${(await now())[0]?.uuid}"/>`);
    expect((await now()).map(({ value }) => value)).toEqual(["two"]);
    await put("<value>three</value>");
    expect((await now()).map(({ value }) => value)).toEqual(["three"]);
    await put("");
    expect(await now()).toEqual([]);
  });

  test("an unknown field is not found, and nothing is written", async () => {
    const id = await placeholder();
    const refused = await admin.json(`PUT /API/item/${id}/metadata`, metadataJson({ title: "x", fieldthree: "y" }));
    expect([refused.status, refused.json.notFound]).toEqual([
      404,
      { type: "metadata-field", id: "fieldthree", context: null },
    ]);
    const { json } = await admin.json(`GET /API/item/${id}?content=metadata`);
    expect(valuesOf(json.metadata, "title")).toEqual(["Harbour"]);
  });

  test("a revision guards against another writer", async () => {
    const id = await placeholder();
    const { json } = await admin.json(`GET /API/item/${id}/metadata`);
    const { revision } = json.item[0].metadata;
    const first = await admin.json(`PUT /API/item/${id}/metadata?revision=${revision}`, metadataJson({ title: "A" }));
    expect(first.status).toBe(200);
    const second = await admin.xml(`PUT /API/item/${id}/metadata;revision=${revision}`, metadataXml({ title: "B" }));
    expect([second.status, second.xml.children[0]?.name]).toEqual([409, "conflict"]);
  });

  test("onlyReturnChanges answers what changed", async () => {
    const id = await placeholder();
    const { json } = await admin.json(
      `PUT /API/item/${id}/metadata?onlyReturnChanges=true`,
      metadataJson({ news_keyword: "only" }),
    );
    const names = json.item[0].metadata.timespan.flatMap((span: { field: { name: string }[] }) =>
      span.field.map(({ name }) => name),
    );
    expect(names).toEqual(["news_keyword"]);
  });
});

describe("row 8: DELETE /item/{id} and DELETE /item?id=", () => {
  test("an item is gone at once, and the second time not found", async () => {
    const id = await placeholder();
    const gone = await admin.xml(`DELETE /API/item/${id}/?keepShapeTagMedia=*`);
    expect([gone.status, gone.text]).toEqual([200, ""]);
    expect((await admin.xml(`GET /API/item/${id}`)).status).toBe(404);
    const again = await admin.json(`DELETE /API/item/${id}`);
    expect([again.status, again.json.notFound]).toMatchObject([404, { type: "Item", id }]);
    const found = await admin.json("PUT /API/item", { field: [{ name: "itemId", value: [{ value: id }] }] });
    expect(found.json.hits).toBe(0);
  });

  test("several go by one request; unknown ones are passed over", async () => {
    const [a, b] = [await placeholder(), await placeholder()];
    expect((await admin.json(`DELETE /API/item?id=${a},${b},VX-99999&keepShapeTagStorage=VX-1`)).status).toBe(200);
    expect([(await admin.json(`GET /API/item/${a}`)).status, (await admin.json(`GET /API/item/${b}`)).status]).toEqual([
      404, 404,
    ]);
  });
});

describe("row 37: GET /item/{id}/metadata/changes", () => {
  test("lists change sets with their metadata", async () => {
    const id = await placeholder();
    await admin.json(`PUT /API/item/${id}/metadata`, metadataJson({ title: "Two" }));
    const { xml } = await admin.xml(`GET /API/item/${id}/metadata/changes`);
    expect(xml.name).toBe("MetadataChangeSetDocument");
    const sets = childrenOf(xml, "changeSet");
    expect(sets.length).toBeGreaterThanOrEqual(2);
    for (const set of sets) expect(namesIn(set)).toEqual(["id", "metadata"]);
    const newest = (await admin.json(`GET /API/item/${id}/metadata/changes`)).json.changeSet.at(-1);
    expect(valuesOf(newest.metadata, "title")).toEqual(["Two"]);
    const one = await admin.json(`GET /API/item/${id}/metadata/changes;change=${newest.id}`);
    expect(one.json.changeSet).toMatchObject([{ id: newest.id }]);
    const page = await admin.json(`GET /API/item/${id}/metadata/changes?first=2&number=1`);
    expect(page.json.changeSet).toHaveLength(1);
  });
});

describe("row 45 and 46: GET /item/{id}/collections, /item/{id}/uri", () => {
  test("are lists of URIs, in text one a line", async () => {
    const id = await placeholder();
    const { id: collection } = (await admin.json("POST /API/collection?name=Rushes")).json;
    expect((await admin.json(`PUT /API/collection/${collection}/${id}`)).status).toBe(200);
    expect((await admin.json(`GET /API/item/${id}/collections`)).json).toEqual({ uri: [collection] });
    expect((await admin.xml(`GET /API/item/${id}/collections/`)).xml.children.map(({ text }) => text)).toEqual([
      collection,
    ]);
    expect((await admin.text(`GET /API/item/${id}/collections`)).text).toBe(`${collection}\r\n`);
    const uris = await admin.json(
      `GET /API/item/${id}/uri?type=mp4&tag=original&scheme=file&methodType=AUTO&closedFiles=false`,
    );
    expect([uris.status, uris.json.uri ?? []]).toEqual([200, []]);
  });
});

describe("row 47: GET /item/{id}/relation", () => {
  test("shows what relates, in which direction, with its pairs", async () => {
    const [a, b] = [await placeholder(), await placeholder()];
    const made = await admin.json(`POST /API/item/${a}/relation/${b}?direction=S&type=trailer`);
    expect(made.status).toBe(200);
    const { json } = await admin.json(`GET /API/item/${a}/relation?direction=A`);
    expect(json.relation).toMatchObject([
      { id: made.json.id, direction: { type: "D", source: a, target: b }, value: [{ key: "type", value: "trailer" }] },
    ]);
    const { xml } = await admin.xml(`GET /API/item/${b}/relation/`);
    const relation = childrenOf(xml, "relation")[0];
    expect(relation && textAt(relation, "direction", "source")).toBe(a);
    expect(relation && childrenOf(relation, "value")[0]?.attributes).toEqual({ key: "type" });
    expect((await admin.json(`DELETE /API/relation/${made.json.id}`)).status).toBe(200);
    expect((await admin.json(`GET /API/item/${a}/relation`)).json.relation ?? []).toEqual([]);
  });
});

describe("row 51: GET /token, /whoami, /user/{u}/token", () => {
  test("what a GUI opens with", async () => {
    const token = await admin.text("GET /API/token?autoRefresh=true&seconds=604800");
    expect([token.status, token.text]).toEqual([200, expect.stringMatching(/^\S+\s*$/)]);
    const bearer = clientOf((path, init) =>
      kinora.fetch(path, { ...init, headers: { ...init?.headers, authorization: `token ${token.text.trim()}` } }),
    );
    expect((await bearer.text("GET /API/whoami")).text.trim()).toBe("admin");
    expect((await admin.text("GET /API/user/admin/token")).status).toBe(200);
    const searched = await bearer.json("PUT /API/search?number=1", {});
    expect(searched.json).toMatchObject({ hits: expect.any(Number), entry: [{}] });
  });
});
