import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { type MediaApi, openMediaApi, type Sender } from "./media-api.ts";
import { runsHere } from "./runs-here.ts";

const roles = [
  "_item_read",
  "_item_uri",
  "_shape_read",
  "_shape_write",
  "_file_read",
  "_metadata_read",
  "_collection_read",
];

let api: MediaApi;
let admin: Sender;
let ada: Sender;
let item: string;

beforeEach(async () => {
  api = await openMediaApi();
  admin = api.admin;
  ada = api.as("ada", ...roles);
  for (const tag of ["lowres", "web"]) await admin(`PUT /shape-tag/${tag}`, { body: {} });
  item = await makeItem();
});

/** Makes an item without shapes; it begins with a placeholder. */
async function makeItem(): Promise<string> {
  const id = await api.item();
  await admin(`DELETE /item/${id}/shape`);
  return id;
}

/** Makes a shape with these tags and one file; answers its id. */
async function makeShape(...tags: readonly string[]): Promise<string> {
  made += 1;
  const file = await api.file(`clip-${made}.mp4`, { state: "CLOSED" });
  const body = { tag: tags, containerComponent: { file: [{ id: file }], format: "mp4" } };
  const answer = await admin(`POST /item/${item}/shape/create`, { body });
  expect(answer.status).toBe(200);
  return answer.body.id;
}
let made = 0;

type Permission = "NONE" | "READ" | "WRITE";

interface Entry {
  readonly permission: Permission;
  /** `undefined`: everything; empty: shapes in general; else shapes of this tag. */
  readonly tag: string | undefined;
  readonly priority: number;
}

async function grant({ permission, tag, priority }: Entry, path = `/item/${item}`): Promise<void> {
  const operation = tag === undefined ? {} : { operation: { shape: tag === "" ? {} : { tag } } };
  const body = { user: "ada", permission, priority, ...operation };
  expect((await admin(`POST ${path}/access`, { body })).status).toBe(200);
}

const on = (permission: Permission, tag?: string, priority = 0): Entry => ({ permission, tag, priority });

/** What a caller sees of the shapes of the item, by every way to them; all have to agree. */
async function seen(send: Sender, shapes: readonly string[]): Promise<readonly string[]> {
  const listed = await send(`GET /item/${item}/shape`);
  if (listed.status === 404) {
    expect((await send("PUT /search/shape")).body.shape ?? []).toEqual([]);
    return [];
  }
  const ids: readonly string[] = listed.body.uri ?? [];
  const single = await Promise.all(shapes.map(async (id) => (await send(`GET /item/${item}/shape/${id}`)).status));
  expect(shapes.filter((_, index) => single[index] === 200)).toEqual(ids);
  const found = await send("PUT /search/shape?number=100");
  expect(found.body.hits).toBe(ids.length);
  const idOf = ({ id }: { readonly id: string }) => id;
  expect([...(found.body.shape ?? []).map(idOf)].sort()).toEqual([...ids].sort());
  const uris = await send(`GET /item/${item}/uri`);
  expect((uris.body.uri ?? []).length).toBe(ids.length);
  const files = await send("PUT /search/file?number=100");
  expect(files.body.hits).toBe(ids.length);
  const whole = await send(`GET /item/${item}?content=shape`);
  if (whole.status === 200) expect((whole.body.shape ?? []).map(idOf)).toEqual(ids);
  return ids;
}

