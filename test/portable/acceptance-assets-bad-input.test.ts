import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Answer,
  type Client,
  clientOf,
  document,
  metadataJson,
  metadataXml,
  valuesOf,
} from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";

let kinora: TestService;
let admin: Client;
let id = "";
beforeAll(async () => {
  kinora = await startService();
  admin = clientOf(kinora.admin);
  await admin.json("PUT /API/metadata-field/news_note", { type: "string" });
  await admin.json("PUT /API/metadata-field/news_exact", { type: "string-exact" });
  await admin.json("PUT /API/metadata-field/news_at", { type: "timeCode" });
  await admin.json("PUT /API/metadata-field/field-group/news_shot");
  await admin.json("PUT /API/metadata-field/field-group/news_shot/news_note");
  await admin.json("PUT /API/metadata-field/field-group/news_shot/group/news_shot");
  id = (await admin.json("POST /API/import/placeholder", metadataJson({ title: "Harbour" }))).json.id;
});
afterAll(() => kinora.close());

/** The sentence of a refusal. */
function sentence({ json }: Answer): string {
  const [kind, said] = Object.entries(json).find(([, value]) => value !== null) ?? [];
  return `${kind} ${JSON.stringify(said)}`;
}

const span = (inner: object, start = "-INF", end = "+INF") => ({ timespan: [{ start, end, ...inner }] });
const put = (body: object) => admin.json(`PUT /API/item/${id}/metadata`, body);
const search = (query: object) => admin.json("PUT /API/item?number=5", query);

describe("metadata that is too deep, too wide or too long", () => {
  const deep = (depth: number): object =>
    depth === 0 ? { name: "news_shot" } : { name: "news_shot", group: [deep(depth - 1)] };

  test("groups in groups: as deep as the limit, and not deeper", async () => {
    expect((await put(span({ group: [deep(10)] }))).status).toBe(200);
    const refused = await put(span({ group: [deep(200)] }));
    expect([refused.status, sentence(refused)]).toEqual([400, expect.stringMatching(/deep|depth|nest/i)]);
    const xml = `${"<group><name>news_shot</name>".repeat(100)}${"</group>".repeat(100)}`;
    const body = document("MetadataDocument", `<timespan start="-INF" end="+INF">${xml}</timespan>`);
    expect((await admin.xml(`PUT /API/item/${id}/metadata`, body)).status).toBe(400);
  });

  test("10,000 values of a field are handled", async () => {
    const values = Array.from({ length: 10_000 }, (_, index) => `v${index}`);
    const made = await admin.json("POST /API/import/placeholder", metadataJson({ news_exact: values }));
    expect(made.status).toBeOneOf([200, 400, 413]);
    if (made.status === 200) {
      const found = await search({ field: [{ name: "news_exact", value: [{ value: "v9999" }] }] });
      expect(found.json.hits).toBe(1);
      await admin.json(`DELETE /API/item/${made.json.id}`);
    } else expect(sentence(made)).toMatch(/10,?000|values|entries|many/);
  });

  test("10,000 fields: known ones are handled, an unknown one among them is named", async () => {
    const fields = Array.from({ length: 10_000 }, (_, index) => ({
      name: index % 2 === 0 ? "news_note" : "news_exact",
      track: `V${index + 1}`,
      value: [{ value: `note ${index}` }],
    }));
    const made = await admin.json("POST /API/import/placeholder", span({ field: fields }));
    expect(made.status).toBeOneOf([200, 400, 413]);
    if (made.status !== 200) expect(sentence(made)).toMatch(/\d,?000|many/);
    const unknown = await admin.json(
      "POST /API/import/placeholder",
      span({
        field: Array.from({ length: 10_000 }, (_, index) => ({ name: `none_${index}`, value: [{ value: "x" }] })),
      }),
    );
    expect(unknown.status).toBeOneOf([400, 404, 413]);
    if (unknown.status === 404) expect(unknown.json.notFound).toMatchObject({ type: "metadata-field", id: "none_0" });
  });

  test("1,000 languages", async () => {
    const letters = "abcdefghij";
    const tags = Array.from(
      { length: 1000 },
      (_, index) => `x${letters[index % 10]}${letters[Math.floor(index / 10) % 10]}-${String(index).padStart(3, "0")}`,
    );
    const value = tags.map((lang, index) => ({ value: `word ${index}`, lang }));
    const written = await put(span({ field: [{ name: "news_note", value }] }));
    expect([written.status, written.status === 200 ? "" : sentence(written)]).toEqual([200, ""]);
    const one = await admin.json(`GET /API/item/${id}/metadata?field=news_note&language=${tags[500]}`);
    expect(valuesOf(one.json.item[0].metadata, "news_note")).toEqual(["word 500"]);
    expect((await put(span({ field: [{ name: "news_note" }] }))).status).toBe(200);
  });

  test("a document beyond the limit is refused whole", async () => {
    const refused = await put(metadataJson({ news_note: "x".repeat(17 * 1024 * 1024) }));
    expect([refused.status, sentence(refused)]).toEqual([413, expect.stringMatching(/16|limit|large/i)]);
  });
});

