import { afterEach, beforeEach, expect, test } from "vitest";
import { type ContainerApi, makeCollection, makeItem, openContainerApi } from "./container-api.ts";

const hour = 3_600_000;
const day = 24 * hour;
const retentionDays = 30;

let api: ContainerApi;
let item: string;
beforeEach(async () => {
  api = await openContainerApi();
  api.settings.libraryRetentionDays = retentionDays;
  item = await makeItem(api.admin, "Harbour");
});
afterEach(() => api.close());

const search = { field: [{ name: "title", value: [{ value: "Harbour" }] }] };

async function keep(query = ""): Promise<string> {
  return (await api.admin(`PUT /item?result=library${query}`, search)).body.library;
}

const pathOf = (library: string) => `/library/${encodeURIComponent(library)}`;

/** The libraries that there are; to list them is no use of any. */
async function libraries(): Promise<readonly string[]> {
  return (await api.admin("GET /library")).body.uri ?? [];
}

async function pass(milliseconds: number): Promise<void> {
  api.clock.now += milliseconds;
  await api.tick();
}

test("a library that nobody uses goes after its days, and its items stay", async () => {
  const library = await keep();
  await pass(retentionDays * day - hour);
  expect(await libraries()).toEqual([library]);
  await pass(2 * hour);
  expect(await libraries()).toEqual([]);
  expect((await api.admin(`GET ${pathOf(library)}`)).status).toBe(404);
  expect((await api.admin(`GET /item/${item}`)).status).toBe(200);
  expect((await api.admin(`GET /item/${item}/library`)).body.uri ?? []).toEqual([]);
  expect(await api.store.query({ sql: "select * from library_item" })).toEqual([]);
});

test.each<[string, (library: string) => Promise<unknown>]>([
  ["reading it", (library) => api.admin(`GET ${pathOf(library)}`)],
  ["reading its settings", (library) => api.admin(`GET ${pathOf(library)}/settings`)],
  ["changing its settings", (library) => api.admin(`PUT ${pathOf(library)}/settings`, { updateMode: "REPLACE" })],
  ["searching in it", (library) => api.admin(`GET /item?library=${encodeURIComponent(library)}`)],
  ["refilling it", (library) => keep(`&libraryId=${encodeURIComponent(library)}`)],
  ["putting an item into it", async (library) => api.admin(`PUT ${pathOf(library)}/${await makeItem(api.admin)}`)],
  ["taking an item out of it", (library) => api.admin(`DELETE ${pathOf(library)}/${item}`)],
])("%s is use, and the days begin again", async (_what, use) => {
  const library = await keep();
  await pass(20 * day);
  await use(library);
  await pass(20 * day);
  expect(await libraries()).toEqual([library]);
  await pass(20 * day);
  expect(await libraries()).toEqual([]);
});

test.each<[string, (library: string) => Promise<unknown>]>([
  ["refreshes itself", (library) => api.admin(`PUT ${pathOf(library)}/settings`, { autoRefresh: true })],
  [
    "is in a collection",
    async (library) =>
      api.admin(`PUT /collection/${await makeCollection(api.admin)}/${encodeURIComponent(library)}?type=library`),
  ],
  [
    "is shared",
    (library) => api.admin(`POST ${pathOf(library)}/access`, { user: "bo", permission: "READ", recursive: true }),
  ],
  [
    "has pairs of text",
    (library) => api.admin(`PUT ${pathOf(library)}/metadata`, { field: [{ key: "purpose", value: "archive" }] }),
  ],
])("one that %s stays", async (_what, arrange) => {
  const library = await keep();
  await arrange(library);
  for (let days = 0; days < 3; days++) await pass(retentionDays * day);
  expect(await libraries()).toEqual([library]);
});

test("one with an identifier of another system stays", async () => {
  await api.admin("PUT /external-id/tapes", { pattern: "TAPE-[0-9]+", priority: 1 });
  const { body } = await api.admin("POST /library?externalId=TAPE-7", { item: [{ id: item }] });
  await keep();
  await pass(2 * retentionDays * day);
  expect(await libraries()).toEqual(body.uri);
});

test("all stay when the property says so", async () => {
  api.settings.libraryRetentionDays = 0;
  const library = await keep();
  await pass(1000 * day);
  expect(await libraries()).toEqual([library]);
});

test("many go, and ticks that run at once do not get into each other's way", async () => {
  for (let count = 0; count < 60; count++) await api.admin("POST /library", { item: [{ id: item }] });
  const used = await keep();
  api.clock.now += 20 * day;
  await api.admin(`GET ${pathOf(used)}`);
  api.clock.now += 20 * day;
  await Promise.all([api.tick(), api.tick()]);
  await api.tick();
  expect(await libraries()).toEqual([used]);
});

test("a library that is read often is written down as used once an hour", async () => {
  const library = await keep();
  const usedAt = async () => Number((await api.store.query({ sql: "select used from library" }))[0]?.used);
  const made = await usedAt();
  api.clock.now += hour / 2;
  await api.admin(`GET ${pathOf(library)}`);
  expect(await usedAt()).toBe(made);
  api.clock.now += hour;
  await api.admin(`GET ${pathOf(library)}`);
  expect(await usedAt()).toBe(made + 1.5 * hour);
});