describe("grants that are limited to a shape tag", () => {
  const kinds = ["original", "lowres", "lowres web", ""];

  test.each<[string, readonly Entry[], readonly string[]]>([
    ["nothing", [], []],
    ["everything", [on("READ")], kinds],
    ["shapes in general", [on("READ", "")], kinds],
    ["those of a tag", [on("READ", "lowres")], ["lowres", "lowres web"]],
    ["those of two tags", [on("READ", "web"), on("READ", "original")], ["original", "lowres web"]],
    ["all but those of a tag", [on("READ"), on("NONE", "original")], ["lowres", "lowres web", ""]],
    ["all but those of a tag, of shapes in general", [on("READ", ""), on("NONE", "lowres")], ["original", ""]],
    [
      "a shape with a tag that is granted and one that is not",
      [on("READ", "web"), on("NONE", "lowres")],
      ["lowres web"],
    ],
    ["what has the higher priority", [on("NONE", "lowres", 1), on("READ", undefined, 2)], kinds],
    ["none but of one tag", [on("NONE"), on("READ", "original")], ["original"]],
  ])("show %s", async (_what, entries, expected) => {
    const shapes: string[] = [];
    for (const tags of kinds) shapes.push(await makeShape(...tags.split(" ").filter((tag) => tag !== "")));
    for (const entry of entries) await grant(entry);
    const ids = await seen(ada, shapes);
    expect(ids.map((id) => kinds[shapes.indexOf(id)])).toEqual(expected);
    expect(await seen(admin, shapes)).toEqual(shapes);
  });

  test("reach the shapes of items in a collection, and end with it", async () => {
    const [original, lowres] = [await makeShape("original"), await makeShape("lowres")];
    const collection = await api.collection("Rushes", `item ${item}`);
    await grant(on("READ", "lowres"), `/collection/${collection}`);
    expect(await seen(ada, [original, lowres])).toEqual([lowres]);
    await admin(`DELETE /collection/${collection}`);
    expect(await seen(ada, [original, lowres])).toEqual([]);
  });

  test("do not show the item itself", async () => {
    await makeShape("lowres");
    await grant(on("READ", "lowres"));
    expect((await ada(`GET /item/${item}`)).status).toBe(404);
    expect((await ada(`GET /item/${item}/metadata`)).status).toBe(404);
    const byItem = { item: { field: [{ name: "itemId", value: [{ value: item }] }] } };
    expect((await ada("PUT /search/shape", { body: byItem })).body.hits, "nor by what is searched").toBe(0);
    expect((await admin("PUT /search/shape", { body: byItem })).body.hits).toBe(1);
  });

  test("keep items from being found by shapes that are not shown, and facets from counting these", async () => {
    await makeShape("original");
    await makeShape("lowres");
    await grant(on("READ"));
    await grant(on("NONE", "original"));
    const tagged = (tag: string) => ({ body: { shape: { field: [{ name: "tag", value: [{ value: tag }] }] } } });
    const byFormat = { body: { shape: { field: [{ name: "format", value: [{ value: "mp4" }] }] } } };
    expect((await ada("PUT /item", tagged("original"))).body.hits).toBe(0);
    expect((await ada("PUT /item", tagged("lowres"))).body.hits).toBe(1);
    expect((await ada("PUT /item", byFormat)).body.hits).toBe(1);
    expect((await admin("PUT /item", tagged("original"))).body.hits).toBe(1);
    const { body } = await ada("PUT /search/shape", { body: { facet: [{ field: "tag" }] } });
    const counts = body.facet[0].count.map(({ fieldValue }: { readonly fieldValue: string }) => fieldValue);
    expect(counts).toEqual(["lowres"]);
  });

  test("decide as the documented order says, whatever entries there are", async () => {
    const tags = ["original", "lowres", "web"];
    const entry = fc.record({
      permission: fc.constantFrom<Permission>("NONE", "READ", "WRITE"),
      tag: fc.constantFrom(undefined, "", ...tags),
      priority: fc.integer({ min: 0, max: 1 }),
    });
    const exactness = ({ tag }: Entry) => (tag === undefined ? 0 : tag === "" ? 1 : 2);
    const strength = ({ permission }: Entry) => ["NONE", "READ", "WRITE"].indexOf(permission);
    const allowed = (entries: readonly Entry[], own: readonly string[]) => {
      const about = entries.filter(({ tag }) => tag === undefined || tag === "" || own.includes(tag));
      const [first] = [...about].sort(
        (a, b) => b.priority - a.priority || exactness(b) - exactness(a) || strength(b) - strength(a),
      );
      return first !== undefined && first.permission !== "NONE";
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 4 }),
        fc.array(fc.subarray(tags), { minLength: 1, maxLength: 3 }),
        async (entries, shapes) => {
          item = await makeItem();
          const ids: string[] = [];
          for (const own of shapes) ids.push(await makeShape(...own));
          for (const one of entries) await grant(one);
          const expected = ids.filter((_, index) => allowed(entries, shapes[index] ?? []));
          const visible = await ada(`GET /item/${item}/shape`);
          expect(visible.body.uri ?? []).toEqual(expected);
          const mine = { body: { field: [{ name: "itemId", value: [{ value: item }] }] } };
          const { body } = await ada("PUT /search/shape", mine);
          const found = (body.shape ?? []).map(({ id }: { readonly id: string }) => id);
          expect([body.hits, [...found].sort()]).toEqual([expected.length, [...expected].sort()]);
        },
      ),
      { numRuns: runsHere(30) },
    );
  });
});

