import { describe, expect, test } from "vitest";
import { type JsonSender, openArchive } from "./search-archive.ts";

describe("a facet of words", () => {
  async function notes() {
    const archive = await openArchive();
    const { admin, create, user } = archive;
    await admin("PUT /metadata-field/shot_words", { type: "string" });
    const first = await create({ title: "Harbour", shot_words: "the old wall" });
    const second = await create({ title: "Harbour", shot_words: 'The "new" wall' });
    await create({ title: "Lighthouse", shot_words: "the door" });
    const eve = await user("eve", ["_item_read"]);
    await admin(`POST /item/${second}/access`, { permission: "READ", user: "eve" });
    const { body: collection } = await admin("POST /collection?name=Quay");
    await admin(`PUT /collection/${collection.id}/${first}?type=item`);
    const counts = async (send: JsonSender, path: string, query: object) => {
      const { body } = await send(`PUT ${path}`, { ...query, facet: [{ field: "shot_words" }] });
      const count: readonly { readonly fieldValue: string; readonly value: number }[] = body.facet[0].count ?? [];
      return count.map(({ fieldValue, value }) => `${fieldValue} ${value}`);
    };
    return { ...archive, eve, collection: collection.id as string, counts };
  }

  test("counts those of all hits", async () => {
    const { admin, counts } = await notes();
    expect(await counts(admin, "/item", {})).toEqual(["the 3", "wall 2", "door 1", "new 1", "old 1"]);
    const text = [{ value: "harbour" }];
    expect(await counts(admin, "/item", { text })).toEqual(["the 2", "wall 2", "new 1", "old 1"]);
  });

  test("counts those of hits that the caller may see", async () => {
    const { eve, counts } = await notes();
    expect(await counts(eve, "/item", {})).toEqual(["new 1", "the 1", "wall 1"]);
    expect(await counts(eve, "/item", { text: [{ value: "lighthouse" }] })).toEqual([]);
  });

  test("counts those of a collection, and of what other rows tell", async () => {
    const { admin, eve, collection, counts } = await notes();
    const inCollection = ["old 1", "the 1", "wall 1"];
    expect(await counts(admin, `/collection/${collection}/item`, {})).toEqual(inCollection);
    const field = [{ name: "__collection", value: [{ value: collection }] }];
    expect(await counts(admin, "/item", { field })).toEqual(inCollection);
    expect(await counts(eve, "/item", { field })).toEqual([]);
  });
});

test("scheme chooses the addresses that shapes and files show", async () => {
  const { admin } = await openArchive();
  const uri = ["https://media.example/a.mp4"];
  const { status } = await admin("POST /storage/file", { uri, state: "CLOSED" });
  expect(status).toBe(200);
  const uris = async (parameters: string) => (await admin(`PUT /search/file${parameters}`, {})).body.file[0].uri ?? [];
  expect([await uris(""), await uris("?scheme=https"), await uris(";scheme=file")]).toEqual([uri, uri, []]);
});

test("a group criterion has one reference, written as in XML", async () => {
  const { kinora, admin } = await openArchive();
  await admin("PUT /metadata-field/field-group/shot");
  const reference = "00000000-0000-8000-8000-000000000000";
  expect((await admin("PUT /item", { group: [{ name: "shot", reference }] })).body.hits).toBe(0);
  const body = `<ItemSearchDocument><group><name>shot</name><reference>${reference}</reference></group></ItemSearchDocument>`;
  const headers = { "content-type": "application/xml", accept: "application/json" };
  const answer = await kinora.admin("/API/item", { method: "PUT", headers, body });
  expect([answer.status, (await answer.json()) as object]).toMatchObject([200, { hits: 0 }]);
});
