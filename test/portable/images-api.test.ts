import { describe, expect, test } from "vitest";
import { largestImage } from "../../src/assets/images/images.ts";
import { openMediaApi } from "./media-api.ts";

function image(beginning: readonly number[], length = 64, fill = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length).fill(fill);
  bytes.set(beginning);
  return bytes;
}
const pngBeginning = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const png = (length?: number, fill?: number) => image(pngBeginning, length, fill);
const jpeg = (length?: number, fill?: number) => image([0xff, 0xd8, 0xff], length, fill);
const any = "*/*";

describe.each(["thumbnail", "poster"])("a %s", (kind) => {
  test("is stored, listed by time, read in its type and removed", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    const list = `/${kind}/VX-1/${item}`;
    expect((await admin(`GET ${list}`)).body).toEqual({});
    for (const [time, body] of [
      ["250@PAL", png()],
      ["0@PAL", jpeg()],
      ["5", png(64, 7)],
    ] as const) {
      const stored = await admin(`PUT ${list}/${time}`, { body, type: "image/png", accept: any });
      expect([stored.status, stored.body]).toEqual([200, time]);
    }
    expect((await admin(`GET ${list}`)).body).toEqual({ uri: ["0@PAL", "5", "250@PAL"] });
    expect((await admin(`GET ${list}`, { accept: "text/plain" })).body).toBe("0@PAL\r\n5\r\n250@PAL\r\n");
    const read = await admin(`GET ${list}/250@PAL`, { accept: "image/png" });
    expect([read.headers.get("content-type"), read.headers.get("x-content-type-options")]).toEqual([
      "image/png",
      "nosniff",
    ]);
    expect(read.bytes).toEqual(png());
    expect((await admin(`GET ${list}/10`, { accept: any })).bytes, "the same moment").toEqual(png());
    expect((await admin(`GET ${list}/250@PAL`, { accept: "image/jpeg" })).status).toBe(406);
    const etag = read.headers.get("etag") ?? "";
    const known = { accept: any, headers: { "if-none-match": etag } };
    expect((await admin(`GET ${list}/250@PAL`, known)).status).toBe(304);
    await admin(`PUT ${list}/10`, { body: jpeg(), type: "image/jpeg", accept: any });
    expect((await admin(`GET ${list}/250@PAL`, known)).status).toBe(200);
    expect((await admin(`GET ${list}`)).body.uri, "in the place of the other").toHaveLength(3);
    expect((await admin(`DELETE ${list}/10`)).status).toBe(200);
    expect((await admin(`DELETE ${list}/10`)).status).toBe(404);
    expect((await admin(`GET ${list}/10`, { accept: any })).status).toBe(404);
    expect((await admin(`DELETE ${list}`)).status).toBe(200);
    expect(await api.store.query({ sql: "select * from image_part" })).toEqual([]);
  });

  test("has absolute addresses below /API, with the version in the path; they lead to it", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    expect((await admin(`GET /item/${item}/${kind}resource`)).body).toEqual({});
    const place = `http://kinora.test/API/${kind}/VX-1/${item};version=0`;
    expect((await admin(`PUT /item/${item}/${kind}resource`)).body).toEqual({ uri: [place] });
    const path = new URL(place).pathname;
    await admin(`PUT ${path}/0@PAL`, { body: png(), type: "image/png", accept: any });
    expect((await admin(`GET /item/${item}/${kind}resource`)).body).toEqual({ uri: [place] });
    expect((await admin(`GET ${path}?url=true`)).body).toEqual({ uri: [`${place}/0@PAL`] });
    expect((await admin(`GET ${path}/0@PAL`, { accept: any })).bytes).toEqual(png());
    const content = (await admin(`GET /item/${item}?content=${kind}`)).body;
    expect(content[`${kind}s`]).toEqual({ uri: [`${place}/0@PAL`] });
    const based = await admin(`GET /item/${item}?content=${kind}&baseURI=https://media.example/API/`);
    expect(based.body[`${kind}s`].uri).toEqual([`https://media.example/API/${kind}/VX-1/${item};version=0/0@PAL`]);
    expect((await admin(`GET ${path.replace("version=0", "version=1")}`)).body).toEqual({});
    expect((await admin(`GET /${kind}/VX-2/${item}`)).status, "another service").toBe(404);
  });

  test("is read without login by an address that the service gave out, on every instance, and by no other", async () => {
    const api = await openMediaApi();
    const { admin, nobody } = api;
    const item = await api.item();
    await admin(`PUT /${kind}/VX-1/${item}/0@PAL`, { body: png(), type: "image/png", accept: any });
    await admin(`PUT /${kind}/VX-1/${item}/1@PAL`, { body: png(), type: "image/png", accept: any });
    const { uri } = (await admin(`GET /${kind}/VX-1/${item}?noauth-url=true`)).body;
    const url = new URL(uri[0]);
    expect(url.pathname).toBe(`/APInoauth/${kind}/VX-1/${item};version=0/0@PAL`);
    expect(url.searchParams.get("hash")).toMatch(/^[0-9a-f]{32}$/);
    const target = `${url.pathname}${url.search}`;
    expect((await nobody(`GET ${target}`, { accept: any })).bytes).toEqual(png());
    const another = await api.onAnother();
    expect((await another(`GET /item/${item}?content=${kind}&noauth-url=true`)).body[`${kind}s`].uri).toEqual(uri);
    for (const wrong of [
      url.pathname,
      target.replace("0@PAL", "1@PAL"),
      target.replace("version=0", "version=1"),
      `${url.pathname}?hash=${"0".repeat(32)}`,
      target.replace(kind, kind === "poster" ? "thumbnail" : "poster"),
    ]) {
      expect((await nobody(`GET ${wrong}`, { accept: any })).status, wrong).toBe(404);
    }
    expect((await nobody(`GET /${kind}/VX-1/${item}/0@PAL`, { accept: any })).status).toBe(401);
  });
});

