import { describe, expect, test } from "vitest";
import { createRelatedIndex } from "../../src/assets/search/index/related-index.ts";
import { searchLimits } from "../../src/assets/search/query/search-cost.ts";
import { KinoraError } from "../../src/errors.ts";
import { administrator, makeSearchWorld, subject } from "./search-world.ts";

const text = (value: string) => ({ text: [{ value }] });

describe("where a hit matches", () => {
  const timed = async () => {
    const world = await makeSearchWorld();
    await world.put("item", 1, [
      { field: "title", text: "Match report" },
      { field: "remark", text: "first goal", span: ["250@PAL", "500@PAL"] },
      { field: "remark", text: "second goal", span: ["60", "70"] },
      { field: "remark", text: "a goal kick", span: ["10", "20"] },
    ]);
    await world.put("item", 2, [{ field: "title", text: "Goal of the month" }]);
    return world;
  };

  test("is told by the timespans of the values that match", async () => {
    const { found } = await (await timed()).run(text("goal"));
    expect(found).toEqual([
      { kind: "item", serial: 2, start: "-INF", end: "+INF", timespans: [{ start: "-INF", end: "+INF" }] },
      {
        kind: "item",
        serial: 1,
        start: "250@PAL",
        end: "70",
        timespans: [
          { start: "250@PAL", end: "500@PAL" },
          { start: "60", end: "70" },
        ],
      },
    ]);
  });

  test.each([
    ["timed", "goal", ["item 1"]],
    ["generic", "goal", ["item 2"]],
    ["all", "goal", ["item 2", "item 1"]],
    ["timed", "match", []],
  ] as const)("can be limited: intervals %s, %s", async (intervals, word, found) => {
    expect(await (await timed()).find({ ...text(word), intervals })).toEqual(found);
  });

  test("is shown with what matches marked", async () => {
    const world = await timed();
    await world.put("item", 3, [
      { field: "remark", text: "Goal, GOAL! A goalkeeper's goal" },
      { field: "keyword", text: "goal" },
      { field: "keyword", text: "other" },
    ]);
    const query = { ...text("goal"), highlight: { prefix: "[", suffix: "]", field: ["remark", "keyword"] } };
    const { found } = await world.run(query);
    expect(found[0]?.timespans).toEqual([
      {
        start: "-INF",
        end: "+INF",
        field: [
          { name: "remark", value: ["[Goal], [GOAL]! A goalkeeper's [goal]"] },
          { name: "keyword", value: ["[goal]"] },
        ],
      },
    ]);
    const all = await world.run({ ...query, highlight: { ...query.highlight, matchingOnly: false } });
    expect(all.found[0]?.timespans[0]?.field?.[1]).toEqual({ name: "keyword", value: ["[goal]", "other"] });
  });

  test("reads no metadata of hits without timespans", async () => {
    const world = await makeSearchWorld();
    for (let serial = 1; serial <= 5; serial++) await world.put("item", serial, [{ field: "title", text: "goal" }]);
    world.statements();
    await world.run(text("goal"));
    expect(world.statements()).toHaveLength(1);
  });
});

describe("completion and suggestions", () => {
  const filled = async () => {
    const world = await makeSearchWorld();
    for (const [index, title] of ["Harbour dawn", "Harbour dusk", "Harvest", "Horizon dawn"].entries()) {
      await world.put("item", index + 1, [
        { field: "title", text: title },
        { field: "keyword", text: `Key ${title}` },
      ]);
    }
    return world;
  };

  test.each([
    [{ text: "har" }, ["harbour", "harvest"]],
    [{ text: "har", maximumSuggestions: 1 }, ["harbour"]],
    [{ text: "harbour d" }, ["harbour dawn", "harbour dusk"]],
    [{ text: "horizon d" }, ["horizon dawn"]],
    [{ text: "Key Har", field: "keyword" }, ["Key Harbour dawn", "Key Harbour dusk", "Key Harvest"]],
    [{ text: "da", field: "title" }, ["dawn"]],
    [{ text: "x" }, []],
    [{ text: "" }, []],
  ])("%j is completed", async (request, suggestion) => {
    const { search } = await filled();
    expect((await search.autocomplete(administrator(), ["item"], request)).suggestion).toEqual(suggestion);
  });

  test("tells nothing of what the caller cannot find", async () => {
    const world = await filled();
    await world.access("item", 3, 1);
    world.grant("ada", [1]);
    const { suggestion } = await world.search.autocomplete(subject("ada"), ["item"], { text: "har" });
    expect(suggestion).toEqual(["harvest"]);
  });

  test("words that are written alike and more frequent are suggested", async () => {
    const world = await filled();
    const { hits, suggestions } = await world.run({ ...text("harbuor"), suggestion: {} });
    expect([hits, suggestions]).toEqual([0, [{ term: "harbuor", suggestion: ["harbour"] }]]);
    expect((await world.run({ ...text("harbour"), suggestion: {} })).suggestions).toEqual([]);
  });
});

