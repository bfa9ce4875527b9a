import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AssetApi, fieldsOf, openAssetApi, valuesOf } from "./asset-api.ts";

let api: AssetApi;
let id: string;
beforeEach(async () => {
  api = await openAssetApi();
  for (const name of ["news_note", "news_keyword"]) {
    await api.admin(`PUT /metadata-field/${name}`, { body: { type: "string" } });
  }
  await api.admin("PUT /metadata-field/field-group/news_shot", { body: { field: [{ name: "news_note" }] } });
  id = (await api.admin("POST /import/placeholder", { body: fieldsOf({ title: "one" }) })).body.id;
});
afterEach(() => api.close());

const put = (body: unknown, query = "") => api.admin(`PUT /item/${id}/metadata${query}`, { body });
const get = async (query = "") => (await api.admin(`GET /item/${id}/metadata${query}`)).body.item[0].metadata;
const changes = async () => (await api.admin(`GET /item/${id}/metadata/changes`)).body.changeSet;

describe("a write", () => {
  it("answers the whole metadata, or only what it changed", async () => {
    const whole = await put(fieldsOf({ title: "two" }));
    expect(valuesOf(whole.body.item[0].metadata, "itemId")).toEqual([id]);
    const part = await put(fieldsOf({ title: "three", news_note: "n" }), "?onlyReturnChanges=true");
    const fields = part.body.item[0].metadata.timespan[0].field.map((field: { name: string }) => field.name);
    expect(fields).toEqual(["title", "news_note"]);
    const nothing = await put(fieldsOf({ title: "three" }), "?onlyReturnChanges=true");
    expect(nothing.body.item[0].metadata.timespan).toBeUndefined();
  });

  it("is one change set and one event, and none when it changes nothing", async () => {
    const [before, events] = [(await changes()).length, api.events.length];
    await put(fieldsOf({ title: "two", news_keyword: ["a", "b"] }));
    await put(fieldsOf({ title: "two" }));
    const after = await changes();
    expect(after).toHaveLength(before + 1);
    expect(api.events.slice(events).map(({ keys }) => keys)).toEqual([
      { title: "two", news_keyword: ["a", "b"], itemId: id, changeSetId: after.at(-1).id },
    ]);
  });

  it("tells in its event where it wrote, and what is gone", async () => {
    await put({
      timespan: [
        {
          start: "250@PAL",
          end: "500@PAL",
          group: [
            { name: "news_shot", field: [{ name: "news_note", track: "V1", value: [{ value: "wide", lang: "en" }] }] },
          ],
        },
        { field: [{ name: "title" }] },
      ],
    });
    const event = api.events.at(-1);
    expect(event?.keys).toMatchObject({ title: "", news_note: "wide" });
    expect(event?.detail).toMatchObject({
      kind: "item",
      touched: [
        {
          field: "news_note",
          groups: ["news_shot"],
          track: "V1",
          language: "en",
          text: "wide",
          span: { start: { text: "250@PAL" } },
        },
        { field: "title", groups: [] },
      ],
    });
  });

  it("in XML reads as it was written", async () => {
    const body = `<MetadataDocument xmlns="http://xml.vidispine.com/schema/vidispine">
      <timespan start="250@PAL" end="500@PAL">
        <group mode="add"><name>news_shot</name><field track="V1"><name>news_note</name><value lang="en">wide &amp; slow</value></field></group>
      </timespan></MetadataDocument>`;
    const answer = await api.admin(`PUT /item/${id}/metadata`, {
      body,
      type: "application/xml",
      accept: "application/xml",
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatch(
      /^<\?xml [^>]*\?>\s*<MetadataListDocument xmlns="urn:test"><item id="VX-1"><metadata><revision>/,
    );
    expect(answer.body).toMatch(
      /<timespan start="250@PAL" end="500@PAL"><group uuid="[^"]+" user="admin" timestamp="2026-01-02T03:04:05.000\+00:00" change="VX-4"><name>news_shot<\/name><field [^>]*track="V1"><name>news_note<\/name><value [^>]*lang="en">wide &amp; slow<\/value>/,
    );
    const terse = await api.admin(`GET /item/${id}/metadata?terse=true&field=title`, { accept: "application/xml" });
    expect(terse.body).toMatch(
      /<TerseMetadataListDocument xmlns="urn:test"><item id="VX-1"><title start="-INF" end="\+INF" uuid="[^"]+">one<\/title><\/item><\/TerseMetadataListDocument>/,
    );
    const terseJson = await api.admin(`GET /item/${id}/metadata?terse=true&field=title`);
    expect(terseJson.body.item[0].title[0].value).toBe("one");
  });

  it("refuses a projection that does not exist", async () => {
    expect((await api.admin(`GET /item/${id}/metadata;projection=mine`)).body.notFound).toMatchObject({
      type: "projection",
      id: "mine",
    });
    expect((await put(fieldsOf({ title: "x" }), "?projection=default")).status).toBe(200);
  });

  it("costs as many statements however large the document is", async () => {
    const counts: number[] = [];
    const { database } = api.store;
    const batch = database.batch.bind(database);
    for (const size of [1, 1000]) {
      Object.assign(database, {
        batch: (statements: readonly unknown[], mode: "read" | "write") => {
          if (mode === "write") counts.push(statements.length);
          return batch(statements as never, mode);
        },
      });
      const values = Array.from({ length: size }, (_, index) => ({ value: `v${index}`, lang: `x-${index}` }));
      await put({ timespan: [{ field: [{ name: "title", value: values }] }] });
    }
    Object.assign(database, { batch });
    const [small = 0, large = 0] = counts.filter((count) => count > 3);
    expect(large).toBeLessThanOrEqual(small + 2);
  });
});

