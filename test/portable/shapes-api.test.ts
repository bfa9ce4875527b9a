import { describe, expect, test } from "vitest";
import { type MediaApi, openMediaApi } from "./media-api.ts";

/** The values of a field of an item, the transient ones included. */
async function field({ admin }: MediaApi, item: string, name: string): Promise<readonly string[]> {
  const { body } = await admin(`GET /item/${item}/metadata?terse=true&field=${name}`);
  return (body.item[0][name] ?? body.item[0].terse?.[name] ?? []).map(({ value }: { value: string }) => value);
}

/** The events of shapes since the last call: action and keys. */
function shapeEvents({ events }: MediaApi): readonly unknown[] {
  const found = events.filter(({ entity }) => entity === "shape").map(({ action, keys }) => [action, keys]);
  events.length = 0;
  return found;
}

/** A shape with a container and two tracks, all in one file. */
const described = (file: string) => ({
  tag: ["original"],
  mimeType: ["video/mp4"],
  metadata: { field: [{ key: "origin", value: "camera 2" }] },
  containerComponent: {
    file: [{ id: file }],
    metadata: [{ key: "start_timecode", value: "0" }],
    duration: { samples: 4_440_000, timeBase: { numerator: 1, denominator: 1_000_000 } },
    format: "mov,mp4,m4a",
  },
  videoComponent: [
    { file: [{ id: file }], codec: "h264", resolution: { width: 640, height: 360 }, bitrate: 5_000_000_000 },
  ],
  audioComponent: [{ file: [{ id: file }], codec: "aac", channelCount: 2 }],
});

const createShape = async (api: MediaApi, item: string, name = "harbour.mp4", query = "") => {
  const file = await api.file(name, { hash: "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709" });
  const { body } = await api.admin(`POST /item/${item}/shape/create${query}`, { body: described(file) });
  return { file, shape: body };
};

describe("placeholder shapes", () => {
  test("a placeholder item has one, whose components wait for their files", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item("?container=1&video=1&audio=2&frameDuration=1@25");
    const [id] = (await admin(`GET /item/${item}/shape?placeholder=true`)).body.uri;
    expect(shapeEvents(api)).toEqual([
      ["CREATE", { notificationType: "shape", notificationTrigger: "CREATE", itemId: item, shapeId: id }],
    ]);
    expect((await admin(`GET /item/${item}/shape`)).body).toEqual({});
    const whole = (await admin(`GET /item/${item}/shape/${id}?includePlaceholder=true`)).body;
    expect(whole).toMatchObject({ id, essenceVersion: 0, tag: ["original"] });
    expect(whole.audioComponent).toHaveLength(2);
    expect(whole.videoComponent[0].timeBase).toEqual({ numerator: 1, denominator: 25 });
    expect((await admin(`GET /item/${item}/shape/${id}`)).body.audioComponent).toBeUndefined();
    expect(await field(api, item, "__placeholder_shape_size")).toEqual(["1"]);
    expect(await field(api, item, "__shape_size")).toEqual(["0"]);
    expect(await field(api, item, "shapeTag")).toEqual(["original"]);
  });

  test("a file that is adopted fills the component that waits for it, and there is no room for a second", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item("?container=1");
    const [first, second] = [await api.file("a.mp4"), await api.file("b.mp4")];
    expect((await admin(`POST /import/placeholder/${item}/video/adopt/${first}`)).body).toMatchObject({
      invalidInput: { context: "job", value: "VIDEO_COMPONENT" },
    });
    expect((await admin(`POST /import/placeholder/${item}/container/adopt/${first}`)).status).toBe(200);
    expect((await admin(`GET /item/${item}/uri`)).body).toEqual({ uri: ["file:///mnt/a/a.mp4"] });
    expect(await field(api, item, "__shape_size")).toEqual(["1"]);
    expect(await field(api, item, "__placeholder_shape_size")).toEqual(["0"]);
    expect((await admin(`POST /import/placeholder/${item}/container/adopt/${first}`)).status).toBe(409);
    expect((await admin(`POST /import/placeholder/${item}/container/adopt/${second}`)).status).toBe(400);
    expect((await admin(`POST /import/placeholder/${item}/container/adopt/VX-999`)).status).toBe(404);
  });

  test("their number is changed without touching what has files", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    const { body: id } = await admin(`POST /item/${item}/shape/placeholder?tag=original&container=1&audio=2`, {
      accept: "text/plain",
    });
    expect(id).toMatch(/^VX-\d+$/);
    expect((await admin(`PUT /item/${item}/shape/${id}/placeholder?audio=3&video=1`)).status).toBe(200);
    const whole = (await admin(`GET /item/${item}/shape/${id}?includePlaceholder=true`)).body;
    expect([whole.audioComponent.length, whole.videoComponent.length]).toEqual([3, 1]);
    expect(whole.containerComponent).toBeDefined();
    expect((await admin(`PUT /item/${item}/shape/${id}/placeholder?container=2`)).status).toBe(400);
    for (const query of ["audio=1001", "audio=600&video=600", "container=2", "frameDuration=-INF&video=1"]) {
      const refused = await admin(`POST /item/${item}/shape/placeholder?${query}`, { accept: "text/plain" });
      expect(refused.status, query).toBe(400);
    }
  });
});