describe("callers who may not see a field", () => {
  test("find nothing by it, neither by name nor in the full text, and count none of its values", async () => {
    const world = await makeSearchWorld();
    await world.put("item", 1, [
      { field: "remark", text: "secret word" },
      { field: "title", text: "open word" },
      { field: "keyword", text: "hidden" },
    ]);
    await world.access("item", 1, 1);
    world.grant("ada", [1]);
    world.hide("remark", "keyword");
    const ada = { subject: subject("ada") };
    const remark = { field: [{ name: "remark", value: [{ value: "secret" }] }] };
    expect(await world.find(remark, ada)).toEqual([]);
    expect(await world.find(text("secret"), ada)).toEqual([]);
    expect(await world.find(text("open"), ada)).toEqual(["item 1"]);
    expect((await world.run({ facet: [{ field: "keyword" }] }, ada)).facets).toMatchObject([{ count: [] }]);
    expect(await world.find(text("secret"))).toEqual(["item 1"]);
  });
});

describe("groups", () => {
  const groups = [
    [["shot", 1]],
    [["shot", 2]],
    [
      ["shot", 2],
      ["take", 3],
    ],
  ] as const;
  const query = {
    group: [
      {
        name: "shot",
        field: [
          { name: "title", value: [{ value: "wide" }] },
          { name: "keyword", value: [{ value: "night" }] },
        ],
      },
    ],
  };

  test("must hold all of a criterion in one instance", async () => {
    const world = await makeSearchWorld();
    await world.put("item", 1, [
      { field: "title", text: "wide", groups: groups[0] },
      { field: "keyword", text: "night", groups: groups[1] },
    ]);
    expect(await world.find(query)).toEqual([]);
    await world.put("item", 1, [
      { field: "title", text: "wide", groups: groups[1] },
      { field: "keyword", text: "night", groups: groups[1] },
    ]);
    expect(await world.find(query)).toEqual(["item 1"]);
  });

  test("within groups are instances of their own, unless metadataGroupSearchStyle merges them", async () => {
    const values = [
      { field: "title", text: "wide", groups: groups[1] },
      { field: "keyword", text: "night", groups: groups[2] },
    ];
    const separate = await makeSearchWorld();
    await separate.put("item", 1, values);
    expect(await separate.find(query)).toEqual([]);
    const merged = await makeSearchWorld({ groupStyle: "mergeToTopLevelGroup" });
    await merged.put("item", 1, values);
    expect(await merged.find(query)).toEqual(["item 1"]);
  });
});