describe("writers at once", () => {
  it("both land when they write different fields, and none is lost when they add to one", async () => {
    const writes = Array.from({ length: 30 }, (_, index) =>
      put({ timespan: [{ field: [{ name: "news_keyword", value: [{ value: `k${index}`, mode: "add" }] }] }] }),
    );
    const statuses = await Promise.all([...writes, put(fieldsOf({ news_note: "n" })), put(fieldsOf({ title: "t" }))]);
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
    const metadata = await get();
    expect([...valuesOf(metadata, "news_keyword")].sort()).toEqual(
      Array.from({ length: 30 }, (_, i) => `k${i}`).sort(),
    );
    expect([valuesOf(metadata, "title"), valuesOf(metadata, "news_note")]).toEqual([["t"], ["n"]]);
  });

  it("of two instances lose nothing either", async () => {
    const { createEditMetadata } = await import("../../src/assets/metadata/metadata-editing.ts");
    const { putMetadata } = await import("../../src/assets/metadata/put-metadata.ts");
    const stores = [api.store, await api.another()];
    const edits = stores.map((store) => {
      const environment = { ...api.environment, store };
      return { environment, edit: createEditMetadata(environment), store };
    });
    await Promise.all(
      edits.map(async ({ environment, edit, store }, instance) => {
        for (let count = 0; count < 10; count++) {
          const value = [{ value: `${instance}-${count}`, mode: "add" as const }];
          const document = { timespan: [{ field: [{ name: "news_keyword", value }] }] };
          const editor = { change: () => store.change({ userName: "x" }) };
          await putMetadata(environment, edit, editor, { kind: "item", serial: 1 }, document);
        }
      }),
    );
    expect(new Set(valuesOf(await get(), "news_keyword")).size).toBe(20);
  });

  it("from one revision conflict where they meet, and only there", async () => {
    const { revision } = await get();
    expect((await put(fieldsOf({ title: "theirs" }))).status).toBe(200);
    const clash = await put({ ...fieldsOf({ title: "mine" }), revision });
    expect([clash.status, clash.body.conflict]).toMatchObject([
      409,
      {
        context: "revision",
        explanation: "The field title has been changed since the revision that the write is based on",
      },
    ]);
    expect((await put(fieldsOf({ news_note: "mine" }), `?revision=${revision}`)).status).toBe(200);
    expect((await put(fieldsOf({ title: "mine" }))).status).toBe(200);
    const metadata = await get();
    expect([valuesOf(metadata, "title"), valuesOf(metadata, "news_note")]).toEqual([["mine"], ["mine"]]);
    expect((await put({ ...fieldsOf({ title: "again" }), revision: metadata.revision })).status).toBe(200);
    expect((await put({ ...fieldsOf({ title: "x" }), revision: "VX-9999" })).status).toBe(409);
  });

  it("either land or get a conflict by their revision, in any mix", async () => {
    let round = 0;
    const writer = fc.record({ field: fc.constantFrom("news_note", "news_keyword"), based: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(writer, { minLength: 2, maxLength: 6 }), async (writers) => {
        const { revision } = await get();
        const base = round++ * 100;
        const outcomes = await Promise.all(
          writers.map(async ({ field, based }, index) => {
            const text = `v${base + index}`;
            const value = [{ value: text, mode: "add" }];
            const body = { ...(based ? { revision } : {}), timespan: [{ field: [{ name: field, value }] }] };
            return { field, based, text, status: (await put(body)).status };
          }),
        );
        const metadata = await get();
        for (const { field, based, text, status } of outcomes) {
          expect(based ? [200, 409] : [200]).toContain(status);
          expect(valuesOf(metadata, field).includes(text)).toBe(status === 200);
        }
        // Of those from one revision at one field, one lands at most.
        for (const name of ["news_note", "news_keyword"]) {
          const landed = outcomes.filter(({ field, based, status }) => field === name && based && status === 200);
          expect(landed.length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 15 },
    );
  });

  it("conflict also with a removal", async () => {
    await put(fieldsOf({ news_note: "n" }));
    const { revision } = await get();
    await put({ timespan: [{ field: [{ name: "news_note" }] }] });
    expect((await put({ ...fieldsOf({ news_note: "m" }), revision })).status).toBe(409);
  });
});

describe("the history", () => {
  beforeEach(async () => {
    await put(fieldsOf({ title: "two", news_keyword: ["a", "b"] }));
    await put(fieldsOf({ title: "three" }));
    await put({ timespan: [{ field: [{ name: "news_keyword" }] }] });
  });

  it("shows each set with what it added and took away", async () => {
    const sets = await changes();
    expect(sets).toHaveLength(6);
    const shown = sets.slice(3).map(
      (set: {
        metadata: {
          timespan: { field: { name: string; mode?: string; value: { value: string; mode?: string }[] }[] }[];
        };
      }) =>
        set.metadata.timespan.flatMap((timespan) =>
          timespan.field.flatMap((field) =>
            field.value.map(({ value, mode = "add" }) => `${mode} ${field.name}=${value}`),
          ),
        ),
    );
    expect(shown).toEqual([
      ["add title=two", "add news_keyword=a", "add news_keyword=b", "remove title=one"],
      ["add title=three", "remove title=two"],
      ["remove news_keyword=a", "remove news_keyword=b"],
    ]);
    const one = await api.admin(`GET /item/${id}/metadata/changes/${sets[4].id}`);
    expect(one.body.changeSet).toHaveLength(1);
    const page = await api.admin(`GET /item/${id}/metadata/changes?first=2&number=2`);
    expect(page.body.changeSet.map((set: { id: string }) => set.id)).toEqual([sets[1].id, sets[2].id]);
    const named = await api.admin(`GET /item/${id}/metadata/changes?change=${sets[0].id},${sets[5].id}`);
    expect(named.body.changeSet).toHaveLength(2);
    expect((await api.admin(`GET /item/${id}/metadata/changes/VX-999`)).status).toBe(404);
  });

  it("gives the metadata as of a revision", async () => {
    const sets = await changes();
    const then = await get(`?revision=${sets[3].id}`);
    expect([valuesOf(then, "title"), valuesOf(then, "news_keyword")]).toEqual([["two"], ["a", "b"]]);
    const whole = await api.admin(`GET /item/${id}?content=metadata&revision=${sets[0].id}`);
    expect(valuesOf(whole.body.metadata, "title")).toEqual(["one"]);
    expect((await api.admin(`GET /item/${id}/metadata?revision=VX-999`)).status).toBe(404);
  });

  it("compares two states", async () => {
    const sets = await changes();
    const flags = async (path: string) =>
      ((await api.admin(`GET /item/${id}/metadata/changes/${path}`)).body.timespan ?? []).flatMap(
        (timespan: { field: { name: string; mode?: string; value: { value: string; mode?: string }[] }[] }) =>
          timespan.field.flatMap((field) =>
            field.value.map((value) => `${value.mode ?? field.mode} ${field.name}=${value.value}`),
          ),
      );
    expect(await flags(`${sets[4].id}/compareTo/previous`)).toEqual(["remove title=two", "add title=three"]);
    expect(await flags(`${sets[5].id}/compareTo/${sets[2].id}`)).toEqual(["remove title=one", "add title=three"]);
    expect(await flags(`${sets[5].id}/compareTo/${sets[5].id}`)).toEqual([]);
    expect(await flags(`${sets[3].id}/compareTo/${sets[5].id}?field=news_keyword`)).toEqual([
      "add news_keyword=a",
      "add news_keyword=b",
    ]);
  });

  it("is undone set by set", async () => {
    const sets = await changes();
    const undone = await api.admin(`DELETE /item/${id}/metadata/changes/${sets[5].id}`);
    expect(valuesOf(undone.body, "news_keyword")).toEqual(["a", "b"]);
    await api.admin(`DELETE /item/${id}/metadata/changes/${sets[3].id}`);
    const metadata = await get();
    expect([valuesOf(metadata, "title"), valuesOf(metadata, "news_keyword")]).toEqual([["three"], []]);
    expect((await changes()).map((set: { id: string }) => set.id)).toEqual([
      sets[0].id,
      sets[1].id,
      sets[2].id,
      sets[4].id,
    ]);
    await api.admin(`DELETE /item/${id}/metadata/changes/${sets[4].id}`);
    expect(valuesOf(await get(), "title")).toEqual(["one"]);
    expect(api.events.at(-1)?.keys).toMatchObject({ title: "one", changeSetId: sets[4].id });
    expect((await put(fieldsOf({ title: "four" }))).status).toBe(200);
    expect(valuesOf(await get(), "title")).toEqual(["four"]);
  });

  it("takes another document in the place of a set", async () => {
    const sets = await changes();
    const put2 = await api.admin(`PUT /item/${id}/metadata/changes/${sets[3].id}`, {
      body: fieldsOf({ news_note: "instead" }),
    });
    expect(put2.status).toBe(200);
    const metadata = await get();
    expect([valuesOf(metadata, "title"), valuesOf(metadata, "news_note")]).toEqual([["three"], ["instead"]]);
    const then = await get(`?revision=${sets[3].id}`);
    expect([valuesOf(then, "title"), valuesOf(then, "news_note")]).toEqual([["one"], ["instead"]]);
    const list = await api.admin(`PUT /item/${id}/metadata/changes`, {
      body: {
        changeSet: [
          { id: sets[4].id, metadata: fieldsOf({ title: "four" }) },
          { metadata: fieldsOf({ news_keyword: "z" }) },
        ],
      },
    });
    expect(list.body.changeSet).toHaveLength(2);
    expect([valuesOf(await get(), "title"), valuesOf(await get(), "news_keyword")]).toEqual([["four"], ["z"]]);
  });

  it("is trimmed to what is current", async () => {
    const before = await get();
    const trimmed = await api.admin(`PUT /item/${id}/metadata/changes/trim`);
    const shown = trimmed.body.changeSet.map((set: { metadata: { timespan?: { field: { name: string }[] }[] } }) =>
      (set.metadata.timespan ?? []).flatMap((timespan) => timespan.field.map((field) => field.name)),
    );
    expect(shown).toEqual([["itemId", "created", "mediaType"], ["shapeTag"], ["title"], []]);
    expect({ ...(await get()), revision: "" }).toEqual({ ...before, revision: "" });
    await put(fieldsOf({ title: "four" }));
    const [, , , last] = await changes();
    expect((await api.admin(`PUT /item/${id}/metadata/changes/${last.id}/trim`)).status).toBe(200);
    expect(valuesOf(await get(), "title")).toEqual(["four"]);
  });

  it("is drawn as a graph", async () => {
    const { body, headers } = await api.admin(`GET /item/${id}/metadata/graph/dot`, { accept: "text/vnd.graphviz" });
    expect(headers.get("content-type")).toContain("text/vnd.graphviz");
    expect(body).toMatch(/^digraph metadata \{\n/);
    expect(body).toContain('label="title", shape=box');
    expect(body).toContain("subgraph cluster_0");
    await put(fieldsOf({ title: 'a "quoted" \\ title' }));
    expect((await api.admin(`GET /item/${id}/metadata/graph/dot?groupBy=none`, { accept: "*/*" })).body).toContain(
      '"a \\"quoted\\" \\\\ title"',
    );
  });
});

describe("single entries", () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document of JSON
  const fieldIn = (metadata: any, name: string) =>
    metadata.timespan[0].field.find((one: { name: string }) => one.name === name);

  it("are changed by uuid", async () => {
    await put(fieldsOf({ news_keyword: ["a", "b"] }));
    const value = fieldIn(await get(), "news_keyword").value[0];
    const changed = await api.admin(`PUT /item/${id}/metadata/entry/${value.uuid}`, {
      body: { value: { value: "c" } },
    });
    expect(fieldIn(changed.body, "news_keyword").value.map((one: { value: string }) => one.value)).toEqual(["c", "b"]);
    expect(fieldIn(changed.body, "news_keyword").value[0].uuid).toBe(value.uuid);
    const field = fieldIn(changed.body, "title");
    const both = await api.admin(`PUT /item/${id}/metadata/entry`, {
      body: {
        entry: [
          { value: { uuid: value.uuid, mode: "remove" } },
          { field: { uuid: field.uuid, value: [{ value: "new", mode: "add" }] } },
        ],
      },
    });
    expect([valuesOf(both.body, "news_keyword"), valuesOf(both.body, "title")]).toEqual([["b"], ["one", "new"]]);
  });

  it("are changed all or none", async () => {
    const { uuid } = fieldIn(await get(), "title").value[0];
    const bad = await api.admin(`PUT /item/${id}/metadata/entry`, {
      body: {
        entry: [{ value: { uuid, value: "changed" } }, { value: { uuid: `${uuid.slice(0, -4)}ffff`, value: "x" } }],
      },
    });
    expect(bad.status).toBe(404);
    expect(valuesOf(await get(), "title")).toEqual(["one"]);
    const wrong = await api.admin(`PUT /item/${id}/metadata/entry/${uuid}`, { body: { field: { value: [] } } });
    expect([wrong.status, wrong.body.invalidInput.explanation]).toEqual([
      400,
      `The entry ${uuid} is a value, and the document has none`,
    ]);
  });

  it("groups and fields move between timespans, values do not", async () => {
    await put({
      timespan: [
        {
          start: "0",
          end: "1",
          group: [{ name: "news_shot", field: [{ name: "news_note", value: [{ value: "n" }] }] }],
        },
      ],
    });
    const timed = (await get()).timespan.find((timespan: { start: string }) => timespan.start === "0");
    const moved = await api.admin(`PUT /item/${id}/metadata/move?uuid=${timed.group[0].uuid}&start=50@PAL&end=75@PAL`);
    expect(moved.body.timespan.map((timespan: { start: string }) => timespan.start)).toEqual(["-INF", "50@PAL"]);
    expect(moved.body.timespan[1].group[0]).toMatchObject({
      uuid: timed.group[0].uuid,
      field: [{ value: [{ value: "n" }] }],
    });
    const title = fieldIn(moved.body, "title");
    await api.admin(`PUT /item/${id}/metadata/move?uuid=${title.uuid}&start=3&end=4`);
    expect(valuesOf(await get(), "title")).toEqual([]);
    await api.admin(`PUT /item/${id}/metadata/move?uuid=${title.uuid}`);
    expect(valuesOf(await get(), "title")).toEqual(["one"]);
    expect((await api.admin(`PUT /item/${id}/metadata/move?uuid=${title.value[0].uuid}&start=3&end=4`)).status).toBe(
      400,
    );
    const sets = await changes();
    const then = await get(`?revision=${sets.at(-2).id}`);
    expect(then.timespan.map((timespan: { start: string }) => timespan.start)).toEqual(["-INF", "50@PAL", "3"]);
  });
});

describe("locks on fields", () => {
  it("hold others off from those fields until they end", async () => {
    api.grants.set("carl item 1", 4);
    const carl = api.as("carl");
    const lock = await carl(`POST /item/${id}/metadata-lock?field=title,news_note&timeout=30`);
    expect(lock.body).toEqual({
      id: "VX-1",
      user: "carl",
      expires: "2026-01-02T03:04:35.000+0000",
      field: ["title", "news_note"],
    });
    const refused = await put(fieldsOf({ title: "x" }));
    expect([refused.status, refused.body.conflict]).toMatchObject([
      409,
      { explanation: "The field title is locked by carl" },
    ]);
    expect((await put(fieldsOf({ news_keyword: "x" }))).status).toBe(200);
    expect((await carl(`PUT /item/${id}/metadata`, { body: fieldsOf({ title: "x" }) })).status).toBe(200);
    expect((await api.admin(`POST /item/${id}/metadata-lock?field=title`)).status).toBe(409);
    expect((await api.admin(`POST /item/${id}/metadata-lock?field=news_keyword`)).status).toBe(200);
    expect((await api.admin(`GET /item/${id}/metadata-lock`)).body.lock).toHaveLength(2);
    expect((await carl(`PUT /item/${id}/metadata-lock/VX-1?timeout=90`)).body.expires).toBe(
      "2026-01-02T03:05:35.000+0000",
    );
    api.clock.now += 60_000;
    expect((await put(fieldsOf({ title: "y" }))).status).toBe(409);
    expect((await api.admin(`DELETE /item/${id}/metadata-lock/VX-1`)).status).toBe(200);
    expect((await put(fieldsOf({ title: "y" }))).status).toBe(200);
    expect((await api.admin(`GET /item/${id}/metadata-lock/VX-1`)).status).toBe(404);
  });

  it("on all fields, when none is named", async () => {
    api.grants.set("carl item 1", 4);
    await api.as("carl")(`POST /item/${id}/metadata-lock`);
    expect((await put(fieldsOf({ news_note: "x" }))).status).toBe(409);
    const text = await api.admin(`GET /item/${id}/metadata-lock`, { accept: "text/plain" });
    expect(text.body).toBe("VX-1\tcarl\t2026-01-02T03:05:05.000Z\t\r\n");
  });
});

describe("documents and global metadata", () => {
  it("documents are made, listed, read, changed and deleted by name", async () => {
    const made = await api.admin("PUT /document/a%20b", { body: fieldsOf({ title: "x" }) });
    expect(valuesOf(made.body, "title")).toEqual(["x"]);
    await api.admin("PUT /document/empty", { body: {} });
    const { body } = await api.admin("GET /document");
    expect(body).toEqual({
      hits: 2,
      document: [
        { name: "a b", uri: "http://kinora.test/document/a%20b" },
        { name: "empty", uri: "http://kinora.test/document/empty" },
      ],
    });
    await api.admin("PUT /document/a%20b", { body: fieldsOf({ title: "y" }) });
    expect(valuesOf((await api.admin("GET /document/a%20b")).body, "title")).toEqual(["y"]);
    expect((await api.admin("GET /document/a%20b/changes")).body.changeSet).toHaveLength(2);
    expect((await api.admin("GET /document/empty")).body).toEqual({});
    expect((await api.admin("DELETE /document/a%20b")).status).toBe(200);
    expect((await api.admin("GET /document/a%20b")).status).toBe(404);
    expect(api.events.filter(({ entity }) => entity === "document").map(({ action }) => action)).toEqual([
      "CREATE",
      "MODIFY",
      "CREATE",
      "MODIFY",
      "DELETE",
    ]);
  });

  it("a document is not made when its metadata is refused", async () => {
    expect((await api.admin("PUT /document/x", { body: fieldsOf({ news_none: "x" }) })).status).toBe(404);
    expect((await api.admin("GET /document/x")).status).toBe(404);
  });

  it("a document made by several at once is one, with all that they wrote", async () => {
    const names = ["title", "news_note", "news_keyword"];
    const answers = await Promise.all(
      names.map((name) => api.admin("PUT /document/x", { body: fieldsOf({ [name]: "v" }) })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body } = await api.admin("GET /document/x");
    expect(names.map((name) => valuesOf(body, name))).toEqual([["v"], ["v"], ["v"]]);
  });

  it("global metadata is there from the start, its entries have addresses", async () => {
    expect((await api.admin("GET /metadata")).body).toEqual({});
    const shot = {
      timespan: [{ group: [{ name: "news_shot", field: [{ name: "news_note", value: [{ value: "wide" }] }] }] }],
    };
    const { body } = await api.admin("PUT /metadata", { body: shot });
    const { uuid } = body.timespan[0].group[0];
    const entry = await api.admin(`GET /metadata/${uuid}`);
    expect(entry.body).toMatchObject({
      group: { uuid, name: "news_shot" },
      source: { type: "global", loc: "http://kinora.test/metadata" },
    });
    const value = body.timespan[0].group[0].field[0].value[0];
    expect((await api.admin(`GET /metadata/${value.uuid}`)).body.value.value).toBe("wide");
    expect((await api.admin(`DELETE /metadata/${uuid}`)).status).toBe(200);
    expect((await api.admin(`GET /metadata/${uuid}`)).status).toBe(404);
    expect((await api.admin("GET /metadata/nonsense")).status).toBe(404);
  });

  it("entries of items have addresses for those who may read them", async () => {
    const field = (await get()).timespan[0].field[0];
    expect((await api.admin(`GET /metadata/${field.uuid}`)).body.source).toEqual({
      id,
      type: "item",
      loc: `http://kinora.test/item/${id}`,
    });
    expect((await api.as("carl")(`GET /metadata/${field.uuid}`)).status).toBe(404);
    expect((await api.admin(`DELETE /metadata/${field.uuid}`)).status).toBe(404);
  });
});

describe("references", () => {
  async function person(): Promise<string> {
    const shot = {
      timespan: [
        { group: [{ name: "news_shot", mode: "add", field: [{ name: "news_note", value: [{ value: "Ada" }] }] }] },
      ],
    };
    return (await api.admin("PUT /metadata", { body: shot })).body.timespan[0].group.at(-1).uuid;
  }

  it("show what they lead to, and are found by it, also when it changes", async () => {
    const uuid = await person();
    await put({ timespan: [{ group: [{ name: "news_shot", reference: uuid }] }] });
    const shown = (await get()).timespan[0].group[0];
    expect(shown).toMatchObject({ referenced: { type: "global", uuid }, field: [{ value: [{ value: "Ada" }] }] });
    const notes = () =>
      [...(api.indexed.get(9) ?? [])].filter(([key]) => key.includes("news_note")).map(([, text]) => text);
    expect(notes()).toEqual(["Ada"]);
    await api.admin("PUT /metadata", {
      body: { timespan: [{ group: [{ uuid, field: [{ name: "news_note", value: [{ value: "Bo" }] }] }] }] },
    });
    expect(notes()).toEqual(["Bo"]);
    await api.admin(`DELETE /metadata/${uuid}`);
    expect(notes()).toEqual([]);
    expect((await get()).timespan[0].group[0]).toMatchObject({ reference: uuid });
  });

  it("that lead nowhere, or where the caller may not read, are refused", async () => {
    await person();
    // Not a neighbour of one that is there: entries made together have neighbouring ones.
    const nowhere = "00000000-0000-4000-8000-000000000000";
    const refused = await put({ timespan: [{ group: [{ name: "news_shot", reference: nowhere }] }] });
    expect([refused.status, refused.body.notFound]).toMatchObject([404, { type: "metadata-entry", id: nowhere }]);
    const field = (await get()).timespan[0].field[0];
    const { body: own } = await api.as("carl")("POST /import/placeholder");
    const carl = api.as("carl");
    const reference = { body: { timespan: [{ field: [{ name: "title", reference: field.uuid }] }] } };
    expect((await carl(`PUT /item/${own.id}/metadata`, reference)).status).toBe(404);
    api.grants.set("carl item 1", 1);
    expect((await carl(`PUT /item/${own.id}/metadata`, reference)).status).toBe(200);
    expect(valuesOf((await carl(`GET /item/${own.id}/metadata`)).body.item[0].metadata, "title")).toEqual(["one"]);
    api.grants.clear();
    const hidden = (await carl(`GET /item/${own.id}/metadata`)).body.item[0].metadata;
    const shown = hidden.timespan[0].field.find((one: { name: string }) => one.name === "title");
    expect(shown.reference).toBe(field.uuid);
    expect(shown.value).toBeUndefined();
  });
});
