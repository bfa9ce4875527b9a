import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ContainerApi, makeCollection, makeItem, openContainerApi, type Send } from "./container-api.ts";

let api: ContainerApi;
let admin: Send;
let bo: Send;
/** Collections in each other, of which `bo` may find the outermost and the one that is shown. */
let place: Record<"top" | "hidden" | "shown", string>;
/** `both` is in the hidden and the shown one, `secret` in the hidden one alone, `free` in none; `bo` may read all. */
let item: Record<"both" | "secret" | "free", string>;

const self = { recursive: false };

beforeAll(async () => {
  api = await openContainerApi();
  admin = api.admin;
  bo = api.as("bo");
  const [top, hidden, shown] = [
    await makeCollection(admin, "top"),
    await makeCollection(admin, "hidden"),
    await makeCollection(admin, "shown"),
  ];
  place = { top, hidden, shown };
  const [both, secret, free] = [await makeItem(admin), await makeItem(admin), await makeItem(admin)];
  item = { both, secret, free };
  await admin(`PUT /collection/${top}/${hidden}?type=collection`);
  await admin(`PUT /collection/${hidden}/${shown}?type=collection`);
  for (const id of [both, secret]) await admin(`PUT /collection/${hidden}/${id}`);
  await admin(`PUT /collection/${shown}/${both}`);
  for (const id of [top, shown])
    await admin(`POST /collection/${id}/access`, { user: "bo", permission: "READ", ...self });
  for (const id of Object.values(item)) await admin(`POST /item/${id}/access`, { user: "bo", permission: "READ" });
});
afterAll(() => api.close());

interface Field {
  readonly name: string;
  readonly value?: readonly { readonly value: string }[];
}

/** The values of transient fields by their names, as a read shows them. */
async function read(send: Send, path: string): Promise<Record<string, readonly string[]>> {
  const { status, body } = await send(`GET ${path}?content=metadata`);
  expect(status).toBe(200);
  const fields: readonly Field[] = body.metadata.timespan.flatMap(({ field = [] }: { field?: Field[] }) => field);
  return Object.fromEntries(
    fields
      .filter(({ name }) => /^__(child_|parent_|ancestor_)?collection/.test(name))
      .map(({ name, value = [] }) => [name, value.map((one) => one.value).sort()]),
  );
}

describe("the fields that name collections", () => {
  test("show on items those that the caller may find; the numbers count all", async () => {
    const { top, hidden, shown } = place;
    expect(await read(admin, `/item/${item.both}`)).toEqual({
      __collection: [hidden, shown].sort(),
      __collection_size: ["2"],
      __ancestor_collection: [hidden, shown, top].sort(),
      __ancestor_collection_size: ["3"],
    });
    expect(await read(bo, `/item/${item.both}`)).toEqual({
      __collection: [shown],
      __collection_size: ["2"],
      __ancestor_collection: [shown, top].sort(),
      __ancestor_collection_size: ["3"],
    });
    expect(await read(bo, `/item/${item.secret}`), "none directly").toEqual({
      __collection_size: ["1"],
      __ancestor_collection: [top],
      __ancestor_collection_size: ["2"],
    });
  });

  test("show on collections those that the caller may find", async () => {
    const { top, hidden, shown } = place;
    const sizes = { __child_collection_size: ["0"], __parent_collection_size: ["1"] };
    expect(await read(admin, `/collection/${shown}`)).toEqual({
      ...sizes,
      __parent_collection: [hidden],
      __ancestor_collection: [hidden, top].sort(),
      __ancestor_collection_size: ["2"],
    });
    expect(await read(bo, `/collection/${shown}`)).toEqual({
      ...sizes,
      __ancestor_collection: [top],
      __ancestor_collection_size: ["2"],
    });
    expect(await read(admin, `/collection/${top}`)).toMatchObject({ __child_collection: [hidden] });
    expect((await read(bo, `/collection/${top}`)).__child_collection ?? []).toEqual([]);
  });

  test("show them by terse reads, in lists of hits, and by the metadata alone", async () => {
    const both = { field: [{ name: "itemId", value: [{ value: item.both }] }] };
    const terse = await bo(`GET /item/${item.both}/metadata?field=__collection,__ancestor_collection&terse=true`);
    const hits = await bo("PUT /item?content=metadata&field=__collection,__ancestor_collection", both);
    const alone = await bo(`GET /item/${item.both}/metadata`);
    for (const { status, body } of [terse, hits, alone]) {
      const text = JSON.stringify(body);
      expect([status, text.includes(place.shown), text.includes(`"${place.hidden}"`)]).toEqual([200, true, false]);
    }
  });

  test("cost no further statement", async () => {
    const { database } = api.store;
    const statements = async (send: Send) => {
      let count = 0;
      const [query, batch] = [database.query, database.batch];
      database.query = (statement) => {
        count += 1;
        return query.call(database, statement);
      };
      database.batch = (list, mode) => {
        count += list.length;
        return batch.call(database, list, mode);
      };
      await send(`GET /item/${item.both}?content=metadata`);
      await send("GET /item?content=metadata");
      Object.assign(database, { query, batch });
      return count;
    };
    expect(await statements(bo)).toBe(await statements(admin));
  });
});

type Criterion = Readonly<Record<string, unknown>>;

const valued = (name: string, value: string) => ({ field: [{ name, value: [{ value }] }] });