describe("the thumbnail that stands for an item", () => {
  const fields = ["representativeThumbnail", "representativeThumbnailNoAuth"] as const;

  async function openItem() {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    const put = (path: string) => admin(`PUT /${path}`, { body: png(), type: "image/png", accept: any });
    return {
      ...api,
      item,
      /** Stores a thumbnail; `version` is that of the essence. */
      store: (time: string, version = 0) => put(`thumbnail/VX-1/${item};version=${version}/${time}`),
      put,
      remove: (path: string) => admin(`DELETE /thumbnail/VX-1/${item}${path}`),
      write: (value: string) =>
        admin(`PUT /item/${item}/metadata`, {
          body: { timespan: [{ field: [{ name: fields[0], value: [{ value }] }] }] },
        }),
      async shown(): Promise<readonly (string | undefined)[]> {
        const { body } = await admin(`GET /item/${item}/metadata?field=${fields.join()}`);
        const found: readonly { name: string; value: { value: string }[] }[] =
          body.item[0].metadata.timespan?.[0].field ?? [];
        return fields.map((name) => found.find((one) => one.name === name)?.value[0]?.value);
      },
    };
  }

  test("is the first that was stored; its address without login leads to it", async () => {
    const { item, store, put, shown, nobody, admin } = await openItem();
    await put(`poster/VX-1/${item}/0@PAL`);
    expect(await shown(), "a poster is none").toEqual([undefined, undefined]);
    await store("250@PAL");
    const first = await shown();
    expect(first[0]).toBe(`/API/thumbnail/VX-1/${item};version=0/250@PAL`);
    expect(first[1]).toMatch(/^\/APInoauth\/thumbnail\/VX-1\/VX-\d+;version=0\/250@PAL\?hash=[0-9a-f]{32}$/);
    await store("0@PAL");
    expect(await shown(), "another does not take its place").toEqual(first);
    expect((await nobody(`GET ${first[1]}`, { accept: any })).bytes).toEqual(png());
    const { body } = await admin(`PUT /item`, { body: { field: [{ name: fields[0], value: [{ value: "*" }] }] } });
    expect(body.hits, "and can be searched").toBe(1);
  });

  test("is one of a newer version as soon as there is one, and of an older one again when that is removed", async () => {
    const { item, store, remove, shown } = await openItem();
    const at = (version: number, time: string) => `/API/thumbnail/VX-1/${item};version=${version}/${time}`;
    await store("1", 1);
    await store("2", 0);
    expect((await shown())[0], "an older one").toBe(at(1, "1"));
    await store("3", 2);
    expect((await shown())[0], "a newer one").toBe(at(2, "3"));
    await store("1", 2);
    await remove(";version=2/75@PAL");
    expect((await shown())[0], "the same moment").toBe(at(2, "1"));
    await remove(";version=2");
    expect((await shown())[0]).toBe(at(1, "1"));
    await remove(";version=0/2");
    expect((await shown())[0], "another was removed").toBe(at(1, "1"));
    await remove("");
    expect(await shown()).toEqual([undefined, undefined]);
    await store("9");
    expect((await shown())[0]).toBe(at(0, "9"));
  });

  test("is what a user wrote, as long as that is no thumbnail that goes", async () => {
    const { item, store, remove, shown, write } = await openItem();
    await write("https://media.example/still.png");
    await store("1");
    await remove("/1");
    expect((await shown())[0]).toBe("https://media.example/still.png");
    await store("1");
    await store("2");
    await write(`/API/thumbnail/VX-1/${item};version=0/2`);
    await store("3");
    expect((await shown())[0]).toBe(`/API/thumbnail/VX-1/${item};version=0/2`);
    await remove("/2");
    expect((await shown())[0]).toBe(`/API/thumbnail/VX-1/${item};version=0/1`);
    await write(`/API/thumbnail/VX-1/${item};version=0/never`);
    expect((await remove("/1")).status).toBe(200);
  });

  test("is one, of many that are stored at once; nothing is kept where the fields were deleted", async () => {
    const { store, shown, admin } = await openItem();
    const answers = await Promise.all(["1", "2", "3", "4", "5"].map((time) => store(time)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await shown())[0]).toMatch(/version=0\/[1-5]$/);
    for (const name of fields) await admin(`DELETE /metadata-field/${name}`);
    expect((await store("6")).status).toBe(200);
  });
});