describe("shapes and files", () => {
  test("are found by what they are, and items by their shapes", async () => {
    const world = await makeSearchWorld({ related: true });
    const index = createRelatedIndex();
    await world.put("item", 1, [{ field: "title", text: "one" }]);
    await world.put("item", 2, [{ field: "title", text: "two" }]);
    await world.change((change) => {
      for (const [shape, item, codec, width] of [
        [11, 1, "h264", "1920"],
        [12, 1, "prores", "1280"],
        [13, 2, "h264", "640"],
      ] as const) {
        change.add({
          sql: `insert into shape (id, item, created, version, awaited, writes, body) values (?, ?, 0, 1, 0, 1, '{}')`,
          args: [shape, item],
        });
        index.entity(change, {
          kind: "shape",
          serial: shape,
          fields: [
            { name: "videoCodec", type: "string-exact", text: codec },
            { name: "width", type: "integer", text: width },
          ],
        });
      }
    });
    const codec = { field: [{ name: "videoCodec", value: [{ value: "h264" }] }] };
    const wide = { field: [{ name: "width", range: [{ value: [{ value: "1000" }, { value: "*" }] }] }] };
    const shapes = { kinds: ["shape"] as const };
    expect(await world.find(codec, shapes)).toEqual(["shape 13", "shape 11"]);
    expect(await world.find({ sort: [{ field: "width", order: "ascending" }] }, shapes)).toEqual([
      "shape 13",
      "shape 12",
      "shape 11",
    ]);
    expect(await world.find({ shape: wide })).toEqual(["item 1"]);
    expect(await world.find({ shape: { ...codec, ...wide } })).toEqual(["item 1"]);
    expect(await world.find({ field: [{ target: "shape", name: "videoCodec", value: [{ value: "h264" }] }] })).toEqual([
      "item 2",
      "item 1",
    ]);
    expect(await world.find({ item: { text: [{ value: "one" }] }, ...codec }, shapes)).toEqual(["shape 11"]);
    await world.access("item", 2, 1);
    world.grant("ada", [1]);
    expect(await world.find(codec, { ...shapes, subject: subject("ada") })).toEqual(["shape 13"]);
    await world.change((change) => index.removeEntity(change, "shape", [13]));
    expect(await world.find(codec, shapes)).toEqual(["shape 11"]);
  });
});

describe("bounds", () => {
  const refusal = async (found: Promise<unknown>) => {
    const error = await found.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof KinoraError ? [error.status, error.message] : error;
  };

  test("a wildcard that stands for too many values is refused, one for the most is not", async () => {
    const world = await makeSearchWorld();
    const most = searchLimits.expansions;
    const words = Array.from({ length: most }, (_, index) => `x${index}y`);
    await world.put("item", 1, [{ field: "remark", text: words.join(" ") }]);
    expect(await world.find(text("*y"))).toEqual(["item 1"]);
    await world.put("item", 2, [{ field: "remark", text: "xxy" }]);
    expect(await refusal(world.find(text("*y")))).toEqual([
      400,
      `The search has more than ${most} different values that a wildcard or ~ stands for; be more specific`,
    ]);
    expect(await world.find(text("xx*"))).toEqual(["item 2"]);
  });

  test("wildcards of one value are bounded", async () => {
    const world = await makeSearchWorld();
    expect(await world.find(text("*a*b*c*d*e*f*g*h"))).toEqual([]);
    expect((await refusal(world.find(text("*a*b*c*d*e*f*g*h*i")))) as unknown[]).toContain(400);
  });

  test("a value in query syntax is bounded", async () => {
    const world = await makeSearchWorld();
    const long = (length: number) => ({ text: [{ value: `${"!".repeat(length - 1)}a`, noescape: true }] });
    expect(await world.find(long(searchLimits.queryText))).toEqual([]);
    expect((await refusal(world.find(long(searchLimits.queryText + 1)))) as unknown[]).toContain(400);
  });

  test("the number of statements does not grow with the clauses or the hits", async () => {
    const world = await makeSearchWorld();
    for (let serial = 1; serial <= 30; serial++) {
      await world.put("item", serial, [
        { field: "title", text: `word${serial}` },
        { field: "keyword", text: `k${serial % 3}` },
      ]);
    }
    const statements = async (clauses: number) => {
      world.statements();
      await world.run({
        field: [
          { name: "title", value: Array.from({ length: clauses }, (_, index) => ({ value: `word${index + 1}` })) },
        ],
        facet: [{ field: "keyword" }, { field: "code" }],
        sort: [{ field: "title", order: "descending" }],
      });
      return world.statements().length;
    };
    expect(await statements(500)).toBe(await statements(1));
  });
});
