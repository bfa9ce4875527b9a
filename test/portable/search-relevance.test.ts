import { describe, expect, test } from "vitest";
import { type Archive, openArchive } from "./search-archive.ts";

const byRelevance = { sort: [{ field: "_relevance", order: "descending" }] };
const boosted = (value: string, boost?: number) => ({ value, ...(boost === undefined ? {} : { boost }) });

/** Items that have one word each of what is searched for, besides others that make both equally rare. */
async function twoWords({ create }: Archive) {
  const harbour = await create({ title: "harbour wall" });
  const lighthouse = await create({ title: "lighthouse wall" });
  return { harbour, lighthouse };
}

describe("sorting by _relevance", () => {
  test("puts first what has the words more often", async () => {
    const { create, find } = await openArchive();
    const often = await create({ title: "harbour harbour harbour" });
    const once = await create({ title: "the harbour of a town in the south" });
    await create({ title: "something else" });
    expect(await find({ text: [{ value: "harbour" }], ...byRelevance })).toEqual([often, once]);
    const worstFirst = { sort: [{ field: "_relevance", order: "ascending" }] };
    expect(await find({ text: [{ value: "harbour" }], ...worstFirst })).toEqual([once, often]);
  });

  test("follows the boosts of texts, values and parts of a query", async () => {
    const archive = await openArchive();
    const { find } = archive;
    const { harbour, lighthouse } = await twoWords(archive);
    for (const [more, less, first] of [
      ["harbour", "lighthouse", harbour],
      ["lighthouse", "harbour", lighthouse],
    ] as const) {
      const second = first === harbour ? lighthouse : harbour;
      const operator = { operation: "OR", text: [boosted(less), boosted(more, 4)] };
      const field = [{ name: "title", value: [boosted(less, 0.5), boosted(more)] }];
      const text = [{ value: `${less} (${more})^3`, noescape: true }];
      for (const query of [{ operator }, { field }, { text }]) {
        expect([query, await find({ ...query, ...byRelevance })]).toEqual([query, [first, second]]);
      }
    }
  });

  test("follows the boost in the definition of a field", async () => {
    const { admin, create, find } = await openArchive();
    for (const [name, boost] of [
      ["plain_note", undefined],
      ["weighty_note", 5],
    ]) {
      await admin(`PUT /metadata-field/${name}`, { type: "string", ...(boost === undefined ? {} : { boost }) });
    }
    const weighty = await create({ weighty_note: "harbour", plain_note: "wall" });
    const plain = await create({ plain_note: "harbour", weighty_note: "wall" });
    expect(await find({ text: [{ value: "harbour" }], ...byRelevance })).toEqual([weighty, plain]);
    const value = [{ value: "harbour" }];
    const field = [
      { name: "plain_note", value },
      { name: "weighty_note", value },
    ];
    expect(await find({ operator: { operation: "OR", field }, ...byRelevance })).toEqual([weighty, plain]);
  });

  test("counts nothing of filters, of what must not be, and of other entities", async () => {
    const archive = await openArchive();
    const { create, find } = archive;
    const often = await create({ title: "harbour wall wall", originalFormat: "mxf" });
    const once = await create({ title: "harbour", originalFormat: "mp4" });
    const formats = [boosted("mxf", 9), boosted("mp4")];
    const filter = [{ operation: "OR", field: [{ name: "originalFormat", value: formats }] }];
    const text = [{ value: "harbour" }];
    expect(await find({ text, filter, ...byRelevance })).toEqual([once, often]);
    const not = { operation: "NOT", text: [boosted("wall quay", 7)] };
    const operator = { operation: "OR", text, operator: [not] };
    expect(await find({ operator, ...byRelevance })).toEqual([once, often]);
  });

  test("holds within a collection, over pages and cursors", async () => {
    const archive = await openArchive();
    const { admin, create, find } = archive;
    const { body: collection } = await admin("POST /collection?name=Quay");
    const ids: string[] = [];
    for (let count = 1; count <= 5; count++) ids.unshift(await create({ title: "harbour ".repeat(count) }));
    await create({ title: "lighthouse" });
    for (const id of ids) await admin(`PUT /collection/${collection.id}/${id}?type=item`);
    const query = { text: [boosted("harbour", 2)], ...byRelevance };
    expect(await find(query)).toEqual(ids);
    const idsIn = ({ body }: { readonly body: { readonly item: { readonly id: string }[] } }) =>
      body.item.map(({ id }) => id);
    expect(idsIn(await admin(`PUT /collection/${collection.id}/item`, query))).toEqual(ids);
    expect(await find(query, "?first=2&number=2")).toEqual(ids.slice(1, 3));
    const found: string[] = [];
    for (let cursor = "*"; ; ) {
      const answer = await admin(`PUT /item?number=2&cursor=${cursor}`, query);
      found.push(...idsIn(answer));
      if (idsIn(answer).length < 2) break;
      cursor = answer.body.nextCursor;
    }
    expect(found).toEqual(ids);
  });

  test("makes no difference where everything fits alike", async () => {
    const archive = await openArchive();
    const { harbour, lighthouse } = await twoWords(archive);
    expect(await archive.find(byRelevance)).toEqual([lighthouse, harbour]);
    expect(
      await archive.find({ shape: { field: [{ name: "placeholder", value: [{ value: "true" }] }] }, ...byRelevance }),
    ).toEqual([lighthouse, harbour]);
  });

  test("without it boosts are read and change nothing", async () => {
    const archive = await openArchive();
    const { harbour, lighthouse } = await twoWords(archive);
    const text = [{ value: "harbour^4 lighthouse", noescape: true, boost: 3 }];
    expect(await archive.find({ text })).toEqual([lighthouse, harbour]);
  });

  test.each([
    ["a boost below zero", { text: [boosted("a", -1)] }],
    [
      "17 different boosts",
      { text: Array.from({ length: 17 }, (_, index) => boosted("a", index + 2)), ...byRelevance },
    ],
  ])("refuses %s", async (_what, query) => {
    const { admin } = await openArchive();
    const answer = await admin("PUT /item", query);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining("boost")]);
  });
});
