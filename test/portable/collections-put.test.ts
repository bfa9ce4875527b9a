import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Change } from "../../src/store/change.ts";
import { type ContainerApi, makeCollection, makeItem, openContainerApi, type Send } from "./container-api.ts";
import { runsHere } from "./runs-here.ts";

let api: ContainerApi;
const changes: Change[] = [];
beforeAll(async () => {
  api = await openContainerApi();
  await api.admin("PUT /metadata-field/test_place", { type: "string-exact", inheritance: "true" });
  await api.admin("PUT /metadata-field/test_note", { type: "string-exact" });
  api.store.observe((change) => {
    changes.push(change);
  });
});
afterAll(() => api.close());

const metadata = (fields: Readonly<Record<string, string>>) => ({
  timespan: [{ field: Object.entries(fields).map(([name, value]) => ({ name, value: [{ value }] })) }],
});

interface Member {
  readonly id: string;
}

async function shown(send: Send, collection: string) {
  const { body } = await send(`GET /collection/${collection}?content=metadata&field=test_place,test_note&terse=true`);
  const { body: history } = await send(`GET /collection/${collection}/metadata/changes`);
  return {
    name: body.name,
    place: body.terse.test_place?.[0].value,
    note: body.terse.test_note?.[0].value,
    members: (body.content ?? []).map(({ id }: Member) => id),
    changeSets: history.changeSet.length,
  };
}

async function found(place: string): Promise<readonly string[]> {
  const { body } = await api.admin("PUT /item", { field: [{ name: "test_place", value: [{ value: place }] }] });
  return (body.item ?? []).map(({ id }: Member) => id).sort();
}

test("content, name and metadata of a collection change together, in one change with one change set", async () => {
  const { admin } = api;
  const collection = await makeCollection(admin, "Rushes");
  const [left, stays, comes] = [await makeItem(admin), await makeItem(admin), await makeItem(admin)];
  await admin(`PUT /collection/${collection}`, { content: [{ id: left }, { id: stays }], ...place("Oslo") });
  const before = await shown(admin, collection);
  expect(await found("Oslo")).toEqual([left, stays].sort());

  changes.length = 0;
  const { status, body } = await admin(`PUT /collection/${collection}`, {
    name: "Selects",
    content: [{ id: comes }, { id: stays }],
    metadata: metadata({ test_place: "Bergen", test_note: "second day" }),
  });
  expect([status, body.name, body.content.map(({ id }: Member) => id)]).toEqual([200, "Selects", [comes, stays]]);
  expect(changes).toHaveLength(1);
  expect(changes[0]?.events.map(({ entity, action }) => `${entity} ${action}`).sort()).toEqual([
    "collection MODIFY",
    "collection-metadata MODIFY",
  ]);
  expect(await shown(admin, collection)).toEqual({
    name: "Selects",
    place: "Bergen",
    note: "second day",
    members: [comes, stays],
    changeSets: before.changeSets + 1,
  });
  expect([await found("Oslo"), await found("Bergen")]).toEqual([[], [comes, stays].sort()]);

  changes.length = 0;
  await admin(`PUT /collection/${collection}`, { name: "Selects", content: [{ id: comes }, { id: stays }] });
  expect(changes, "nothing is otherwise").toHaveLength(0);
});

function place(value: string) {
  return { metadata: metadata({ test_place: value }) };
}

test.each([
  ["a member that does not exist", { name: "Else", content: [{ id: "VX-999999" }] }, 404],
  ["a field that is not defined", { name: "Else", content: [], metadata: metadata({ test_none: "x" }) }, 404],
  ["a name that is too long", { name: "x".repeat(1001), ...place("Rome") }, 400],
  ["only some members with a mode", { name: "Else", content: [{ id: "VX-1", mode: "add" }, { id: "VX-2" }] }, 400],
])("what is refused leaves all as it was: %s", async (_what, document, status) => {
  const collection = await makeCollection(api.admin, "Rushes");
  const item = await makeItem(api.admin);
  await api.admin(`PUT /collection/${collection}`, { content: [{ id: item }], ...place("Oslo") });
  const before = await shown(api.admin, collection);
  expect((await api.admin(`PUT /collection/${collection}`, document)).status).toBe(status);
  expect(await shown(api.admin, collection)).toEqual(before);
});

