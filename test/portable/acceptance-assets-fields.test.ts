import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  childrenOf,
  clientOf,
  document,
  type Json,
  metadataJson,
  textAt,
} from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";

let kinora: TestService;
let admin: Client;
beforeAll(async () => {
  kinora = await startService();
  admin = clientOf(kinora.admin);
});
afterAll(() => kinora.close());

describe("row 23: fields", () => {
  test("are there from the start", async () => {
    const { json } = await admin.json("GET /API/metadata-field/");
    const types = new Map<string, Json>(json.field.map((field: Json) => [field.name, field]));
    expect(types.get("title")).toMatchObject({ type: expect.stringMatching(/^string/), origin: "VX" });
    expect(types.get("itemId")).toMatchObject({ type: "string-exact", system: "true" });
    for (const name of ["created", "mediaType", "mimeType", "originalFilename", "shapeTag", "durationSeconds"]) {
      expect([name, types.get(name)?.system]).toEqual([name, "true"]);
    }
    const { xml } = await admin.xml("GET /API/metadata-field");
    expect(xml.name).toBe("MetadataFieldListDocument");
    const itemId = childrenOf(xml, "field").find((field) => textAt(field, "name") === "itemId");
    expect([itemId?.attributes.system, itemId && textAt(itemId, "type")]).toEqual(["true", "string-exact"]);
  });

  test("are created, read, changed and deleted in XML", async () => {
    const body = document(
      "MetadataFieldDocument",
      `<name>news_color</name><type>string-exact</type>
       <stringRestriction><minLength>2</minLength><maxLength>8</maxLength><pattern>[a-z]+</pattern></stringRestriction>
       <data><key>extradata</key><value>{"type":"dropdown"}</value></data><defaultValue>red</defaultValue>`,
    );
    const made = await admin.xml("PUT /API/metadata-field/news_color", body);
    expect([made.status, made.xml.name, textAt(made.xml, "name")]).toEqual([
      200,
      "MetadataFieldDocument",
      "news_color",
    ]);
    const read = await admin.xml("GET /API/metadata-field/news_color/?data=all&includeValues=1");
    expect([textAt(read.xml, "type"), textAt(read.xml, "defaultValue"), textAt(read.xml, "origin")]).toEqual([
      "string-exact",
      "red",
      "VX",
    ]);
    expect(textAt(read.xml, "stringRestriction", "maxLength")).toBe("8");
    expect([textAt(read.xml, "data", "key"), textAt(read.xml, "data", "value")]).toEqual([
      "extradata",
      '{"type":"dropdown"}',
    ]);
    expect((await admin.xml("DELETE /API/metadata-field/news_color")).status).toBe(200);
    const gone = await admin.xml("GET /API/metadata-field/news_color");
    expect([gone.status, gone.xml.children[0]?.name]).toEqual([404, "notFound"]);
  });

  test("are created in JSON; a default value outlives a change that does not name it", async () => {
    const made = await admin.json("PUT /API/metadata-field/field_one", {
      name: "field_one",
      type: "string",
      defaultValue: "first",
    });
    expect([made.status, made.json]).toMatchObject([200, { name: "field_one", type: "string", defaultValue: "first" }]);
    await admin.json("PUT /API/metadata-field/field_one", { type: "string" });
    const { json } = await admin.json("GET /API/metadata-field/field_one?includeValues=true");
    expect(json).toMatchObject({ defaultValue: "first", values: {} });
  });

  test("without an underscore the name is refused, and named", async () => {
    const refused = await admin.json("PUT /API/metadata-field/fieldone", { type: "string" });
    expect([refused.status, refused.json.invalidInput]).toMatchObject([
      400,
      { context: "metadata-field", value: "fieldone", explanation: expect.stringContaining("fieldone") },
    ]);
  });

  test("values that a restriction does not allow are refused with field and rule", async () => {
    const limits: readonly [string, object, Json, RegExp][] = [
      ["news_short", { type: "string", stringRestriction: { maxLength: 4 } }, "harbour", /4/],
      ["news_code", { type: "string-exact", stringRestriction: { pattern: "[A-Z]{3}" } }, "ab", /\[A-Z\]\{3\}/],
      ["news_count", { type: "integer", integerRestriction: { minInclusive: 1, maxInclusive: 9 } }, "10", /9/],
      ["news_ratio", { type: "float", floatRestriction: { minInclusive: 0.5 } }, "0.25", /0\.5/],
      ["news_number", { type: "integer" }, "many", /integer|whole/],
      ["news_day", { type: "date" }, "yesterday", /date/],
      ["news_live", { type: "boolean" }, "perhaps", /boolean|true/],
      ["news_at", { type: "timeCode" }, "25@", /time/],
    ];
    const { id } = (await admin.json("POST /API/import/placeholder", {})).json;
    for (const [name, definition, value, rule] of limits) {
      expect((await admin.json(`PUT /API/metadata-field/${name}`, definition)).status).toBe(200);
      const refused = await admin.json(`PUT /API/item/${id}/metadata`, metadataJson({ [name]: value }));
      expect([name, refused.status]).toEqual([name, 400]);
      const told = JSON.stringify(refused.json.invalidInput);
      expect(told).toContain(name);
      expect(told).toMatch(rule);
    }
  });

  test("an enumeration is kept as pairs", async () => {
    await admin.json("PUT /API/metadata-field/news_lang", { type: "string-exact" });
    const body = document(
      "SimpleMetadataDocument",
      "<field><key>sv</key><value>Swedish</value></field><field><key>en</key><value>English</value></field>",
    );
    expect((await admin.xml("PUT /API/metadata-field/news_lang/values", body)).status).toBe(200);
    const { json } = await admin.json("GET /API/metadata-field/news_lang/values");
    expect(json.field).toEqual([
      { key: "sv", value: "Swedish" },
      { key: "en", value: "English" },
    ]);
    const field = await admin.json("GET /API/metadata-field/news_lang?includeValues=1");
    expect(field.json.values.field).toHaveLength(2);
  });
});