describe("shapes from documents", () => {
  test("are shown as they were given, with their files, in JSON and XML", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    const { file, shape } = await createShape(api, item);
    expect(shape).toMatchObject({
      essenceVersion: 0,
      tag: ["original"],
      mimeType: ["video/mp4"],
      metadata: { field: [{ key: "origin", value: "camera 2" }] },
      containerComponent: {
        file: [{ id: file, uri: ["file:///mnt/a/harbour.mp4"], state: "CLOSED", refreshFlag: 1 }],
        metadata: [{ key: "start_timecode", value: "0" }],
        format: "mov,mp4,m4a",
      },
      videoComponent: [{ codec: "h264", bitrate: 5_000_000_000 }],
    });
    expect((await admin(`GET /item/${item}/shape/${shape.id}`)).body).toEqual(shape);
    const xml = (await admin(`GET /item/${item}/shape/${shape.id}`, { accept: "application/xml" })).body;
    expect(xml).toContain('<ShapeDocument xmlns="urn:test">');
    expect(xml).toContain("<metadata><key>start_timecode</key><value>0</value></metadata>");
    const inItem = (await admin(`GET /item/${item}?content=shape&tag=original`)).body;
    expect(inItem.shape).toEqual([shape]);
    expect((await admin(`GET /item/${item}?content=shape&tag=lowres`)).body.shape).toBeUndefined();
    expect((await admin(`GET /item/${item}?content=uri`)).body.files).toEqual({ uri: ["file:///mnt/a/harbour.mp4"] });
  });

  test("an empty one is as short as clients know it", async () => {
    const api = await openMediaApi();
    const item = await api.item();
    const { body } = await api.admin(`POST /item/${item}/shape/create`);
    expect(body).toEqual({ id: expect.any(String), created: expect.any(String), essenceVersion: 0, tag: [] });
  });

  test("update the fields of the item when that is asked for, and clear them again", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    const { shape } = await createShape(api, item, "harbour.mp4", "?updateItemMetadata=true");
    const fields = async () =>
      Object.fromEntries(
        await Promise.all(
          ["mediaType", "mimeType", "originalFilename", "originalVideoCodec", "originalWidth", "durationSeconds"].map(
            async (name) => [name, await field(api, item, name)] as const,
          ),
        ),
      );
    expect(await fields()).toEqual({
      mediaType: ["video"],
      mimeType: ["video/mp4"],
      originalFilename: ["harbour.mp4"],
      originalVideoCodec: ["h264"],
      originalWidth: ["640"],
      durationSeconds: ["4.44"],
    });
    expect(await field(api, item, "__shapetag_original_hash")).toEqual(["da39a3ee5e6b4b0d3255bfef95601890afd80709"]);
    expect(await field(api, item, "__shape")).toEqual([shape.id]);
    expect((await admin(`DELETE /item/${item}/shape/${shape.id}?updateMetadata=true`)).body).toEqual({});
    expect(await fields()).toMatchObject({ mediaType: ["none"], mimeType: [], durationSeconds: [] });
  });

  test.each([
    ["a tag that is not defined", { tag: ["lowres"] }, 404, { notFound: { type: "shape-tag", id: "lowres" } }],
    ["a file that is not registered", { binaryComponent: [{ file: [{ id: "VX-99" }] }] }, 404, undefined],
    ["a file without id", { binaryComponent: [{ file: [{ path: "a" }] }] }, 400, undefined],
    ["a MIME type that is none", { mimeType: ["video"] }, 400, undefined],
    ["a denominator of 0", { videoComponent: [{ timeBase: { numerator: 1, denominator: 0 } }] }, 400, undefined],
    ["an element that is not known", { colour: "red" }, 400, undefined],
  ])("%s is refused, and nothing is written", async (_what, body, status, error) => {
    const api = await openMediaApi();
    const item = await api.item();
    api.events.length = 0;
    const answer = await api.admin(`POST /item/${item}/shape/create`, { body });
    expect(answer.status).toBe(status);
    if (error !== undefined) expect(answer.body).toMatchObject(error);
    await expect(api.store.query({ sql: "select count(*) as n from shape" })).resolves.toEqual([{ n: 1 }]);
  });
});