describe("what is no image, or too much of one", () => {
  test.each([
    ["text that calls itself an image", new TextEncoder().encode("<svg onload='alert(1)'/>"), 415],
    ["nothing", new Uint8Array(0), 415],
    ["a byte more than the largest image", png(largestImage + 1), 413],
  ])("is refused: %s", async (_what, body, status) => {
    const api = await openMediaApi();
    const item = await api.item();
    const answer = await api.admin(`PUT /thumbnail/VX-1/${item}/0`, { body, type: "image/png", accept: any });
    expect(answer.status).toBe(status);
  });

  test("a large one is kept in parts and comes back whole", async () => {
    const api = await openMediaApi();
    const item = await api.item();
    const body = jpeg(3_000_001, 9);
    await api.admin(`PUT /poster/VX-1/${item}/0`, { body, type: "image/jpeg", accept: any });
    const parts = await api.store.query({ sql: "select length(bytes) as size from image_part order by part" });
    expect(parts).toHaveLength(3);
    expect(Math.max(...parts.map(({ size }) => Number(size)))).toBeLessThanOrEqual(1_048_576);
    const { bytes } = await api.admin(`GET /poster/VX-1/${item}/0`, { accept: any });
    expect(bytes.length).toBe(body.length);
    expect(bytes.every((byte, index) => byte === body[index])).toBe(true);
  });

  test.each(["-INF", "now", "5@0"])("has no moment %s", async (time) => {
    const api = await openMediaApi();
    const item = await api.item();
    const send = { body: png(), type: "image/png", accept: any };
    expect((await api.admin(`PUT /thumbnail/VX-1/${item}/${time}`, send)).status).toBe(400);
  });
});

test("images follow the access to their item, its media's versions and its end", async () => {
  const api = await openMediaApi();
  const { admin } = api;
  const item = await api.item();
  const send = { body: png(), type: "image/png", accept: any };
  await admin(`PUT /thumbnail/VX-1/${item}/0`, send);
  const ada = api.as("ada", "_thumbnail_read", "_thumbnail_write");
  expect((await ada(`GET /thumbnail/VX-1/${item}/0`, { accept: any })).status).toBe(404);
  await admin(`POST /item/${item}/access`, { body: { user: "ada", permission: "READ" } });
  expect((await ada(`GET /thumbnail/VX-1/${item}/0`, { accept: any })).status).toBe(200);
  expect((await ada(`PUT /thumbnail/VX-1/${item}/0`, send)).status).toBe(403);

  const { id } = (await admin(`POST /item/${item}/shape/create`)).body;
  await admin(`POST /item/${item}/shape/${id}/version`);
  await admin(`PUT /thumbnail/VX-1/${item}/1`, send);
  expect((await admin(`GET /thumbnail/VX-1/${item}`)).body, "of the newest version").toEqual({ uri: ["1"] });
  expect((await admin(`GET /thumbnail/VX-1/${item};version=0`)).body).toEqual({ uri: ["0"] });
  await admin(`DELETE /item/${item}`);
  expect(await api.store.query({ sql: "select * from image_part" })).toEqual([]);
});
