import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { entityKey } from "../../src/assets/entity.ts";
import type { InheritancePort } from "../../src/assets/inheritance-port.ts";
import { addNewMetadata } from "../../src/assets/metadata/new-metadata.ts";
import { reinherit } from "../../src/assets/metadata/reindex.ts";
import { repeatWhenRaced } from "../../src/identity/repeat-when-raced.ts";
import { type AssetApi, fieldsOf, openAssetApi, valuesOf } from "./asset-api.ts";
import { runsHere } from "./runs-here.ts";

/** Which collections each item is in, the nearest first. */
type Membership = Map<number, readonly number[]>;

function inMemory(membership: Membership): InheritancePort {
  return {
    sources: async (items) => new Map(items.map((item) => [item, membership.get(item) ?? []])),
    async *members(collection) {
      yield [...membership].filter(([, collections]) => collections.includes(collection)).map(([item]) => item);
    },
  };
}

interface World {
  readonly api: AssetApi;
  readonly membership: Membership;
  /** Puts an item into collections instead of those it was in. */
  move(item: number, collections: readonly number[]): Promise<void>;
}

const opened: AssetApi[] = [];

async function open(collections: number): Promise<World> {
  const membership: Membership = new Map();
  const api = await openAssetApi({ inheritance: () => inMemory(membership) });
  opened.push(api);
  for (const [name, inheritance] of [
    ["news_note", "true"],
    ["news_place", "true"],
    ["news_keyword", "false"],
  ]) {
    await api.admin(`PUT /metadata-field/${name}`, { body: { type: "string", inheritance } });
  }
  const { environment, store } = api;
  for (let index = 0; index < collections; index++) {
    const change = store.change({ userName: "ada" });
    const serial = await store.ids.nextSerial("asset");
    await addNewMetadata(environment, { change: () => change }, change, {
      kind: "collection",
      serial,
      owner: "ada",
      system: [],
    });
    await change.commit();
  }
  const move = async (item: number, into: readonly number[]) => {
    await repeatWhenRaced(async () => {
      const change = store.change({ userName: "ada" });
      await reinherit(environment, change, [item], new Map([[item, into]]));
      await change.commit();
    });
    membership.set(item, into);
  };
  return { api, membership, move };
}

afterEach(async () => {
  for (const api of opened.splice(0)) await api.close();
});

/** What the index has of an item: texts by field. */
function indexedFields(api: AssetApi, item: number): Record<string, readonly string[]> {
  const fields: Record<string, string[]> = {};
  for (const [key, text] of api.indexed.get(entityKey("item", item)) ?? []) {
    const name = /^[a-z_A-Z]+/.exec(key)?.[0] ?? "";
    if (!name.startsWith("news_")) continue;
    fields[name] = [...(fields[name] ?? []), text].sort();
  }
  return fields;
}