describe("the events of shapes", () => {
  test("are CREATE, MODIFY and DELETE with the keys of the specification and no others [spec: event-shape]", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    shapeEvents(api);
    const { id } = (await admin(`POST /item/${item}/shape/create`)).body;
    const event = (notificationTrigger: string) => [
      notificationTrigger,
      { notificationType: "shape", notificationTrigger, itemId: item, shapeId: id },
    ];
    expect(shapeEvents(api)).toEqual([event("CREATE")]);
    for (const request of [
      `PUT /item/${item}/shape/${id}/tag/original`,
      `PUT /item/${item}/shape/${id}/mime/video%2Fmp4`,
      `DELETE /item/${item}/shape/${id}/mime/video%2Fmp4`,
      `PUT /item/${item}/shape/${id}/version/1`,
      `POST /item/${item}/shape/${id}/component/placeholder?type=audio`,
    ]) {
      expect((await admin(request)).status, request).toBe(200);
      expect(shapeEvents(api), request).toEqual([event("MODIFY")]);
    }
    const metadata = { field: [{ key: "a", value: "b" }] };
    await admin(`PUT /item/${item}/shape/${id}/metadata`, { body: metadata });
    expect(shapeEvents(api)).toEqual([event("MODIFY")]);
    await admin(`PUT /item/${item}/shape/${id}/tag/original`);
    expect(shapeEvents(api), "a tag that it has").toEqual([]);
    await admin(`DELETE /item/${item}/shape/${id}`);
    expect(shapeEvents(api)).toEqual([event("DELETE")]);
    const stored = await api.store.query({
      sql: "select distinct action from event where entity = 'shape' order by 1",
    });
    expect(stored.map(({ action }) => action)).toEqual(["CREATE", "DELETE", "MODIFY"]);
  });

  test("tell of every shape of an item that is deleted", async () => {
    const api = await openMediaApi();
    const item = await api.item();
    await createShape(api, item);
    shapeEvents(api);
    await api.admin(`DELETE /item/${item}`);
    expect(shapeEvents(api).map((event) => (event as [string])[0])).toEqual(["DELETE", "DELETE"]);
  });
});