describe("metadata that is wrong", () => {
  test.each([
    ["a time code without a rate", ["25@", "50@"]],
    ["a time code of words", ["start", "end"]],
    ["a rate of nothing", ["25@0", "50@0"]],
    ["a rate of two zeros", ["25@0:0", "50@0:0"]],
    ["an end before the start", ["50@PAL", "25@PAL"]],
    ["an infinite start at the wrong end", ["+INF", "-INF"]],
    ["a rate that nobody has", ["1@FILM", "2@FILM"]],
    ["numbers that are no longer exact", ["1e400", "2e400"]],
  ])("%s is refused, and named", async (_, [start = "", end = ""]) => {
    const refused = await put(span({ field: [{ name: "news_note", value: [{ value: "x" }] }] }, start, end));
    expect([refused.status, sentence(refused)]).toEqual([
      400,
      expect.stringMatching(/invalidInput.*(time|span|start|end)/i),
    ]);
  });

  test.each([
    ["a value of a time code", { field: [{ name: "news_at", value: [{ value: "25@" }] }] }, 400, "news_at"],
    ["a track that is none", { field: [{ name: "news_note", track: "first", value: [{ value: "x" }] }] }, 400, "track"],
    [
      "a language that is none",
      { field: [{ name: "news_note", value: [{ value: "x", lang: "no language" }] }] },
      400,
      "lang",
    ],
    ["an unknown group", { group: [{ name: "news_none" }] }, 404, "news_none"],
    ["a field without a name", { field: [{ value: [{ value: "x" }] }] }, 400, "name"],
    [
      "an uuid that is nobody's",
      {
        field: [
          { name: "news_note", value: [{ value: "x", mode: "remove", uuid: "12345678-1234-4123-8123-123456789012" }] },
        ],
      },
      undefined,
      "uuid|1234",
    ],
    [
      "an uuid that is none",
      { field: [{ name: "news_note", value: [{ value: "x", mode: "remove", uuid: "'; drop table item; --" }] }] },
      undefined,
      "uuid|drop",
    ],
    [
      "a mode that is none",
      { field: [{ name: "news_note", value: [{ value: "x", mode: "append" }] }] },
      400,
      "mode|append",
    ],
  ])("%s is refused with a sentence", async (_, inner, status, named) => {
    const refused = await put(span(inner));
    if (status !== undefined) expect(refused.status).toBe(status);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect(sentence(refused)).toMatch(new RegExp(named));
    expect(valuesOf((await admin.json(`GET /API/item/${id}/metadata`)).json.item[0].metadata, "news_note")).toEqual([]);
  });

  test.each(["revision=nonsense", "interval=x-y", "interval=5", "track=first", "sampleRate=fast", "content=colour"])(
    "reading with %s is refused or passed over, never an error of ours",
    async (query) => {
      const answer = await admin.json(`GET /API/item/${id}/metadata?${query}`);
      expect([query, answer.status]).toEqual([query, expect.toBeOneOf([200, 400, 404])]);
    },
  );
});