describe("metadata of a collection", () => {
  it("shows on its items, until they have their own", async () => {
    const { api, move } = await open(1);
    const { id } = (await api.admin("POST /import/placeholder")).body;
    const collection = "VX-1";
    await move(2, [1]);
    await api.admin(`PUT /collection/${collection}/metadata`, {
      body: fieldsOf({ news_note: "from above", news_keyword: "not inherited" }),
    });
    const read = async () => (await api.admin(`GET /item/${id}/metadata`)).body.item[0].metadata;
    const shown = await read();
    expect([valuesOf(shown, "news_note"), valuesOf(shown, "news_keyword")]).toEqual([["from above"], []]);
    const field = shown.timespan[0].field.find((one: { name: string }) => one.name === "news_note");
    expect(field.inheritance).toBe(`Collection/${collection}`);
    expect(indexedFields(api, 2)).toEqual({ news_note: ["from above"] });

    await api.admin(`PUT /item/${id}/metadata`, { body: { timespan: [{ field: [field] }] } });
    await api.admin(`PUT /collection/${collection}/metadata`, { body: fieldsOf({ news_note: "changed above" }) });
    expect(valuesOf(await read(), "news_note")).toEqual(["changed above"]);
    expect(indexedFields(api, 2)).toEqual({ news_note: ["changed above"] });

    await api.admin(`PUT /item/${id}/metadata`, { body: fieldsOf({ news_note: "own" }) });
    await api.admin(`PUT /collection/${collection}/metadata`, { body: fieldsOf({ news_note: "no longer seen" }) });
    expect(valuesOf(await read(), "news_note")).toEqual(["own"]);
    expect(indexedFields(api, 2)).toEqual({ news_note: ["own"] });

    await api.admin(`PUT /item/${id}/metadata`, { body: { timespan: [{ field: [{ name: "news_note" }] }] } });
    expect(valuesOf(await read(), "news_note")).toEqual(["no longer seen"]);
    await move(2, []);
    expect(valuesOf(await read(), "news_note")).toEqual([]);
    expect(indexedFields(api, 2)).toEqual({});
  });

  it("is answered as a document of its own [spec: event-collection-metadata]", async () => {
    const { api } = await open(1);
    const put = await api.admin("PUT /collection/VX-1/metadata", { body: fieldsOf({ title: "Rushes" }) });
    expect(valuesOf(put.body, "title")).toEqual(["Rushes"]);
    const terse = await api.admin("GET /collection/VX-1/metadata?terse=true");
    expect(terse.body.title[0].value).toBe("Rushes");
    expect(api.events.at(-1)).toMatchObject({
      entity: "collection-metadata",
      keys: { collectionId: "VX-1", title: "Rushes" },
    });
    expect((await api.admin("GET /collection/VX-1/metadata/changes")).body.changeSet).toHaveLength(1);
    expect((await api.admin("GET /collection/VX-99/metadata")).body.notFound).toMatchObject({
      type: "Collection",
      id: "VX-99",
    });
  });

  it("has an entity tag on items that changes with the collection", async () => {
    const { api, move } = await open(1);
    const { id } = (await api.admin("POST /import/placeholder")).body;
    await move(2, [1]);
    const tag = async () => (await api.admin(`GET /item/${id}/metadata`)).headers.get("etag");
    const before = await tag();
    await api.admin("PUT /collection/VX-1/metadata", { body: fieldsOf({ news_note: "x" }) });
    expect(await tag()).not.toBe(before);
  });
});

const fieldName = fc.constantFrom("news_note", "news_place", "news_keyword");
const texts = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 2 });
const step = fc.oneof(
  fc.record({ kind: fc.constant("item" as const), target: fc.nat(1), field: fieldName, values: texts }),
  fc.record({ kind: fc.constant("collection" as const), target: fc.nat(1), field: fieldName, values: texts }),
  fc.record({
    kind: fc.constant("move" as const),
    target: fc.nat(1),
    into: fc.uniqueArray(fc.nat(1), { maxLength: 2 }),
  }),
);

describe("items and collections under any sequence of writes and moves", () => {
  it("show and index what a plain model says", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { api, membership, move } = await open(2);
        try {
          for (let count = 0; count < 2; count++) await api.admin("POST /import/placeholder");
          const own = new Map<string, readonly string[]>();
          for (const one of steps) {
            if (one.kind === "move") {
              await move(
                3 + one.target,
                one.into.map((index) => 1 + index),
              );
              continue;
            }
            const serial = (one.kind === "item" ? 3 : 1) + one.target;
            const field = { name: one.field, value: one.values.map((value) => ({ value })) };
            const { status } = await api.admin(`PUT /${one.kind}/VX-${serial}/metadata`, {
              body: { timespan: [{ field: [field] }] },
            });
            expect(status).toBe(200);
            own.set(`${serial} ${one.field}`, one.values);
          }
          for (const item of [3, 4]) {
            const model: Record<string, readonly string[]> = {};
            for (const name of ["news_note", "news_place", "news_keyword"]) {
              const places = name === "news_keyword" ? [item] : [item, ...(membership.get(item) ?? [])];
              const values = places.map((place) => own.get(`${place} ${name}`) ?? []).find((found) => found.length > 0);
              if (values !== undefined) model[name] = [...values].sort();
            }
            const { metadata } = (await api.admin(`GET /item/VX-${item}/metadata`)).body.item[0];
            const shown = Object.fromEntries(
              Object.keys(model).map((name) => [name, [...valuesOf(metadata, name)].sort()]),
            );
            expect(shown).toEqual(model);
            expect(indexedFields(api, item)).toEqual(model);
          }
        } finally {
          await api.close();
          opened.length = 0;
        }
      }),
      { numRuns: runsHere(25) },
    );
  });
});