describe("what stands at a shape", () => {
  test("tags, MIME types, names and simple metadata are set, listed and taken away", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    const { id } = (await admin(`POST /item/${item}/shape/create`)).body;
    const shape = `/item/${item}/shape/${id}`;
    expect((await admin(`PUT ${shape}/tag/lowres`)).body).toMatchObject({ notFound: { type: "shape-tag" } });
    await admin("PUT /shape-tag/lowres", { body: { format: "mp4" } });
    expect((await admin(`PUT ${shape}/tag/lowres`)).status).toBe(200);
    expect((await admin(`GET ${shape}/tag/`)).body).toEqual({ uri: ["lowres"] });
    expect((await admin(`GET ${shape}/tag?url=true`)).body.uri).toEqual(["http://kinora.test/API/shape-tag/lowres"]);
    expect((await admin("DELETE /shape-tag/lowres")).status).toBe(409);
    expect((await admin(`DELETE ${shape}/tag/lowres`)).status).toBe(200);
    expect((await admin(`DELETE ${shape}/tag/lowres`)).status).toBe(404);
    expect((await admin("DELETE /shape-tag/lowres")).status).toBe(200);

    expect((await admin(`PUT ${shape}/mime/video/mp4`)).status).toBe(200);
    expect((await admin(`GET ${shape}/mime`, { accept: "text/plain" })).body).toBe("video/mp4\r\n");
    expect((await admin(`PUT ${shape}/mime/nothing`)).status).toBe(400);

    expect((await admin(`PUT ${shape}/filename/VX-3?filename=a.mp4`)).status).toBe(200);
    expect((await admin(`GET ${shape}/filename`)).body).toEqual({ uri: ["VX-3"] });
    expect((await admin(`GET ${shape}/filename/VX-3`, { accept: "text/plain" })).body).toBe("a.mp4");
    expect((await admin(`PUT ${shape}/filename/VX-3?filename=..%2Fa`)).status).toBe(400);
    expect((await admin(`PUT ${shape}/filename/VX-3`)).status).toBe(400);
    expect((await admin(`DELETE ${shape}/filename/VX-3?filename=b.mp4`)).status).toBe(404);
    expect((await admin(`DELETE ${shape}/filename/VX-3?filename=a.mp4`)).status).toBe(200);
    expect((await admin(`GET ${shape}/filename/VX-3`, { accept: "text/plain" })).status).toBe(404);

    await admin(`PUT ${shape}/metadata`, { body: { field: [{ key: "scene/1", value: "x" }] } });
    expect((await admin(`GET ${shape}/metadata/scene/1`, { accept: "text/plain" })).body).toBe("x");
    expect((await admin(`GET ${shape}`)).body.metadata).toEqual({ field: [{ key: "scene/1", value: "x" }] });
    await admin(`DELETE ${shape}`);
    expect(await api.store.query({ sql: "select * from key_value where entity = 'shape'" })).toEqual([]);
  });

  test("a field that follows from shapes is found by a search right after", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const [item] = [await api.item(), await api.item()];
    await admin("PUT /shape-tag/web", { body: {} });
    const { id } = (await admin(`POST /item/${item}/shape/create`, { body: { tag: ["web"] } })).body;
    const search = async (name: string, value: string) => {
      const { body } = await admin("PUT /item", { body: { field: [{ name, value: [{ value }] }] } });
      return body.item.map((hit: { id: string }) => hit.id);
    };
    expect(await search("shapeTag", "web")).toEqual([item]);
    expect(await search("__shape", id)).toEqual([item]);
    expect(await search("__shape_size", "1")).toEqual([item]);
    const shapes = await admin("PUT /search/shape", { body: { field: [{ name: "tag", value: [{ value: "web" }] }] } });
    expect(shapes.body.shape).toMatchObject([{ id, item: [{ id: item }] }]);
    await admin(`DELETE /item/${item}/shape/${id}`);
    expect(await search("shapeTag", "web")).toEqual([]);
    expect(await search("__shape", id)).toEqual([]);
  });
});

