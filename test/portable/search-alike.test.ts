import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance } from "../../src/assets/search/edit-distance.ts";
import { openArchive } from "./search-archive.ts";

/** By the definition, without any short cut. */
function plainDistance(from: readonly string[], to: readonly string[]): number {
  if (from.length === 0 || to.length === 0) return from.length + to.length;
  const [a, b] = [from.slice(0, -1), to.slice(0, -1)];
  const changed = from.at(-1) === to.at(-1) ? 0 : 1;
  const exchanged = from.length > 1 && to.length > 1 && from.at(-1) === to.at(-2) && from.at(-2) === to.at(-1);
  return Math.min(
    plainDistance(a, to) + 1,
    plainDistance(from, b) + 1,
    plainDistance(a, b) + changed,
    ...(exchanged ? [plainDistance(from.slice(0, -2), to.slice(0, -2)) + 1] : []),
  );
}

test("the number of edits is told exactly up to a bound, and as one more beyond it", () => {
  const word = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 5 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 6 }), (from, to, most) => {
      expect(editDistance(from, to, most)).toBe(Math.min(plainDistance(from, to), most + 1));
    }),
  );
});

const alike = (value: string) => ({ text: [{ value, noescape: true }] });

describe("a word with ~", () => {
  const titles = ["harbour", "harbor", "hrabour", "harboured", "hat", "cat", "Lighthouse keeper", "Élan vital", "b"];
  const cases: readonly (readonly [query: string, found: readonly string[]])[] = [
    ["harbour~0", ["harbour"]],
    ["harbour~1", ["harbour", "harbor", "hrabour"]],
    ["harbour~2", ["harbour", "harbor", "hrabour", "harboured"]],
    ["harbour~", ["harbour", "harbor", "hrabour", "harboured"]],
    ["harbour~0.8", ["harbour", "harbor", "hrabour"]],
    ["HARBOR~1", ["harbour", "harbor"]],
    ["hax~", ["hat"]],
    ["b~", ["b"]],
    ["élam~1", ["Élan vital"]],
    ["lighthuose~ AND keeper", ["Lighthouse keeper"]],
    ["(lighthuose~1 OR hxt~1) AND NOT keepr~1", ["hat"]],
    ["nothing~2", []],
    ["harbour\\~1", []],
  ];

  test("finds words that begin alike and are few edits away", async () => {
    const { admin, create } = await openArchive();
    for (const title of titles) await create({ title });
    const found = async (query: object) => {
      const { body } = await admin("PUT /item?content=metadata&field=title&terse=true", query);
      return body.item.map((item: { terse: { title: { value: string }[] } }) => item.terse.title[0]?.value).sort();
    };
    const wrong: unknown[] = [];
    for (const [value, expected] of cases) {
      const field = { field: [{ name: "title", value: [{ value, noescape: true }] }] };
      for (const query of [alike(value), field]) {
        const hits = await found(query);
        if (JSON.stringify(hits) !== JSON.stringify([...expected].sort())) wrong.push({ value, query, hits, expected });
      }
    }
    expect(wrong).toEqual([]);
  });

  test("is data without noescape", async () => {
    const { create, find } = await openArchive();
    await create({ title: "harbour" });
    const inRow = await create({ title: "harbor 1" });
    expect(await find({ text: [{ value: "harbor~1" }] })).toEqual([inRow]);
  });

  test("is marked in what is highlighted", async () => {
    const { admin, create } = await openArchive();
    await create({ title: "The old harbour at dawn" });
    const { body } = await admin("PUT /item", { ...alike("harbor~1 OR d*n"), highlight: {} });
    expect(body.item[0].timespan[0].field).toEqual([
      { name: "title", value: ["The old <em>harbour</em> at <em>dawn</em>"] },
    ]);
  });

  test.each([
    ["harbour~3", "~3"],
    ["harbour~1.5", "~1.5"],
    ["harb*~1", "~1"],
    ["VX-12~", "single word"],
    ['"at dawn"~2', "~2"],
    ["(a b)~1", "~1"],
    ["~1", "nothing in front"],
    ["^2", "nothing in front"],
    ["harbour^", "boost must be a number"],
    ["harbour^1000001", "boost must be a number"],
  ])("in %s is refused with a sentence", async (query, explained) => {
    const { admin } = await openArchive();
    const answer = await admin("PUT /item", alike(query));
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(explained)]);
  });

  test("looks through at most 100,000 words", async () => {
    const { admin, create } = await openArchive();
    const words = (from: number) => Array.from({ length: 60_000 }, (_, index) => `w${from + index}`).join(" ");
    await create({ title: words(0) });
    expect((await admin("PUT /item", alike("w1x~1"))).status).toBe(200);
    await create({ title: words(60_000) });
    const answer = await admin("PUT /item", alike("w1x~1"));
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining("100000")]);
    expect((await admin("PUT /item", alike("x1x~1"))).status).toBe(200);
  });
});