test("a collection that would be in itself keeps its name and metadata", async () => {
  const { admin } = api;
  const [outer, inner] = [await makeCollection(admin, "Outer"), await makeCollection(admin, "Inner")];
  await admin(`PUT /collection/${outer}/${inner}?type=collection`);
  const content = [{ id: outer, type: "collection", mode: "add" }];
  expect((await admin(`PUT /collection/${inner}`, { name: "Else", content, ...place("Rome") })).status).toBe(409);
  expect((await shown(admin, inner)).name).toBe("Inner");
});

test("who may not write learns nothing and changes nothing", async () => {
  const collection = await makeCollection(api.as("alva"), "Rushes");
  const document = { name: "Else", content: [{ id: "VX-999999" }] };
  expect((await api.as("bo")(`PUT /collection/${collection}`, document)).body.notFound?.id).toBe(collection);
  await api.as("alva")(`POST /collection/${collection}/access`, { user: "bo", permission: "READ" });
  expect((await api.as("bo")(`PUT /collection/${collection}`, { name: "Else" })).status).toBe(403);
  expect((await shown(api.admin, collection)).name).toBe("Rushes");
});

test("the items of another collection come in the same change", async () => {
  const { admin } = api;
  const [source, collection] = [await makeCollection(admin), await makeCollection(admin)];
  const [one, two] = [await makeItem(admin), await makeItem(admin)];
  await admin(`PUT /collection/${source}`, { content: [{ id: one }, { id: two }] });
  changes.length = 0;
  const content = [{ id: two }, { id: source, type: "collection", addItems: true }];
  await admin(`PUT /collection/${collection}`, { name: "Both", content, ...place("Narvik") });
  expect(changes).toHaveLength(1);
  expect((await shown(admin, collection)).members).toEqual([two, one]);
  expect(await found("Narvik")).toEqual([one, two].sort());
});

test("of two that come at once both land, and the index agrees", async () => {
  const { admin } = api;
  const other = (await api.onAnother())("admin");
  const collection = await makeCollection(admin);
  const items = [await makeItem(admin), await makeItem(admin), await makeItem(admin), await makeItem(admin)];
  const answers = await Promise.all(
    items.map((id, index) =>
      (index % 2 === 0 ? admin : other)(`PUT /collection/${collection}`, {
        name: `By ${index}`,
        content: [{ id, mode: "add" }],
        ...place(`Town ${index}`),
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { members, place: last } = await shown(admin, collection);
  expect([...members].sort()).toEqual([...items].sort());
  expect(await found(last)).toEqual([...items].sort());
});

test("however documents follow each other, searches find by what the collection says last", async () => {
  const { admin } = api;
  const collection = await makeCollection(admin);
  const items = [await makeItem(admin), await makeItem(admin), await makeItem(admin)];
  const values = ["North", "South"];
  const document = fc.record({
    members: fc.option(fc.subarray([0, 1, 2])),
    place: fc.option(fc.constantFrom(...values)),
    name: fc.option(fc.constantFrom("a", "b")),
  });
  let members: readonly string[] = [];
  let current: string | undefined;
  await fc.assert(
    fc.asyncProperty(document, async (wanted) => {
      const ids = wanted.members?.map((index) => items[index] as string);
      await admin(`PUT /collection/${collection}`, {
        ...(ids === undefined ? {} : { content: ids.map((id) => ({ id })) }),
        ...(wanted.place === null ? {} : place(wanted.place)),
        ...(wanted.name === null ? {} : { name: wanted.name }),
      });
      // A document without members leaves them as they are.
      if (ids !== undefined && ids.length > 0) members = ids;
      if (wanted.place !== null) current = wanted.place;
      for (const value of values) expect(await found(value)).toEqual(value === current ? [...members].sort() : []);
    }),
    { numRuns: runsHere(25) },
  );
});
