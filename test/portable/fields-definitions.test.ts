import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AssetApi, fieldsOf, openAssetApi } from "./asset-api.ts";

let api: AssetApi;
beforeEach(async () => {
  api = await openAssetApi();
});
afterEach(() => api.close());

describe("fields", () => {
  it("of the service are there from the start", async () => {
    const { body } = await api.admin("GET /metadata-field");
    const byName = new Map(body.field.map((field: { name: string }) => [field.name, field]));
    expect(byName.get("title")).toMatchObject({ type: "string-sortable", system: "false", origin: "VX" });
    expect(byName.get("itemId")).toMatchObject({ type: "string-exact", system: "true", inheritance: "false" });
    expect(byName.get("durationTimeCode")).toMatchObject({ type: "string-noindex", index: "noindex" });
    expect(byName.size).toBe(22);
  });

  it("are defined, changed and deleted", async () => {
    const made = await api.admin("PUT /metadata-field/news_rating", {
      body: {
        type: "integer",
        integerRestriction: { minInclusive: 1, maxInclusive: 5 },
        defaultValue: "3",
        data: [{ key: "extradata", value: "stars" }],
      },
    });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      name: "news_rating",
      type: "integer",
      integerRestriction: { minInclusive: 1, maxInclusive: 5 },
      defaultValue: "3",
      data: [{ key: "extradata", value: "stars" }],
      origin: "VX",
    });
    await api.admin("PUT /metadata-field/news_rating", { body: { type: "integer", inheritance: "true" } });
    const read = await api.admin("GET /metadata-field/news_rating?data=all&includeValues=true");
    expect(read.body).toMatchObject({
      defaultValue: "3",
      inheritance: "true",
      integerRestriction: { maxInclusive: 5 },
      data: [{ key: "extradata", value: "stars" }],
      values: {},
    });
    expect((await api.admin("DELETE /metadata-field/news_rating")).status).toBe(200);
    const gone = await api.admin("GET /metadata-field/news_rating");
    expect([gone.status, gone.body.notFound]).toEqual([404, { type: "namespace", id: "news_rating", context: null }]);
  });

  it.each([
    ["fieldone", { type: "string" }, "the name"],
    ["news_x", { type: "integer", stringRestriction: { maxLength: 3 } }, "no stringRestriction"],
    ["news_x", { type: "string", stringRestriction: { minLength: 5, maxLength: 3 } }, "above the upper"],
    ["news_x", { type: "string", stringRestriction: { pattern: "(a" } }, "not closed"],
    ["news_x", { type: "integer", defaultValue: "many" }, "whole number"],
    ["news_x", { type: "string", inheritance: "perhaps" }, "true or false"],
    ["news_x", { type: "colour" }, "one of string"],
    ["news_x", { name: "news_y", type: "string" }, "the path"],
    [`a_${"x".repeat(300)}`, { type: "string" }, "the name"],
  ])("called %s and defined as %j are refused", async (name, body, reason) => {
    const answer = await api.admin(`PUT /metadata-field/${name}`, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.invalidInput.explanation.toLowerCase()).toContain(reason.toLowerCase());
  });

  it("keep the kind of their values, and those of the service stay", async () => {
    await api.admin("PUT /metadata-field/news_note", { body: { type: "string" } });
    expect((await api.admin("PUT /metadata-field/news_note", { body: { type: "integer" } })).status).toBe(409);
    expect((await api.admin("PUT /metadata-field/news_note", { body: { type: "string-exact" } })).status).toBe(200);
    expect((await api.admin("PUT /metadata-field/itemId", { body: { type: "string" } })).status).toBe(409);
    expect((await api.admin("DELETE /metadata-field/itemId")).status).toBe(403);
  });

  it("have enumerations that are filtered by keys and values", async () => {
    await api.admin("PUT /metadata-field/news_kind", { body: { type: "string" } });
    const values = { field: ["news", "sport", "weather"].map((key) => ({ key, value: key.toUpperCase() })) };
    expect((await api.admin("PUT /metadata-field/news_kind/values", { body: values })).status).toBe(200);
    const keys = async (query: string) =>
      (await api.admin(`GET /metadata-field/news_kind/values${query}`)).body.field?.map(
        (one: { key: string }) => one.key,
      );
    expect(await keys("")).toEqual(["news", "sport", "weather"]);
    expect(await keys("?key-start=s")).toEqual(["sport"]);
    expect(await keys("?value-regex=E.*E")).toEqual(["weather"]);
    expect(await keys("?value-exact=NEWS")).toEqual(["news"]);
    expect(await keys("?hits=2")).toEqual(["news", "sport"]);
    expect((await api.admin("GET /metadata-field/news_kind?includeValues=true")).body.values.field).toHaveLength(3);
    expect((await api.admin("GET /metadata-field/news_none/values")).status).toBe(404);
  });

  it("have extra data, all of it and key by key", async () => {
    await api.admin("PUT /metadata-field/news_note", { body: { type: "string" } });
    await api.admin("PUT /metadata-field/news_note/colour", { body: "blue", type: "text/plain", accept: "*/*" });
    const read = await api.admin("GET /metadata-field/news_note/colour", { accept: "text/plain" });
    expect(read.body).toBe("blue");
    expect((await api.admin("GET /metadata-field/news_note/metadata")).body.field).toEqual([
      { key: "colour", value: "blue" },
    ]);
    expect((await api.admin("GET /metadata-field/news_note?data=colour")).body.data).toHaveLength(1);
    await api.admin("DELETE /metadata-field/news_note/colour");
    expect((await api.admin("GET /metadata-field/news_note/colour", { accept: "text/plain" })).status).toBe(404);
  });

  it("are described by an XML schema of the terse form", async () => {
    const { body, headers } = await api.admin("GET /metadata-field/terse-schema", { accept: "application/xml" });
    expect(headers.get("content-type")).toBe("application/xml");
    expect(body).toContain('<xs:element name="title" type="stringValue"/>');
    expect(body).toContain('targetNamespace="urn:test"');
  });

  it("defined on one instance are known at once to a write on another", async () => {
    await api.admin("GET /metadata-field");
    const { body: item } = await api.admin("POST /import/placeholder");
    const other = await api.another();
    const id = await other.ids.nextSerial("metadata-field");
    const change = other.change({ userName: "x" });
    change.add({
      sql: "insert into metadata_field (id, name, definition) values (?, 'news_new', ?)",
      args: [id, JSON.stringify({ type: "string", index: "index", fullText: true, inheritance: false, system: false })],
    });
    other.versions.bump(change, "metadata-field");
    await change.commit();
    const put = await api.admin(`PUT /item/${item.id}/metadata`, { body: fieldsOf({ news_new: "x" }) });
    expect(put.status).toBe(200);
  });
});