/** Texts that are syntax somewhere. */
const syntax = [
  "'",
  "''; drop table item; --",
  '" OR "1"="1',
  "a AND b OR NOT c",
  "NEAR(a b, 3)",
  "title:harbour",
  "{title}:x",
  "-harbour",
  "^harbour",
  "har*bour",
  "*",
  "?",
  "%",
  "_",
  "\\",
  "((((",
  "a+b",
  '"unclosed phrase',
  "<b>&amp;</b>",
  "select * from sqlite_master",
  "$(env:HOME)",
  "\u2028",
  "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ｆｕｌｌ",
  "e\u0301",
  "?1 ?2 :name @x $y",
];

describe("syntax in values is data", () => {
  test.each(syntax)("%j is stored, read and found as it is", async (value) => {
    const made = await admin.json(
      "POST /API/import/placeholder",
      metadataJson({ title: value, news_exact: value, news_note: `before ${value} after` }),
    );
    expect(made.status).toBe(200);
    const read = (await admin.json(`GET /API/item/${made.json.id}?content=metadata`)).json.metadata;
    expect([valuesOf(read, "title"), valuesOf(read, "news_exact")]).toEqual([[value], [value]]);
    const exact = await search({ field: [{ name: "news_exact", value: [{ value }] }] });
    expect(exact.status).toBe(200);
    if (!/[*?]/.test(value)) expect(exact.json.item.map((one: { id: string }) => one.id)).toEqual([made.json.id]);
    for (const query of [
      { text: [{ value }] },
      { field: [{ name: "title", value: [{ value }] }] },
      { operator: { operation: "NOT", text: [{ value }] } },
      { field: [{ name: "news_exact", range: [{ value: [{ value }, { value: `${value}z` }] }] }] },
      { facet: [{ field: "news_exact" }], highlight: { field: ["title"] }, text: [{ value }] },
      { suggestion: { maximumSuggestions: 3 }, text: [{ value }] },
    ]) {
      const answer = await search(query);
      expect([JSON.stringify(query), answer.status]).toEqual([JSON.stringify(query), 200]);
    }
    const completed = await admin.json("PUT /API/search/autocomplete", { text: value, field: "title" });
    expect([200, 400]).toContain(completed.status);
    await admin.json(`DELETE /API/item/${made.json.id}`);
  });

  test.each(syntax)("%j as query syntax is understood or refused, never an error of ours", async (value) => {
    for (const query of [
      { text: [{ value, noescape: true }] },
      { field: [{ name: "title", value: [{ value, noescape: true }] }] },
      { field: [{ name: "news_exact", value: [{ value, noescape: true }] }] },
    ]) {
      expect([200, 400]).toContain((await search(query)).status);
    }
  });

  test.each(syntax)("%j as a name of a field, a group, a sort or a facet is not found", async (value) => {
    for (const query of [
      { field: [{ name: value, value: [{ value: "x" }] }] },
      { group: [{ name: value, field: [{ name: "news_note", value: [{ value: "x" }] }] }] },
      { sort: [{ field: value }] },
      { facet: [{ field: value }] },
    ]) {
      const answer = await search(query);
      expect([JSON.stringify(query), answer.status]).toEqual([JSON.stringify(query), expect.toBeOneOf([400, 404])]);
    }
  });

  test.each(syntax)("%j in a path is an identifier that is not there", async (value) => {
    const path = encodeURIComponent(value);
    for (const request of [
      `GET /API/item/${path}`,
      `GET /API/item/${path}/metadata`,
      `GET /API/collection/${path}`,
      `GET /API/library/${path}`,
      `GET /API/metadata-field/${path}`,
      `GET /API/item/${id}/access/${path}`,
      `GET /API/item/${id}/metadata/changes/${path}`,
      `PUT /API/item/${id}/metadata/entry/${path}`,
    ]) {
      const answer = await admin.json(request);
      expect([request, answer.status]).toEqual([request, expect.toBeOneOf([400, 404])]);
    }
  });
});