describe("row 22: field groups", () => {
  test("are made without a body, and hold fields and groups", async () => {
    for (const path of ["film", "film", "cast"]) {
      expect((await admin.send(`PUT /API/metadata-field/field-group/${path}`, { accept: "*/*" })).status).toBe(200);
    }
    await admin.json("PUT /API/metadata-field/film_role", { type: "string" });
    expect((await admin.json("PUT /API/metadata-field/field-group/film/film_role")).status).toBe(200);
    expect((await admin.json("PUT /API/metadata-field/field-group/film/group/cast")).status).toBe(200);
    const names = (await admin.json("GET /API/metadata-field/field-group")).json.group.map((group: Json) => group.name);
    expect(names).toEqual(expect.arrayContaining(["film", "cast"]));
    const { json } = await admin.json("GET /API/metadata-field/field-group/film?traverse=true&data=all");
    expect(json).toMatchObject({
      name: "film",
      field: [{ name: "film_role", type: "string", schema: { min: 0, max: -1, name: "film_role" } }],
      group: [{ name: "cast" }],
    });
    const list = await admin.xml("GET /API/metadata-field/field-group/?content=true");
    expect(list.xml.name).toBe("MetadataFieldGroupListDocument");
    const film = childrenOf(list.xml, "group").find((group) => textAt(group, "name") === "film");
    expect(film && textAt(film, "field", "name")).toBe("film_role");
    const schema = film?.children.find(({ name }) => name === "field")?.children.find(({ name }) => name === "schema");
    expect(schema?.attributes).toMatchObject({ min: "0", max: "-1" });
  });

  test("are made with a document, which creates the fields that are missing", async () => {
    const body = document(
      "MetadataFieldGroupDocument",
      '<name>book</name><field><name>book_author</name><schema min="1" max="1" name="book_author"/><type>string</type></field>',
    );
    expect((await admin.xml("PUT /API/metadata-field/field-group/book", body)).status).toBe(200);
    expect((await admin.json("GET /API/metadata-field/book_author")).json).toMatchObject({ type: "string" });
    const { json } = await admin.json("GET /API/metadata-field/field-group/book");
    expect(json.field).toMatchObject([{ name: "book_author", schema: { min: 1, max: 1 } }]);
  });

  test("lose members, and go", async () => {
    expect((await admin.json("DELETE /API/metadata-field/field-group/film/film_role")).status).toBe(200);
    expect((await admin.json("DELETE /API/metadata-field/field-group/film/group/cast")).status).toBe(200);
    const { json } = await admin.json("GET /API/metadata-field/field-group/film");
    expect([json.field ?? [], json.group ?? []]).toEqual([[], []]);
    expect((await admin.json("DELETE /API/metadata-field/field-group/film")).status).toBe(200);
    expect((await admin.json("GET /API/metadata-field/field-group/film")).status).toBe(404);
  });

  test("instances are searched", async () => {
    const { id } = (
      await admin.json("POST /API/import/placeholder", {
        timespan: [
          {
            start: "-INF",
            end: "+INF",
            group: [{ name: "book", field: [{ name: "book_author", value: [{ value: "Selma" }] }] }],
          },
        ],
      })
    ).json;
    const { status, json } = await admin.json(
      "PUT /API/metadata-field/field-group?group=book&includeValue=true&includeSource=true",
      { field: [{ name: "book_author", value: [{ value: "selma" }] }] },
    );
    expect([status, json]).toMatchObject([
      200,
      {
        hits: 1,
        group: [{ name: "book", start: "-INF", end: "+INF", source: { id, type: expect.stringMatching(/item/i) } }],
      },
    ]);
  });

  test("instances are searched by the name of their group, and by groups within them", async () => {
    await admin.json("PUT /API/metadata-field/series_name", { type: "string" });
    await admin.json("PUT /API/metadata-field/series_part", { type: "string" });
    for (const path of ["series", "volume", "series/series_name", "volume/series_part", "series/group/volume"]) {
      expect((await admin.json(`PUT /API/metadata-field/field-group/${path}`)).status).toBe(200);
    }
    const field = (name: string, value: string) => [{ name, value: [{ value }] }];
    const volume = { name: "volume", field: field("series_part", "first") };
    const group = [
      { name: "series", field: field("series_name", "Sagas"), group: [volume] },
      { name: "series", mode: "add", field: field("series_name", "Poems") },
    ];
    const written = await admin.json("POST /API/import/placeholder", {
      timespan: [{ start: "-INF", end: "+INF", group }],
    });
    expect(written.status).toBe(200);

    const sagas = { name: "series", field: field("series_name", "sagas") };
    const cases: readonly (readonly [of: string, criteria: Json, found: readonly string[]])[] = [
      ["series", { group: [{ name: "series" }] }, ["series", "series"]],
      ["series", { group: [sagas] }, ["series"]],
      ["series", { group: [{ name: "series", field: field("series_name", "letters") }] }, []],
      ["series", { group: [{ name: "volume" }] }, ["series"]],
      ["series", { group: [{ ...sagas, group: [{ name: "volume" }] }] }, ["series"]],
      ["series", { group: [{ name: "series", group: [{ name: "series" }] }] }, []],
      ["series", { operator: { operation: "NOT", group: [sagas] } }, ["series"]],
      ["volume", { group: [volume] }, ["volume"]],
      ["volume", { group: [{ name: "series" }] }, []],
      ["series,volume", { group: [volume] }, ["series", "volume"]],
    ];
    for (const [of, criteria, found] of cases) {
      const { json } = await admin.json(`PUT /API/metadata-field/field-group?group=${of}`, criteria);
      const names = (json.group ?? []).map(({ name }: Json) => name).sort();
      expect([of, criteria, json.hits, names]).toEqual([of, criteria, found.length, found]);
    }
  });
});
