import { afterAll, beforeAll, expect, test } from "vitest";
import { type ContainerApi, makeCollection, makeItem, openContainerApi, type Send } from "./container-api.ts";

let api: ContainerApi;
beforeAll(async () => {
  api = await openContainerApi();
});
afterAll(() => api.close());

let words = 0;
/** A word that no other test looks for. */
function word(): string {
  words += 1;
  return `harbour${words}`;
}

const byTitle = (title: string) => ({ field: [{ name: "title", value: [{ value: title }] }] });

async function itemsOf(library: string, send: Send = api.admin): Promise<readonly string[]> {
  const { body } = await send(`GET /library/${encodeURIComponent(library)}`);
  return (body.item ?? []).map(({ id }: { readonly id: string }) => id).sort();
}

async function keep(title: string, query = ""): Promise<string> {
  const { body } = await api.admin(`PUT /item?result=library${query}`, byTitle(title));
  return body.library;
}

test("a library is made of given items, changed one by one, and deleted without them", async () => {
  const [a, b] = [await makeItem(api.admin), await makeItem(api.admin)];
  const made = await api.admin("POST /library", { item: [{ id: a }] });
  const [library = ""] = made.body.uri;
  expect(library).toMatch(/^VX\*\d+$/);
  const path = `/library/${encodeURIComponent(library)}`;
  await api.admin(`PUT ${path}/${b}`);
  await api.admin(`PUT ${path}`, { item: [{ id: b }] });
  expect(await itemsOf(library)).toEqual([a, b].sort());
  expect((await api.admin(`GET /item/${b}/library`)).body.uri).toEqual([library]);
  await api.admin(`DELETE ${path}/${a}`);
  expect((await api.admin(`DELETE ${path}/${a}`)).status).toBe(404);
  expect(await itemsOf(library)).toEqual([b]);
  expect((await api.admin(`DELETE ${path}`)).status).toBe(200);
  expect((await api.admin(`GET ${path}`)).status).toBe(404);
  expect((await api.admin(`GET /item/${b}`)).status).toBe(200);
  expect((await api.admin("POST /library", { item: [{ id: "VX-999999" }] })).status).toBe(404);
});

test("MERGE adds what is found anew, REPLACE keeps what is found, TRANSIENT finds it when it is read", async () => {
  const title = word();
  const first = await makeItem(api.admin, title);
  const libraries = Object.fromEntries(
    await Promise.all(
      ["MERGE", "REPLACE", "TRANSIENT"].map(async (mode) => [mode, await keep(title, `&updateMode=${mode}`)] as const),
    ),
  );
  const held = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(libraries).map(async ([mode, id]) => [mode, await itemsOf(id)])),
    );
  expect(await held()).toEqual({ MERGE: [first], REPLACE: [first], TRANSIENT: [first] });
  const second = await makeItem(api.admin, title);
  await api.admin(`DELETE /item/${first}`);
  const third = await makeItem(api.admin, title);
  const field = [{ name: "title", value: [{ value: "something else" }] }];
  await api.admin(`PUT /item/${second}/metadata`, { timespan: [{ field }] });
  expect(await held()).toEqual({ MERGE: [], REPLACE: [], TRANSIENT: [third] });
  for (const [mode, id] of Object.entries(libraries)) {
    await api.admin(`PUT /item?result=library&libraryId=${encodeURIComponent(id)}&updateMode=${mode}`, byTitle(title));
  }
  await api.admin(`PUT /item/${third}/metadata`, { timespan: [{ field }] });
  const fourth = await makeItem(api.admin, title);
  for (const [mode, id] of Object.entries(libraries)) {
    await api.admin(`PUT /item?result=library&libraryId=${encodeURIComponent(id)}&updateMode=${mode}`, byTitle(title));
  }
  expect(await held()).toEqual({ MERGE: [third, fourth].sort(), REPLACE: [fourth], TRANSIENT: [fourth] });
});

test("a library refreshes itself when its time has come, in the name of its owner", async () => {
  const title = word();
  const alva = api.as("alva");
  await makeItem(api.admin, title);
  const own = await makeItem(alva, title);
  const { body } = await alva(
    "PUT /item?result=library&autoRefresh=true&updateMode=REPLACE&updateFrequency=60",
    byTitle(title),
  );
  const library: string = body.library;
  expect(await itemsOf(library)).toEqual([own]);
  const later = await makeItem(alva, title);
  await api.tick();
  expect(await itemsOf(library)).toEqual([own]);
  api.clock.now += 61_000;
  await api.tick();
  expect(await itemsOf(library)).toEqual([own, later].sort());
  const settings = await alva(`GET /library/${encodeURIComponent(library)}/settings`);
  expect(settings.body).toMatchObject({
    id: library,
    username: "alva",
    updateMode: "REPLACE",
    autoRefresh: true,
    updateFrequency: 60,
    query: byTitle(title),
  });
});

test("settings change how a library is kept", async () => {
  const library = await keep(word());
  const path = `/library/${encodeURIComponent(library)}/settings`;
  expect((await api.admin(`PUT ${path}`, { autoRefresh: true, updateFrequency: 3600 })).status).toBe(200);
  expect((await api.admin(`GET ${path}`)).body).toMatchObject({
    updateMode: "MERGE",
    autoRefresh: true,
    updateFrequency: 3600,
  });
  expect((await api.admin(`PUT ${path}`, { updateFrequency: 1 })).status).toBe(400);
  expect((await api.admin(`PUT ${path}`, { updateMode: "SOMETIMES" })).status).toBe(400);
});