describe("essence versions", () => {
  test("are listed as an EssenceVersionListDocument, and read one by one [spec: essence-version-list]", async () => {
    const api = await openMediaApi();
    const { admin, clock } = api;
    const item = await api.item("?container=1");
    const versions = `/item/${item}/shape/version`;
    expect((await admin(`GET ${versions}`)).body).toEqual({ version: [] });
    const { shape } = await createShape(api, item);
    clock.now += 1000;
    const newest = (await admin(`POST ${versions}/0`)).body;
    expect(newest.shape).toMatchObject([{ essenceVersion: 1, containerComponent: { metadata: [{ value: "0" }] } }]);
    expect(newest.shape[0].id).not.toBe(shape.id);
    const list = (await admin(`GET ${versions}`)).body;
    expect(list).toEqual({
      version: [
        { id: 0, uri: `http://kinora.test/API${versions}/0`, created: expect.any(String) },
        { id: 1, uri: `http://kinora.test/API${versions}/1`, created: newest.created },
      ],
    });
    const xml = (await admin(`GET ${versions}`, { accept: "application/xml" })).body;
    expect(xml).toContain("<EssenceVersionListDocument");
    expect(xml).toContain("<version><id>0</id><uri>");
    expect((await admin(`GET ${versions}/0`)).body.shape).toMatchObject([{ id: shape.id }]);
    expect((await admin(`GET ${versions}/2`)).body).toMatchObject({ notFound: { type: "essence-version", id: "2" } });
    expect((await admin(`GET ${versions}/first`)).status).toBe(400);
    expect(await field(api, item, "__version")).toEqual(["0", "1"]);
  });

  test("choose what a list of shapes shows", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    await admin("PUT /shape-tag/web", { body: {} });
    const made = async (...tag: string[]) =>
      (await admin(`POST /item/${item}/shape/create`, { body: { tag } })).body.id;
    const [original, web] = [await made("original"), await made("web")];
    await admin(`POST /item/${item}/shape/${original}/version`);
    const uris = async (query: string) => (await admin(`GET /item/${item}/shape?${query}`)).body.uri ?? [];
    expect(await uris("")).toEqual([original]);
    expect(await uris("version=all")).toEqual([original, web]);
    expect(await uris("version=0")).toEqual([web]);
    expect(await uris("version=latest-per-shapetag")).toEqual([original, web]);
    expect(await uris("version=all&tag=web,other")).toEqual([web]);
    expect((await admin(`GET /item/${item}/shape?version=newest`)).status).toBe(400);
    expect((await admin(`PUT /item/${item}/shape/${web}/version/3`)).status).toBe(400);
    expect((await admin(`PUT /item/${item}/shape/${web}/version/1`)).body.essenceVersion).toBe(1);
    expect((await admin(`DELETE /item/${item}/shape/version/1`)).status).toBe(200);
    expect((await admin(`DELETE /item/${item}/shape/version/1`)).status).toBe(404);
  });
});