describe("who may write shapes of one tag", () => {
  let original: string;
  let lowres: string;
  beforeEach(async () => {
    [original, lowres] = [await makeShape("original"), await makeShape("lowres")];
    await grant(on("WRITE", "lowres"));
    await grant(on("READ", "original"));
  });

  const shape = (id: string) => `/item/${item}/shape/${id}`;
  const create = (...tag: readonly string[]) => ada(`POST /item/${item}/shape/create`, { body: { tag } });
  const pair = { body: { field: [{ key: "made", value: "by hand" }] } };

  test("creates, changes and deletes those", async () => {
    const answer = await create("lowres");
    expect([answer.status, answer.body.tag]).toEqual([200, ["lowres"]]);
    expect((await ada(`PUT ${shape(lowres)}/mime/video/mp4`)).status).toBe(200);
    expect((await ada(`PUT ${shape(lowres)}/metadata`, pair)).status).toBe(204);
    expect((await ada(`DELETE ${shape(lowres)}`)).status).toBe(200);
    expect((await admin(`GET ${shape(original)}`)).status).toBe(200);
  });

  test.each<[string, () => Promise<{ readonly status: number }>]>([
    ["a shape of another tag", () => create("original")],
    ["a shape of that tag and another", () => create("lowres", "web")],
    ["a shape without a tag", () => create()],
    ["a change of another", () => ada(`PUT ${shape(original)}/mime/video/mp4`)],
    ["pairs of text at another", () => ada(`PUT ${shape(original)}/metadata`, pair)],
    ["the end of another", () => ada(`DELETE ${shape(original)}`)],
    ["all shapes at once", () => ada(`DELETE /item/${item}/shape`)],
    ["another tag at one of those", () => ada(`PUT ${shape(lowres)}/tag/original`)],
    ["that tag at another", () => ada(`PUT ${shape(original)}/tag/lowres`)],
    ["one of those without its tag", () => ada(`DELETE ${shape(lowres)}/tag/lowres`)],
    [
      "fields of the item",
      () => ada(`POST /item/${item}/shape/create?updateItemMetadata=true`, { body: { tag: ["lowres"] } }),
    ],
  ])("is refused %s", async (_what, attempt) => {
    const before = (await admin(`GET /item/${item}?content=shape,metadata`)).body;
    expect((await attempt()).status).toBe(403);
    expect((await admin(`GET /item/${item}?content=shape,metadata`)).body).toEqual(before);
  });

  test("leaves alone what is hidden from them", async () => {
    await grant(on("NONE", "original", 1));
    expect((await ada(`DELETE ${shape(original)}`)).status).toBe(404);
    expect((await ada(`DELETE /item/${item}/shape`)).status).toBe(204);
    expect((await admin(`GET /item/${item}/shape`)).body.uri).toEqual([original]);
    const fields = (await admin(`GET /item/${item}?content=metadata&field=shapeTag,__shape,__shape_size&terse=true`))
      .body;
    expect(fields.terse).toMatchObject({ shapeTag: [{ value: "original" }], __shape: [{ value: original }] });
  });

  test("makes new ones of the version that the item has, also when that is hidden", async () => {
    await admin(`POST ${shape(original)}/version`);
    await grant(on("NONE", "original", 1));
    expect((await create("lowres")).body.essenceVersion).toBe(1);
  });
});