describe("searches that would explode", () => {
  const nested = (depth: number): object =>
    depth === 1
      ? { operation: "AND", text: [{ value: "harbour" }] }
      : { operation: "AND", operator: [nested(depth - 1)] };

  test("nested 64 deep in JSON: handled; 1,000 deep refused", async () => {
    expect((await search({ operator: nested(60) })).json.hits).toBe(1);
    const refused = await search({ operator: nested(1000) });
    expect([refused.status, sentence(refused)]).toEqual([400, expect.stringMatching(/deep|depth|nest|level/i)]);
  });

  test("nested in XML beyond the depth of documents: refused with line and column", async () => {
    const xml = `${'<operator operation="AND">'.repeat(100)}<text>x</text>${"</operator>".repeat(100)}`;
    const refused = await admin.send("PUT /API/item", {
      accept: "application/json",
      type: "application/xml",
      body: document("ItemSearchDocument", xml),
    });
    expect([refused.status, sentence(refused)]).toEqual([400, expect.stringMatching(/deep|depth/i)]);
  });

  test("1,000 clauses are handled, 1,001 refused with the limit", async () => {
    const fields = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: "news_exact", value: [{ value: `v${index}` }] }));
    expect((await search({ operator: { operation: "OR", field: fields(1000) } })).status).toBe(200);
    const refused = await search({ operator: { operation: "OR", field: fields(1001) } });
    expect([refused.status, sentence(refused)]).toEqual([400, expect.stringMatching(/1,?000/)]);
  });

  test("leading wildcards find what they should, and many of them are bounded", async () => {
    const one = await search({ field: [{ name: "title", value: [{ value: "*bour", noescape: true }] }] });
    expect([one.status, one.json.hits]).toEqual([200, 1]);
    const many = Array.from({ length: 500 }, (_, index) => ({ value: `*a*${index}*`, noescape: true }));
    const bounded = await search({ field: [{ name: "title", value: many }] });
    expect([200, 400]).toContain(bounded.status);
    if (bounded.status === 400) expect(sentence(bounded)).toMatch(/pattern|wildcard|cost|expensive/i);
  });

  test.each([
    ["first=0", 200],
    ["first=-1", 400],
    ["number=1001", 400],
    ["number=many", 400],
    ["cursor=nonsense", 400],
    ["first=1000000000", 200],
  ])("%s", async (query, status) => {
    const answer = await admin.json(`PUT /API/item?${query}`, {});
    expect([query, answer.status]).toEqual([query, status]);
    if (status === 400) expect(sentence(answer)).toContain(query.split("=")[0]);
  });
});

describe("bodies that are no documents", () => {
  test.each([
    ["broken XML", "application/xml", "<MetadataDocument><timespan>"],
    ["a DTD", "application/xml", '<!DOCTYPE a [<!ENTITY b "c">]><MetadataDocument/>'],
    ["broken JSON", "application/json", '{"timespan":['],
    ["a list", "application/json", "[]"],
    ["a text", "application/json", '"harbour"'],
    ["fields that are no list of objects", "application/json", '{"timespan":[{"field":"title"}]}'],
    ["an unknown key", "application/json", '{"timespan":[{"feild":[]}]}'],
  ])("%s is refused with its place", async (_, type, body) => {
    for (const request of [`PUT /API/item/${id}/metadata`, "POST /API/import/placeholder", "PUT /API/item"]) {
      const refused = await admin.send(request, { accept: "application/json", type, body });
      expect([request, refused.status]).toEqual([request, 400]);
      expect(sentence(refused)).toMatch(/invalidInput/);
    }
  });

  test("metadata of another document says what it is not", async () => {
    const refused = await admin.xml(`PUT /API/item/${id}/metadata`, document("ItemSearchDocument", "<text>x</text>"));
    expect(refused.status).toBe(400);
    const good = await admin.xml(`PUT /API/item/${id}/metadata`, metadataXml({ title: "Harbour" }));
    expect(good.status).toBe(200);
  });
});