describe("field groups", () => {
  const define = (name: string, body?: unknown) => api.admin(`PUT /metadata-field/field-group/${name}`, { body });

  it("are made without a body, and again without harm", async () => {
    expect((await define("Asset")).status).toBe(200);
    expect((await define("Asset")).status).toBe(200);
    const { body } = await api.admin("GET /metadata-field/field-group");
    expect(body).toEqual({ group: [{ inheritance: "false", name: "Asset" }] });
  });

  it("are made with fields and groups in them, defining what is missing", async () => {
    const made = await define("Asset", {
      inheritance: "true",
      field: [
        { name: "title", schema: { min: 1, max: 1 } },
        { name: "news_note", type: "string" },
      ],
      group: [{ name: "news_shot", field: [{ name: "news_count", type: "integer" }] }],
    });
    expect(made.status).toBe(200);
    const { body } = await api.admin("GET /metadata-field/field-group/Asset?traverse=true");
    expect(body).toMatchObject({
      name: "Asset",
      inheritance: "true",
      schema: { min: 0, max: -1, name: "Asset" },
      field: [
        { name: "title", schema: { min: 1, max: 1, name: "title" } },
        { name: "news_note", type: "string", schema: { min: 0, max: -1 } },
      ],
      group: [{ name: "news_shot", field: [{ name: "news_count" }] }],
    });
    const list = await api.admin("GET /metadata-field/field-group?content=true");
    expect(list.body.group.map((one: { name: string }) => one.name)).toEqual(["Asset", "news_shot"]);
  });

  it("take fields and groups in and out", async () => {
    await define("Asset");
    await define("news_shot");
    expect((await api.admin("PUT /metadata-field/field-group/Asset/title")).status).toBe(200);
    expect((await api.admin("PUT /metadata-field/field-group/Asset/title")).status).toBe(200);
    expect((await api.admin("PUT /metadata-field/field-group/Asset/group/news_shot")).status).toBe(200);
    expect((await api.admin("GET /metadata-field/field-group/Asset")).body).toMatchObject({
      field: [{ name: "title" }],
      group: [{ name: "news_shot" }],
    });
    await api.admin("DELETE /metadata-field/field-group/Asset/title");
    await api.admin("DELETE /metadata-field/field-group/Asset/group/news_shot");
    const emptied = (await api.admin("GET /metadata-field/field-group/Asset")).body;
    expect([emptied.field, emptied.group]).toEqual([undefined, undefined]);
    expect((await api.admin("PUT /metadata-field/field-group/Asset/news_none")).status).toBe(404);
  });

  it("are emptied first with clear", async () => {
    await define("Asset", { field: [{ name: "title" }] });
    await api.admin("PUT /metadata-field/field-group/Asset?clear=true", { body: { field: [{ name: "created" }] } });
    const { body } = await api.admin("GET /metadata-field/field-group/Asset");
    expect(body.field.map((one: { name: string }) => one.name)).toEqual(["created"]);
  });

  it("never hold themselves", async () => {
    await define("a", { group: [{ name: "b", group: [{ name: "c" }] }] });
    expect((await api.admin("PUT /metadata-field/field-group/c/group/a")).status).toBe(409);
    expect((await api.admin("PUT /metadata-field/field-group/a/group/a")).status).toBe(409);
    expect((await define("x", { group: [{ name: "y", group: [{ name: "x" }] }] })).status).toBe(409);
  });

  it("are deleted, their fields stay", async () => {
    await define("Asset", { field: [{ name: "news_note", type: "string" }] });
    expect((await api.admin("DELETE /metadata-field/field-group/Asset")).status).toBe(200);
    expect((await api.admin("GET /metadata-field/field-group/Asset")).status).toBe(404);
    expect((await api.admin("GET /metadata-field/news_note")).status).toBe(200);
  });

  it.each(["a:b", "-a", "a,b", " a"])("called %j are refused", async (name) => {
    expect((await define(encodeURIComponent(name))).status).toBe(400);
  });

  it("put in by several at once are all there", async () => {
    await define("Asset");
    const names = Array.from({ length: 8 }, (_, index) => `news_f${index}`);
    for (const name of names) await api.admin(`PUT /metadata-field/${name}`, { body: { type: "string" } });
    const statuses = await Promise.all(
      names.map((name) => api.admin(`PUT /metadata-field/field-group/Asset/${name}`).then(({ status }) => status)),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    const { body } = await api.admin("GET /metadata-field/field-group/Asset");
    expect(body.field.map((one: { name: string }) => one.name).sort()).toEqual(names);
  });
});

describe("access lists of fields", () => {
  beforeEach(async () => {
    await api.store.database.batch(
      [
        { sql: "insert into user (name, created) values ('dora', 0)" },
        { sql: "insert into user_group (name, created) values ('editors', 0)" },
      ],
      "write",
    );
    await api.admin("PUT /metadata-field/news_secret", { body: { type: "string" } });
    await api.admin("PUT /metadata-field/news_open", { body: { type: "string" } });
  });

  it("hide, show and open a field for users and groups", async () => {
    const boss = api.as("boss");
    const { body: item } = await boss("POST /import/placeholder", {
      body: fieldsOf({ news_secret: "s", news_open: "o" }),
    });
    const seen = async (user: string) => {
      api.grants.set(`${user} item ${item.id.slice(3)}`, 2);
      const { body } = await api.as(user)(`GET /item/${item.id}/metadata?field=news_secret,news_open`);
      return (body.item[0].metadata.timespan?.[0].field ?? []).map((one: { name: string }) => one.name);
    };
    expect(await seen("carl")).toEqual(["news_secret", "news_open"]);
    await api.admin("POST /metadata-field/news_secret/access", { body: { group: "editors", permission: "READ" } });
    expect(await seen("carl")).toEqual(["news_open"]);
    api.groups.set("dora", new Set(["editors"]));
    expect(await seen("dora")).toEqual(["news_secret", "news_open"]);
    const path = `/item/${item.id}/metadata`;
    const write = { body: fieldsOf({ news_secret: "new", news_open: "new" }) };
    const refused = await api.as("dora")(`PUT ${path}`, write);
    expect([refused.status, refused.body.forbidden.id]).toEqual([403, "news_secret"]);
    const skipped = await api.as("dora")(`PUT ${path}?skipForbidden=true&onlyReturnChanges=true`, write);
    expect(skipped.body.item[0].metadata.timespan[0].field.map((one: { name: string }) => one.name)).toEqual([
      "news_open",
    ]);
    const { body: entry } = await api.admin("POST /metadata-field/news_secret/access", {
      body: { user: "dora", permission: "WRITE" },
    });
    expect((await api.as("dora")(`PUT ${path}`, write)).status).toBe(200);
    const { body: list } = await api.admin("GET /metadata-field/news_secret/access");
    expect(list.access.map((one: { permission: string }) => one.permission)).toEqual(["READ", "WRITE"]);
    await api.admin(`DELETE /metadata-field/news_secret/access/${entry.id}`);
    expect((await api.as("dora")(`PUT ${path}`, { body: fieldsOf({ news_secret: "again" }) })).status).toBe(403);
  });

  it("are told merged", async () => {
    await api.admin("POST /metadata-field/news_secret/access", { body: { user: "dora", permission: "WRITE" } });
    const merged = async (user: string) =>
      (await api.admin(`GET /metadata-field/news_secret/merged-access/?username=${user}`)).body.field;
    expect(await merged("dora")).toEqual([{ name: "news_secret", permission: "WRITE" }]);
    expect(await merged("carl")).toEqual([{ name: "news_secret", permission: "NONE" }]);
    const all = (await api.admin("GET /metadata-field/merged-access/?username=carl")).body.field;
    expect(all).toContainEqual({ name: "news_open", permission: "DELETE" });
    api.groups.set("root", new Set(["_administrator"]));
    expect(await merged("root")).toEqual([{ name: "news_secret", permission: "DELETE" }]);
  });

  it("are for a user or a group", async () => {
    const both = await api.admin("POST /metadata-field/news_secret/access", {
      body: { user: "a", group: "b", permission: "READ" },
    });
    expect(both.status).toBe(400);
    expect((await api.admin("POST /metadata-field/news_none/access", { body: { permission: "READ" } })).status).toBe(
      404,
    );
  });
});

describe("the validation schema", () => {
  it("checks what is written, and nothing when it is deleted", async () => {
    await api.admin("PUT /metadata-field/field-group/Asset", { body: { field: [{ name: "title" }] } });
    await api.admin("PUT /metadata-field/field-group/news_shot", {
      body: { field: [{ name: "news_note", type: "string" }] },
    });
    const schema = {
      group: [
        { name: "Asset", field: [{ name: "title", min: 1, max: 1 }] },
        { name: "news_shot", field: [{ name: "news_note", min: 1, max: 2 }] },
      ],
    };
    expect((await api.admin("PUT /metadata-schema", { body: schema })).status).toBe(200);
    expect((await api.admin("GET /metadata-schema")).body.group).toHaveLength(2);
    const { body: item } = await api.admin("POST /import/placeholder");
    const put = (body: unknown) => api.admin(`PUT /item/${item.id}/metadata`, { body });
    const shot = (...notes: string[]) => ({
      timespan: [
        {
          start: "0",
          end: "1",
          group: [
            {
              name: "news_shot",
              mode: "add",
              field: [{ name: "news_note", value: notes.map((value) => ({ value })) }],
            },
          ],
        },
      ],
    });
    expect((await put({ group: ["Asset"] })).body.invalidInput.explanation).toBe(
      "By the metadata schema a group Asset has at least 1 values of the field title, not 0",
    );
    expect((await put({ group: ["Asset"], ...fieldsOf({ title: "x" }) })).status).toBe(200);
    expect((await put(fieldsOf({ title: ["x", "y"] }))).status).toBe(400);
    expect((await put(shot("a"))).status).toBe(200);
    expect((await put(shot("a", "b", "c"))).status).toBe(400);
    await api.admin("DELETE /metadata-schema/news_shot");
    expect((await put(shot("a", "b", "c"))).status).toBe(200);
    await api.admin("DELETE /metadata-schema");
    expect((await put(fieldsOf({ title: ["x", "y"] }))).status).toBe(200);
  });

  it("is refused when no metadata could keep it", async () => {
    const body = { group: [{ name: "Asset", field: [{ name: "title", min: 2, max: 1 }] }] };
    expect((await api.admin("PUT /metadata-schema", { body })).status).toBe(400);
  });
});