async function found(send: Send, path: string, criterion: Criterion): Promise<readonly string[]> {
  const { status, body } = await send(`PUT ${path}`, criterion);
  expect(status).toBe(200);
  const list: readonly { readonly id: string }[] = body.item ?? body.collection ?? body.entry ?? [];
  expect(body.hits).toBe(list.length);
  return list.map(({ id }) => id).sort();
}

describe("searches find through collections that the caller may find", () => {
  const items = (send: Send, criterion: Criterion) => found(send, "/item", criterion);

  test.each<[string, (at: typeof place) => Criterion, readonly (keyof typeof item)[], readonly (keyof typeof item)[]]>([
    ["in the hidden one", ({ hidden }) => valued("__collection", hidden), ["both", "secret"], []],
    ["in the shown one", ({ shown }) => valued("__collection", shown), ["both"], ["both"]],
    ["in any", () => valued("__collection", "*"), ["both", "secret"], ["both"]],
    ["in any, by existence", () => ({ field: [{ name: "__collection" }] }), ["both", "secret"], ["both"]],
    ["in some by their beginning", () => valued("__collection", "VX-*"), ["both", "secret"], ["both"]],
    ["in some by a pattern", () => valued("__collection", "*X-*"), ["both", "secret"], ["both"]],
    [
      "in a range",
      () => ({ field: [{ name: "__collection", range: [{ value: [{ value: "VX-" }, { value: "VX-99" }] }] }] }),
      ["both", "secret"],
      ["both"],
    ],
    ["below the hidden one", ({ hidden }) => valued("__ancestor_collection", hidden), ["both", "secret"], []],
    ["below the outermost", ({ top }) => valued("__ancestor_collection", top), ["both", "secret"], ["both", "secret"]],
    ["below any", () => valued("__ancestor_collection", "*"), ["both", "secret"], ["both", "secret"]],
    [
      "not in the hidden one",
      ({ hidden }) => ({ operator: { operation: "NOT", ...valued("__collection", hidden) } }),
      ["free"],
      ["both", "secret", "free"],
    ],
    [
      "in the hidden one or the shown one",
      ({ hidden, shown }) => ({
        operator: {
          operation: "OR",
          field: [...valued("__collection", hidden).field, ...valued("__collection", shown).field],
        },
      }),
      ["both", "secret"],
      ["both"],
    ],
  ])("%s", async (_what, criterion, forAdmin, forBo) => {
    const ids = (names: readonly (keyof typeof item)[]) => names.map((name) => item[name]).sort();
    expect(await items(admin, criterion(place))).toEqual(ids(forAdmin));
    expect(await items(bo, criterion(place))).toEqual(ids(forBo));
  });

  test("collections by what they are in, and what is in them", async () => {
    const { hidden, shown, top } = place;
    const collections = (send: Send, name: string, value: string) => found(send, "/collection", valued(name, value));
    expect(await collections(admin, "__parent_collection", hidden)).toEqual([shown]);
    expect(await collections(bo, "__parent_collection", hidden)).toEqual([]);
    expect(await collections(bo, "__parent_collection", "*")).toEqual([]);
    expect(await collections(admin, "__child_collection", hidden)).toEqual([top]);
    expect(await collections(bo, "__child_collection", hidden)).toEqual([]);
    expect(await collections(bo, "__child_collection", "*")).toEqual([]);
    expect(await collections(bo, "__ancestor_collection", top)).toEqual([shown]);
    expect(await found(bo, "/search", valued("__ancestor_collection", top))).toEqual(
      [shown, item.both, item.secret].sort(),
    );
    expect(await found(bo, "/search", valued("__ancestor_collection", hidden))).toEqual([]);
  });

  test("facets list no others", async () => {
    const facets = async (send: Send) => {
      const facet = ["__collection", "__ancestor_collection"].map((field) => ({ field }));
      const { body } = await send("PUT /item", { facet });
      return body.facet.map(({ count = [] }: { count?: readonly { fieldValue: string; count: number }[] }) =>
        Object.fromEntries(count.map((one) => [one.fieldValue, one.count])),
      );
    };
    expect((await facets(admin))[0]).toEqual({ [place.hidden]: 2, [place.shown]: 1 });
    expect(await facets(bo)).toEqual([{ [place.shown]: 1 }, {}]);
    const filtered = { facetFilter: [{ field: "__collection", value: place.hidden }] };
    expect(await items(bo, filtered)).toEqual([]);
  });

  test("the order by them tells nothing of others, and completions list none", async () => {
    const sorted = async (send: Send) => {
      const { body } = await send("PUT /item", { sort: [{ field: "__collection", order: "ascending" }] });
      return body.item[0].id;
    };
    expect(await sorted(bo)).toBe(item.both);
    const { body } = await bo("PUT /search/autocomplete", { field: "__collection", text: "VX" });
    expect(body.suggestion ?? []).toEqual([]);
  });

  test("with the grant, and without it again", async () => {
    const { hidden } = place;
    const granted = await admin(`POST /collection/${hidden}/access`, { user: "bo", permission: "READ", ...self });
    expect(await items(bo, valued("__collection", hidden))).toEqual([item.both, item.secret].sort());
    expect((await read(bo, `/item/${item.both}`)).__collection).toContain(hidden);
    await admin(`DELETE /collection/${hidden}/access/${granted.body.id}`);
    expect(await items(bo, valued("__collection", hidden))).toEqual([]);
    expect((await read(bo, `/item/${item.both}`)).__collection).not.toContain(hidden);
  });
});