describe("components", () => {
  test("are copied and moved between shapes of any item, with their files", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const [one, two] = [await api.item(), await api.item()];
    const { file, shape } = await createShape(api, one);
    const target = (await admin(`POST /item/${two}/shape/create`)).body.id;
    const path = (id: string) => `/item/${one}/shape/${shape.id}/component/${id}`;
    const { id } = shape.containerComponent;
    const copied = (await admin(`POST ${path(id)}/copy/item/${two}/shape/${target}?keepMetadata=true`)).body;
    expect(copied).toMatchObject({
      id: target,
      containerComponent: { file: [{ id: file }], metadata: [{ key: "start_timecode", value: "0" }] },
    });
    expect(copied.containerComponent.id).not.toBe(id);
    expect((await admin(`POST ${path(id)}/copy/item/${two}/shape/${target}`)).status).toBe(400);

    const audio = shape.audioComponent[0].id;
    const moved = (await admin(`POST ${path(audio)}/move/item/${two}/shape/${target}`)).body;
    expect(moved.audioComponent).toMatchObject([{ codec: "aac", file: [{ id: file }] }]);
    expect((await admin(`GET ${path(audio)}`)).status).toBe(404);
    const video = shape.videoComponent[0].id;
    const wrong = `POST ${path(video)}/copy/item/${two}/shape/${target}/component/${moved.audioComponent[0].id}`;
    expect((await admin(wrong)).status).toBe(409);
    expect((await admin(`GET /file/${file}`)).body.state).toBe("CLOSED");
    expect((await admin(`GET /file/${file}?includeItem=true`)).body.item).toMatchObject([{ id: one }, { id: two }]);
  });

  test("get and lose files; the last of them to go takes the file along only when that is not wished otherwise", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    const { file, shape } = await createShape(api, item);
    const container = `/item/${item}/shape/${shape.id}/component/${shape.containerComponent.id}`;
    const other = await api.file("other.mp4");
    expect((await admin(`PUT ${container}/file/${other}`)).body.file).toHaveLength(2);
    expect((await admin(`DELETE ${container}/file/${other}`)).status).toBe(200);
    expect((await admin(`DELETE ${container}/file/${other}`)).status).toBe(404);
    const state = async (id: string) => (await admin(`GET /file/${id}`)).body.state;
    expect(await state(other)).toBe("CLOSED");
    const second = (await admin(`POST /item/${item}/shape/create`)).body.id;
    const binary = (await admin(`POST /item/${item}/shape/${second}/component/placeholder?type=binary`)).body.id;
    const link = `PUT /item/${item}/shape/${second}/component/${binary}/file/${file}`;
    expect((await admin(link)).status).toBe(409);
    expect((await admin(`${link}?allowReimport=true`)).status).toBe(200);

    await admin(`DELETE /item/${item}/shape/${shape.id}`);
    expect(await state(file), "another shape has it").toBe("CLOSED");
    await admin(`DELETE /item/${item}/shape?keepFiles=true`);
    expect(await state(file), "kept").toBe("CLOSED");
    const again = await createShape(api, item, "again.mp4");
    expect((await admin(`DELETE /item/${item}/shape`)).status).toBe(204);
    expect(await state(again.file)).toBe("TO_BE_DELETED");
  });

  test("are listed, and read in short or in full", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    const { shape } = await createShape(api, item);
    const path = `/item/${item}/shape/${shape.id}/component`;
    expect((await admin(`GET ${path}`)).body.component).toHaveLength(3);
    const video = `${path}/${shape.videoComponent[0].id}`;
    expect((await admin(`GET ${video}`)).body.codec).toBeUndefined();
    expect((await admin(`GET ${video}?full=true`)).body.codec).toBe("h264");
    await admin(`PUT ${video}/metadata`, { body: { field: [{ key: "a", value: "b" }] } });
    expect((await admin(`GET ${video}`)).body.metadata).toEqual([{ key: "a", value: "b" }]);
    await admin(`DELETE ${video}`);
    expect((await admin(`GET ${video}/metadata`)).status).toBe(404);
    expect(await api.store.query({ sql: "select key from key_value where entity = 'component'" })).toEqual([
      { key: "start_timecode" },
    ]);
  });
});

describe("deleting an item", () => {
  test.each([
    ["", { original: "TO_BE_DELETED", web: "TO_BE_DELETED" }],
    ["?keepShapeTagMedia=original", { original: "CLOSED", web: "TO_BE_DELETED" }],
    ["?keepShapeTagMedia=*", { original: "CLOSED", web: "CLOSED" }],
    ["?keepShapeTagMedia=original&keepShapeTagStorage=VX-9", { original: "TO_BE_DELETED", web: "TO_BE_DELETED" }],
  ])("with %s leaves files in the states that the options say", async (query, states) => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    await admin("PUT /shape-tag/web", { body: {} });
    const files = { original: await api.file("original.mp4"), web: await api.file("web.mp4") };
    for (const [tag, id] of Object.entries(files)) {
      await admin(`POST /item/${item}/shape/create`, {
        body: { tag: [tag], binaryComponent: [{ file: [{ id }], metadata: [{ key: "a", value: "b" }] }] },
      });
    }
    expect((await admin(`DELETE /item/${item}${query}`)).status).toBe(200);
    for (const [tag, id] of Object.entries(files)) {
      expect((await admin(`GET /file/${id}`)).body.state, tag).toBe(states[tag as keyof typeof states]);
    }
    for (const table of ["shape", "shape_tagging", "shape_file", "key_value"]) {
      expect(await api.store.query({ sql: `select * from ${table}` }), table).toEqual([]);
    }
  });
});

