import { describe, expect, test } from "vitest";
import { siteRoutes } from "../../src/operations/site-routes.ts";
import { serve } from "./http-client.ts";
import { openMediaApi } from "./media-api.ts";

describe("a file that is registered", () => {
  test("is shown at both of its paths with what was said of it", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const body = {
      uri: ["https://media.example/a%20b.mp4"],
      state: "open",
      size: 1_048_576,
      hash: "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
      timestamp: "2024-03-05T10:11:59.000Z",
      metadata: { field: [{ key: "mtime", value: "1709633519000" }] },
    };
    const made = (await admin("POST /storage/file", { body })).body;
    expect(made).toEqual({
      ...body,
      id: expect.stringMatching(/^VX-\d+$/),
      state: "OPEN",
      hash: body.hash.toLowerCase(),
      timestamp: "2024-03-05T10:11:59.000+0000",
      refreshFlag: 1,
    });
    expect((await admin(`GET /file/${made.id}`)).body).toEqual(made);
    expect((await admin(`GET /storage/file/${made.id}`)).body).toEqual(made);
    expect((await admin(`GET /file/${made.id}?scheme=file`)).body.uri).toBeUndefined();
    expect((await admin(`GET /file/${made.id}`, { accept: "text/plain" })).body).toBe(
      `${made.id}\thttps://media.example/a%20b.mp4\r\n`,
    );
    await admin(`PUT /file/${made.id}/metadata`, { body: { field: [{ key: "a", value: "b" }] } });
    expect((await admin(`GET /storage/file/${made.id}/metadata/a`, { accept: "text/plain" })).body).toBe("b");
    expect(api.events.map(({ entity, action, keys }) => [entity, action, keys])).toEqual([
      ["file", "NEW", { fileId: made.id, action: "NEW" }],
    ]);
  });

  test("is known once; a second registration names it, or updates it", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const id = await api.file("a.mp4", { size: 1 });
    const uri = ["file:///mnt/a/a.mp4"];
    const again = await admin("POST /storage/file", { body: { uri } });
    expect([again.status, again.body.fileAlreadyExists]).toMatchObject([409, { fileId: id }]);
    const updated = await admin("POST /storage/file?createOnly=false", { body: { uri, state: "LOST" } });
    expect(updated.body).toMatchObject({ id, state: "LOST", size: 1 });
    expect(updated.body.uri, "a lost file is nowhere").toBeUndefined();
  });

  test.each([
    ["no address", {}, 400],
    ["two addresses", { uri: ["file:///a", "file:///b"] }, 400],
    ["a relative address", { uri: ["a/b.mp4"] }, 400],
    ["credentials in the address", { uri: ["ftp://ada:secret@media.example/a"] }, 400],
    ["a state that is none", { uri: ["file:///a"], state: "GONE" }, 400],
    ["a hash that is none", { uri: ["file:///a"], hash: "1234" }, 400],
    ["a negative size", { uri: ["file:///a"], size: -1 }, 400],
    ["a path without storage", { uri: ["file:///a"], path: "a" }, 400],
    ["a storage that is not there", { storage: "VX-1", path: "a" }, 404],
  ])("has not %s", async (_what, body, status) => {
    const api = await openMediaApi();
    const answer = await api.admin("POST /storage/file", { body });
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).not.toContain("secret");
  });

  test("is found by a search, also after its index was rebuilt", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const id = await api.file("a.mp4", { hash: "da39a3ee5e6b4b0d3255bfef95601890afd80709" });
    const item = await api.item("?container=1");
    await admin(`POST /import/placeholder/${item}/container/adopt/${id}`);
    const found = async () => [
      (
        await admin("PUT /search/file", {
          body: { field: [{ name: "hash", value: [{ value: "da39a3ee5e6b4b0d3255bfef95601890afd80709" }] }] },
        })
      ).body.file,
      (await admin("PUT /search/shape", { body: { field: [{ name: "tag", value: [{ value: "original" }] }] } })).body
        .shape,
    ];
    const before = await found();
    expect(before).toMatchObject([[{ id }], [{ item: [{ id: item }] }]]);
    for (const index of ["file", "shape"]) expect((await admin(`PUT /reindex/${index}`)).status).toBe(200);
    for (let turn = 0; turn < 4; turn++) await api.tick();
    expect((await admin("GET /reindex/file")).body).toMatchObject({ status: "FINISHED", indexesDone: 1 });
    expect(await found()).toEqual(before);
  });
});

test("an installation has no other sites", async () => {
  const client = serve(siteRoutes());
  const json = { headers: { accept: "application/json" } };
  expect(await client.fetch("GET", "/site?type=all", json)).toMatchObject({ status: 200, text: "{}" });
  expect((await client.fetch("GET", "/site/NY", json)).status).toBe(404);
  const body = { method: "PUT", body: "{}", headers: { ...json.headers, "content-type": "application/json" } };
  expect((await client.fetch("PUT", "/site/NY", body)).status).toBe(501);
});