test("libraries are listed by how they are kept, to those who may read them", async () => {
  const fast = await keep(word(), "&autoRefresh=true&updateFrequency=11");
  const slow = await keep(word(), "&autoRefresh=true&updateFrequency=7777&updateMode=REPLACE");
  const listed = async (query: string, send: Send = api.admin): Promise<readonly string[]> =>
    (await send(`GET /library?number=1000&${query}`)).body.uri ?? [];
  expect(await listed("frequencyFrom=7776&frequencyTo=7778")).toEqual([slow]);
  expect(await listed("frequencyTo=12")).toEqual([fast]);
  expect(await listed("autoRefresh=true&updateMode=REPLACE")).toContain(slow);
  expect(await listed("autoRefresh=false")).not.toContain(fast);
  expect(await listed("", api.as("cy"))).toEqual([]);
});

test("searches are narrowed to a library", async () => {
  const title = word();
  const item = await makeItem(api.admin, title);
  const library = await keep(title);
  await makeItem(api.admin, title);
  const { body } = await api.admin(`PUT /item?library=${encodeURIComponent(library)}`, byTitle(title));
  expect(body.item.map(({ id }: { readonly id: string }) => id)).toEqual([item]);
});

test("readers of a library see those of its items that they may read, unless the library shares them", async () => {
  const title = word();
  const alva = api.as("alva");
  const item = await makeItem(alva, title);
  const { body } = await alva("PUT /item?result=library", byTitle(title));
  const path = `/library/${encodeURIComponent(body.library)}`;
  const entry = await alva(`POST ${path}/access`, { user: "cy", permission: "READ", appliesTo: [{ value: "self" }] });
  expect(await itemsOf(body.library, api.as("cy"))).toEqual([]);
  await alva(`POST ${path}/access`, { user: "cy", permission: "READ" });
  expect(await itemsOf(body.library, api.as("cy"))).toEqual([item]);
  const later = await makeItem(alva, title);
  await alva(`PUT ${path}/${later}`);
  expect(await itemsOf(body.library, api.as("cy"))).toEqual([item, later].sort());
  await alva(`DELETE ${path}/${later}`);
  expect((await api.as("cy")(`GET /item/${later}`)).status).toBe(404);
  expect(entry.status).toBe(200);
  await alva(`DELETE ${path}`);
  expect((await api.as("cy")(`GET /item/${item}`)).status).toBe(404);
});

test("what a collection grants reaches the items of a library in it", async () => {
  const title = word();
  const alva = api.as("alva");
  const item = await makeItem(alva, title);
  const { body } = await alva("PUT /item?result=library", byTitle(title));
  const collection = await makeCollection(alva);
  await alva(`POST /collection/${collection}/access`, { user: "cy", permission: "READ" });
  const member = encodeURIComponent(body.library);
  expect((await alva(`PUT /collection/${collection}/${member}?type=library`)).status).toBe(200);
  expect((await api.as("cy")(`GET /item/${item}`)).status).toBe(200);
  expect((await alva(`GET /collection/${collection}`)).body.content).toEqual([
    { id: body.library, uri: `http://kinora.test/library/${member}`, type: "library" },
  ]);
  await alva(`DELETE /collection/${collection}/${member}?type=library`);
  expect((await api.as("cy")(`GET /item/${item}`)).status).toBe(404);
  await alva(`PUT /collection/${collection}/${member}?type=library&addItems=true`);
  expect((await alva(`GET /collection/${collection}`)).body.content).toMatchObject([{ id: item, type: "item" }]);
});

test("several libraries are deleted at once, as a job when that is asked for", async () => {
  const [a, b] = [await keep(word()), await keep(word())];
  const ids = [a, b, "VX*999999"].map(encodeURIComponent).join(",");
  const { status, body } = await api.admin(`DELETE /library?id=${ids}&async=true`);
  expect([status, body.type, body.status]).toEqual([200, "DELETE_LIBRARY", "FINISHED"]);
  expect((await api.admin(`GET /library/${encodeURIComponent(a)}`)).status).toBe(404);
});

test("a library has simple metadata, which goes with it", async () => {
  const library = await keep(word());
  const path = `/library/${encodeURIComponent(library)}`;
  expect((await api.admin(`GET ${path}/metadata`)).body).toEqual({});
  const pair = { key: "purpose", value: "review" };
  expect((await api.admin(`PUT ${path}/metadata`, { field: [pair] })).status).toBe(204);
  expect((await api.admin(`GET ${path}/metadata`)).body).toEqual({ field: [pair] });
  expect((await api.admin(`GET ${path}/metadata/purpose`, undefined, "text/plain")).body).toBe("review");
  expect((await api.as("cy")(`GET ${path}/metadata`)).status).toBe(404);
  await api.admin(`POST ${path}/access`, { user: "cy", permission: "READ" });
  expect((await api.as("cy")(`GET ${path}/metadata`)).body).toEqual({ field: [pair] });
  expect((await api.as("cy")(`PUT ${path}/metadata`, { field: [] })).status).toBe(403);
  await api.admin(`DELETE ${path}`);
  expect((await api.admin(`GET ${path}/metadata`)).status).toBe(404);
  expect(await api.store.query({ sql: "select * from key_value where entity = 'library'" })).toEqual([]);
});

test("an external identifier that another library has is refused with 400, and makes no library", async () => {
  await api.admin("PUT /external-id/lists", { pattern: "list-[0-9]+" });
  const make = () => api.admin("POST /library?externalId=list-1", {});
  const { body } = await make();
  expect((await make()).body).toMatchObject({ invalidInput: { context: "external-id", value: "list-1" } });
  const { uri } = (await api.admin("GET /library?number=10000")).body;
  expect(uri.at(-1)).toBe(body.uri[0]);
});