describe("shape tags", () => {
  const preset = {
    format: "mp4",
    audio: { codec: "aac", bitrate: 128_000 },
    video: {
      scaling: { width: 640, height: 360 },
      codec: "h264",
      bitrate: 1_500_000,
      setting: [{ key: "k", value: "v" }],
    },
  };

  test("keep their preset, script and metadata", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    expect((await admin("GET /shape-tag/")).body).toEqual({ uri: ["original"] });
    expect(await admin("PUT /shape-tag/web", { body: preset })).toMatchObject({ status: 200, body: "" });
    expect((await admin("GET /shape-tag/web")).body).toEqual(preset);
    const script = "shape.getFormat()";
    const type = "application/javascript";
    expect((await admin("PUT /shape-tag/web/script", { body: script, type })).status).toBe(200);
    const read = await admin("GET /shape-tag/web/script", { accept: type });
    expect([read.body, read.headers.get("content-type")]).toEqual([script, `${type}; charset=utf-8`]);
    await admin("PUT /shape-tag/web", { body: { format: "mov", metadata: { field: [{ key: "a", value: "b" }] } } });
    expect((await admin("GET /shape-tag/web")).body).toEqual({
      format: "mov",
      script,
      metadata: { field: [{ key: "a", value: "b" }] },
    });
    expect((await admin("GET /shape-tag/web/metadata/a", { accept: "text/plain" })).body).toBe("b");
    await admin("DELETE /shape-tag/web/script");
    expect((await admin("GET /shape-tag/web/script")).status).toBe(404);
    expect((await admin("GET /shape-tag/none")).body).toMatchObject({ notFound: { type: "shape-tag", id: "none" } });
    expect((await admin("DELETE /shape-tag/original")).status).toBe(409);
    expect((await admin("PUT /shape-tag/a%2Fb", { body: {} })).status).toBe(400);
  });
});

describe("who may do what with shapes", () => {
  test("is a matter of the item's access, and of the item's lock", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    const { shape } = await createShape(api, item);
    const ada = api.as("ada", "_shape_read", "_shape_write");
    expect((await ada(`GET /item/${item}/shape/${shape.id}`)).body).toMatchObject({ notFound: { type: "Item" } });
    await admin(`POST /item/${item}/access`, { body: { user: "ada", permission: "READ" } });
    expect((await ada(`GET /item/${item}/shape/${shape.id}`)).status).toBe(200);
    expect((await ada(`DELETE /item/${item}/shape/${shape.id}`)).status).toBe(403);
    await admin(`POST /item/${item}/access`, { body: { user: "ada", permission: "WRITE" } });
    await admin(`POST /item/${item}/lock`);
    expect((await ada(`PUT /item/${item}/shape/${shape.id}/mime/a%2Fb`)).status).toBe(409);
    await admin(`DELETE /item/${item}/lock`);
    expect((await ada(`PUT /item/${item}/shape/${shape.id}/mime/a%2Fb`)).status).toBe(200);
  });

  test("a shape of another item is not there", async () => {
    const api = await openMediaApi();
    const [one, two] = [await api.item(), await api.item()];
    const { shape } = await createShape(api, one);
    expect((await api.admin(`GET /item/${two}/shape/${shape.id}`)).body).toMatchObject({ notFound: { type: "shape" } });
  });
});

describe("writers at once", () => {
  test("on one item all land, and what follows from the shapes agrees with them", async () => {
    const api = await openMediaApi();
    const senders = [api.admin, await api.onAnother()];
    const item = await api.item();
    const writes = Array.from({ length: 12 }, (_, index) =>
      (senders[index % 2] as MediaApi["admin"])(`POST /item/${item}/shape/create`, { body: { tag: ["original"] } }),
    );
    const made = (await Promise.all(writes)).filter(({ status }) => status === 200).map(({ body }) => body.id);
    const { uri } = (await api.admin(`GET /item/${item}/shape`)).body;
    expect([...uri].sort()).toEqual([...made].sort());
    expect(made.length).toBeGreaterThan(6);
    expect(await field(api, item, "__shape_size")).toEqual([String(made.length)]);
    expect([...(await field(api, item, "__shape"))].sort()).toEqual([...made].sort());
  });
});
