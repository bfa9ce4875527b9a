import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf, type Json } from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";

let kinora: TestService;
let admin: Client;
beforeAll(async () => {
  kinora = await startService();
  admin = clientOf(kinora.admin);
  for (const name of ["news_note", "news_keyword"]) {
    await admin.json(`PUT /API/metadata-field/${name}`, { type: "string" });
  }
  await admin.json("PUT /API/metadata-field/field-group/news_shot", { field: [{ name: "news_note" }] });
});
afterAll(() => kinora.close());

const makeItem = async () => (await admin.json("POST /API/import/placeholder", {})).json.id;
const changesOf = (id: string) => `/API/item/${id}/metadata/changes`;

async function setsOf(id: string): Promise<readonly string[]> {
  const { json } = await admin.json(`GET ${changesOf(id)}`);
  return (json.changeSet ?? []).map((changeSet: Json) => changeSet.id);
}

/** The values by what they stand in, without the order in which they were put together. */
function shown(metadata: Json): readonly string[] {
  const walk = (level: Json, path: string): string[] => [
    ...(level.field ?? []).flatMap((field: Json) =>
      (field.value ?? []).map(({ value, lang = "" }: Json) => `${path}${field.name} ${field.uuid} ${lang} ${value}`),
    ),
    ...(level.group ?? []).flatMap((group: Json) => walk(group, `${path}${group.uuid}/`)),
  ];
  return (metadata.timespan ?? []).flatMap((one: Json) => walk(one, `${one.start} `)).sort();
}

async function metadataOf(id: string, revision = ""): Promise<Json> {
  const { json } = await admin.json(`GET /API/item/${id}/metadata?includeTransientMetadata=false&revision=${revision}`);
  return json.item[0].metadata;
}

const note = (value: string, more: object = {}) => ({ name: "news_note", value: [{ value, ...more }] });
const generic = (...field: object[]) => ({ timespan: [{ field }] });

describe("a history that is edited", () => {
  test("a field that was removed and made anew is one, when the removal is undone", async () => {
    const id = await makeItem();
    const put = (body: object) => admin.json(`PUT /API/item/${id}/metadata`, body);
    await put(generic(note("first")));
    await put(generic({ name: "news_note" }));
    const removal = (await setsOf(id)).at(-1);
    await put(generic(note("second")));
    await admin.json(`DELETE ${changesOf(id)}/${removal}`);
    const { timespan } = await metadataOf(id);
    const notes = timespan[0].field.filter(({ name }: Json) => name === "news_note");
    expect(notes.map(({ value }: Json) => value.map((one: Json) => one.value))).toEqual([["second"]]);
  });

  test("what a trimmed set took away does not come back, what it stands in is still told", async () => {
    const id = await makeItem();
    const put = (body: object) => admin.json(`PUT /API/item/${id}/metadata`, body);
    await put(generic(note("first")));
    await put(generic(note("more", { mode: "add" })));
    await put(generic(note("less"), note("last", { mode: "add" })));
    await put(generic(note("less", { mode: "remove" })));
    const present = shown(await metadataOf(id));
    for (const set of await setsOf(id)) {
      expect((await admin.json(`PUT ${changesOf(id)}/${set}/trim`)).status).toBe(200);
      expect(shown(await metadataOf(id, (await setsOf(id)).at(-1)))).toEqual(present);
    }
    await admin.json(`PUT ${changesOf(id)}/trim`);
    expect(shown(await metadataOf(id, (await setsOf(id)).at(-1)))).toEqual(present);
  });

  const value = fc.record({
    value: fc.constantFrom("a", "b", "c"),
    mode: fc.constantFrom(undefined, undefined, "add", "remove"),
    lang: fc.constantFrom(undefined, undefined, "en"),
  });
  const field = fc.record({
    name: fc.constantFrom("title", "news_note", "news_keyword"),
    value: fc.array(value, { maxLength: 2 }),
  });
  const group = fc.record({ name: fc.constant("news_shot"), field: fc.array(field, { maxLength: 2 }) });
  const document = fc.record({
    timespan: fc.array(
      fc.record({
        start: fc.constantFrom("-INF", "10"),
        field: fc.array(field, { maxLength: 2 }),
        group: fc.array(group, { maxLength: 1 }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  });
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ put: document }) },
    { weight: 1, arbitrary: fc.record({ replace: fc.nat(), by: document }) },
    { weight: 1, arbitrary: fc.record({ undo: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ trim: fc.option(fc.nat(), { nil: undefined }) }) },
  );

  test("its newest set leads to the present, and the present can be put back, whatever is done with it", async () => {
    const act = async (id: string, one: Json): Promise<number> => {
      const sets = await setsOf(id);
      const setAt = (place: number) => `${changesOf(id)}/${sets[place % sets.length]}`;
      if (one.put !== undefined) return (await admin.json(`PUT /API/item/${id}/metadata`, one.put)).status;
      if (one.replace !== undefined) return (await admin.json(`PUT ${setAt(one.replace)}`, one.by)).status;
      if (one.undo !== undefined) return (await admin.json(`DELETE ${setAt(one.undo)}`)).status;
      const path = one.trim === undefined ? changesOf(id) : setAt(one.trim);
      return (await admin.json(`PUT ${path}/trim`)).status;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        const id = await makeItem();
        for (const one of steps) {
          if ((await setsOf(id)).length === 0) break;
          // A set that is undone can leave two groups of a name, of which a document then has to say which it means.
          expect(await act(id, one)).toBeOneOf([200, 400]);
          const present = await metadataOf(id);
          const newest = (await setsOf(id)).at(-1);
          if (newest !== undefined) expect(shown(await metadataOf(id, newest))).toEqual(shown(present));
          expect((await admin.json(`PUT /API/item/${id}/metadata`, present)).status).toBe(200);
          expect([await metadataOf(id), (await setsOf(id)).at(-1)]).toEqual([present, newest]);
        }
      }),
      { numRuns: 25 },
    );
  });
});
