import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MediaApi, openMediaApi } from "./media-api.ts";
import { runsHere } from "./runs-here.ts";

const day = 86_400_000;

/** A moment so many days from the beginning of the test's clock. */
const inDays = (api: MediaApi, days: number) => new Date(api.clock.now + days * day).toISOString();

async function lock(api: MediaApi, path: string, days: number, more: Readonly<Record<string, unknown>> = {}) {
  const { status, body } = await api.admin(`POST ${path}/deletion-lock`, {
    body: { expiryTime: inDays(api, days), ...more },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function protectedUntil({ admin }: MediaApi, item: string): Promise<string | undefined> {
  const { body } = await admin(`GET /item/${item}/metadata?terse=true&field=__deletion_lock_expiry`);
  return body.item[0].__deletion_lock_expiry?.[0].value;
}

describe("a deletion lock", () => {
  test("protects an item until it expires", async () => {
    const api = await openMediaApi();
    const { admin, clock } = api;
    const item = await api.item();
    const made = await lock(api, `/item/${item}`, 2, { metadata: { field: [{ key: "why", value: "trial" }] } });
    expect(made).toEqual({
      isExpired: false,
      isInherited: false,
      isEffective: true,
      id: expect.any(String),
      user: "admin",
      expiryTime: expect.any(String),
      modified: expect.any(String),
      entityType: "item",
      entityId: item,
      metadata: { field: [{ key: "why", value: "trial" }] },
    });
    const refused = await admin(`DELETE /item/${item}`);
    expect(refused.body.conflict).toMatchObject({ context: "deletion-lock", id: made.id });
    expect((await admin(`DELETE /item?id=${item}`)).status).toBe(409);
    expect((await admin(`GET /item/${item}`)).status).toBe(200);
    expect(await protectedUntil(api, item)).toBe(inDays(api, 2));
    clock.now += 2 * day;
    expect((await admin(`GET /deletion-lock/${made.id}`)).body).toMatchObject({ isExpired: true, isEffective: false });
    expect((await admin(`DELETE /item/${item}`)).status).toBe(200);
    expect((await admin(`GET /deletion-lock/${made.id}`)).status).toBe(404);
    expect(await api.store.query({ sql: "select * from key_value" })).toEqual([]);
  });

  test("has an end in the future", async () => {
    const api = await openMediaApi();
    const item = await api.item();
    for (const body of [{}, { expiryTime: inDays(api, -1) }, { expiryTime: "soon" }]) {
      expect((await api.admin(`POST /item/${item}/deletion-lock`, { body })).status).toBe(400);
    }
    const { id } = await lock(api, `/item/${item}`, 1);
    expect((await api.admin(`PUT /deletion-lock/${id}`, { body: {} })).status).toBe(400);
  });

  test("is changed and removed by each of its paths", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    const { id } = await lock(api, `/item/${item}`, 1);
    for (const [index, path] of ["/deletion-lock", "/item/deletion-lock", `/item/${item}/deletion-lock`].entries()) {
      const expiryTime = inDays(api, 3 + index);
      const { body } = await admin(`PUT ${path}/${id}`, { body: { expiryTime } });
      expect(new Date(body.expiryTime).toISOString()).toBe(expiryTime);
      expect((await admin(`GET ${path}/${id}`)).body).toEqual(body);
      expect(await protectedUntil(api, item)).toBe(expiryTime);
      await admin(`PUT ${path}/${id}/metadata`, { body: { field: [{ key: "why", value: path }] } });
      expect((await admin(`GET ${path}/${id}/metadata`)).body.field).toEqual([{ key: "why", value: path }]);
    }
    expect((await admin(`GET /collection/deletion-lock/${id}`)).status).toBe(404);
    expect((await admin(`DELETE /deletion-lock/${id}`)).status).toBe(200);
    expect((await admin(`DELETE /deletion-lock/${id}`)).status).toBe(404);
    expect(await protectedUntil(api, item)).toBeUndefined();
    expect((await admin(`DELETE /item/${item}`)).status).toBe(200);
  });

  test("is set through the type's own list, on the entity that the document names", async () => {
    const api = await openMediaApi();
    const item = await api.item();
    const body = { entityId: item, expiryTime: inDays(api, 1) };
    expect((await api.admin("POST /item/deletion-lock", { body })).body.entityId).toBe(item);
    expect((await api.admin("POST /item/deletion-lock", { body: { ...body, entityId: "VX-99" } })).status).toBe(404);
    expect((await api.admin("POST /item/deletion-lock", { body: { expiryTime: body.expiryTime } })).status).toBe(400);
  });

  test("of a collection protects what is in it, also in collections in it", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const [inner, outside] = [await api.item("?container=1"), await api.item()];
    const file = await api.file("a.mp4");
    await admin(`POST /import/placeholder/${inner}/container/adopt/${file}`);
    const sub = await api.collection("Sub", `item ${inner}`);
    const top = await api.collection("Top", `collection ${sub}`);
    const made = await lock(api, `/collection/${top}`, 5);
    await lock(api, `/item/${inner}`, 2);
    expect((await admin(`GET /item/${inner}/deletion-lock`)).body).toMatchObject({
      hits: 2,
      lock: [
        { id: made.id, isInherited: true, isEffective: true, entityType: "collection", entityId: top },
        { isInherited: false, isEffective: false, entityType: "item" },
      ],
    });
    expect((await admin(`GET /item/${inner}/deletion-lock?onlyEffective=true`)).body.lock).toHaveLength(1);
    expect((await admin(`GET /file/${file}/deletion-lock`)).body.hits, "a file is protected with its item").toBe(2);
    expect(await protectedUntil(api, inner)).toBe(inDays(api, 5));
    expect(await protectedUntil(api, outside)).toBeUndefined();
    for (const request of [
      `DELETE /item/${inner}`,
      `DELETE /item/${inner}/shape`,
      `DELETE /collection/${sub}`,
      `DELETE /collection/${top}`,
    ]) {
      expect((await admin(request)).status, request).toBe(409);
    }
    expect((await admin(`DELETE /item/${inner}/shape?keepFiles=true`)).status).toBe(204);
    expect((await admin(`DELETE /item/${outside}`)).status).toBe(200);
    await admin(`DELETE /deletion-lock/${made.id}`);
    expect(await protectedUntil(api, inner)).toBe(inDays(api, 2));
  });

  test("tells nothing of a collection or item to those who may not see it", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const file = await api.file("a.mp4");
    const item = await api.item("?container=1");
    await admin(`POST /import/placeholder/${item}/container/adopt/${file}`);
    const collection = await api.collection("Hidden", `item ${item}`);
    const made = await lock(api, `/collection/${collection}`, 5);
    const ada = api.as("ada", "_deletion_lock_read", "_file_read", "_item_write");
    const none = (await ada("GET /deletion-lock/VX-999")).body;
    expect((await ada(`GET /deletion-lock/${made.id}`)).body).toEqual(
      JSON.parse(JSON.stringify(none).replace("VX-999", made.id)),
    );
    expect((await ada("GET /deletion-lock")).body).toEqual({ hits: 0, lock: [] });
    await admin(`POST /item/${item}/access`, { body: { user: "ada", permission: "ALL" } });
    for (const path of [`/item/${item}`, `/file/${file}`]) {
      const { body } = await ada(`GET ${path}/deletion-lock`);
      expect(body).toMatchObject({ hits: 1, lock: [{ id: made.id, isInherited: true, entityType: "collection" }] });
      expect(body.lock[0]).not.toHaveProperty("entityId");
      expect((await admin(`GET ${path}/deletion-lock`)).body.lock[0].entityId).toBe(collection);
    }
    const refused = await ada(`DELETE /item/${item}`);
    expect([refused.status, refused.body.conflict.explanation]).toEqual([
      409,
      expect.stringContaining("protects the item"),
    ]);
    expect(refused.body.conflict.explanation).not.toContain(collection);
  });

  test("is inherited by what comes into the collection, until it leaves", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item();
    const sub = await api.collection("Sub", `item ${item}`);
    const top = await api.collection("Top");
    await lock(api, `/collection/${top}`, 5);
    await admin(`PUT /collection/${top}/${sub}?type=collection`);
    expect((await admin(`DELETE /item/${item}`)).status, "at once").toBe(409);
    await api.tick();
    expect(await protectedUntil(api, item)).toBe(inDays(api, 5));
    await admin(`DELETE /collection/${top}/${sub}?type=collection`);
    await api.tick();
    expect(await protectedUntil(api, item)).toBeUndefined();
    expect((await admin(`DELETE /item/${item}`)).status).toBe(200);
  });

  test("of a file keeps the shape that has it", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const item = await api.item("?container=1");
    const file = await api.file("a.mp4");
    await admin(`POST /import/placeholder/${item}/container/adopt/${file}`);
    await lock(api, `/file/${file}`, 1);
    expect((await admin(`DELETE /item/${item}/shape`)).status).toBe(409);
    expect((await admin(`DELETE /item/${item}`)).status).toBe(409);
    expect((await admin(`DELETE /item/${item}?keepShapeTagMedia=original`)).status).toBe(200);
    expect((await admin(`GET /file/${file}`)).body.state).toBe("CLOSED");
  });
});

describe("lists of deletion locks", () => {
  test("are narrowed by type, user, end, metadata and effect, and paged", async () => {
    const api = await openMediaApi();
    const { admin } = api;
    const [one, two] = [await api.item(), await api.item()];
    const collection = await api.collection("Rushes", `item ${one}`);
    const a = (await lock(api, `/item/${one}`, 1, { metadata: { field: [{ key: "why", value: "trial" }] } })).id;
    const b = (await lock(api, `/item/${two}`, 2)).id;
    const c = (await lock(api, `/collection/${collection}`, 3)).id;
    const ids = async (query: string) => {
      const { status, body } = await admin(`GET /deletion-lock${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.lock.map(({ id }: { id: string }) => id);
    };
    expect(await ids("")).toEqual([c, b, a]);
    expect((await admin("GET /deletion-lock?number=1&first=2")).body).toMatchObject({ hits: 3, lock: [{ id: b }] });
    expect(await ids("?entityTypes=collection")).toEqual([c]);
    expect(await ids("?onlyEffective=true"), "what the collection outlasts does not count").toEqual([c, b]);
    expect(await ids("?username=ada")).toEqual([]);
    expect(await ids("?metadata=why%3Dtrial")).toEqual([a]);
    expect(await ids(`?range=[${inDays(api, 1)}..${inDays(api, 2)})`)).toEqual([a]);
    expect(await ids(`?range=(${inDays(api, 1)}..*]`)).toEqual([c, b]);
    expect((await admin("GET /deletion-lock?range=[a..b]")).status).toBe(400);
    expect((await admin("GET /deletion-lock?entityTypes=job")).status).toBe(400);
    expect((await admin("GET /item/deletion-lock")).body.hits).toBe(2);
    expect((await api.as("ada", "_deletion_lock_read")("GET /deletion-lock")).body).toEqual({ hits: 0, lock: [] });
    await admin(`POST /item/${two}/access`, { body: { user: "ada", permission: "READ" } });
    expect((await api.as("ada", "_deletion_lock_read")("GET /deletion-lock")).body.hits).toBe(1);
    const body = { expiryTime: inDays(api, 1) };
    expect((await api.as("ada", "_deletion_lock_write")(`POST /item/${two}/deletion-lock`, { body })).status).toBe(403);
  });
});

test("expired locks are removed where that is wanted, but for those of files", async () => {
  const api = await openMediaApi();
  const item = await api.item();
  const file = await api.file("a.mp4");
  await lock(api, `/item/${item}`, 1);
  await lock(api, `/file/${file}`, 1);
  await api.tick();
  expect((await api.admin("GET /deletion-lock")).body.hits).toBe(2);
  api.clock.now += day;
  await api.tick();
  expect((await api.admin("GET /deletion-lock")).body.lock).toMatchObject([{ entityType: "file", isExpired: true }]);
  expect(await protectedUntil(api, item)).toBeUndefined();
});

test("the field of a collection with very many items is brought up to date in blocks", async () => {
  const api = await openMediaApi();
  const items = 2600;
  const collection = await api.collection("Many");
  const serial = Number(collection.slice(3));
  const numbers = JSON.stringify(Array.from({ length: items }, (_, index) => 10_000 + index));
  await api.store.database.batch(
    [
      { sql: "insert into item (id, created, owner) select value, 0, 'admin' from json_each(?)", args: [numbers] },
      {
        sql: "insert into metadata (id, writes, body) select value * 8 + 1, 1, '{}' from json_each(?)",
        args: [numbers],
      },
      {
        sql: `insert into collection_member (collection, kind, member, position, passes)
          select ?, 1, value, value, 1 from json_each(?)`,
        args: [serial, numbers],
      },
    ],
    "write",
  );
  await lock(api, `/collection/${collection}`, 1);
  const count = async () =>
    (
      await api.store.query({
        sql: "select count(*) as n from metadata where transient ->> '$.__deletion_lock_expiry[0]' is not null",
      })
    )[0]?.n;
  expect(Number(await count())).toBeLessThan(items);
  for (let turn = 0; turn < 5; turn++) await api.tick();
  expect(await count()).toBe(items + 1);
  expect(await api.store.query({ sql: "select * from deletion_lock_stale" })).toEqual([]);
});

test("what is protected agrees with a model of locks and collections, whatever happens", async () => {
  const api = await openMediaApi();
  const { admin, clock } = api;
  const item = await api.item();
  const collections = [await api.collection("A"), await api.collection("B"), await api.collection("C")];
  const begin = clock.now;
  const place = fc.constantFrom("item", "0", "1", "2");
  const step = fc.oneof(
    fc.record({ kind: fc.constant("lock" as const), on: place, days: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kind: fc.constant("unlock" as const), nth: fc.nat(3) }),
    fc.record({ kind: fc.constant("put" as const), into: fc.nat(2), what: fc.constantFrom("item", "1", "2") }),
    fc.record({ kind: fc.constant("take" as const), from: fc.nat(2), what: fc.constantFrom("item", "1", "2") }),
    fc.record({ kind: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 2 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      clock.now = begin;
      await api.store.database.batch(
        [
          ...["deletion_lock", "collection_member"].map((table) => ({ sql: `delete from ${table}` })),
          { sql: "insert or replace into deletion_lock_stale (type, entity) select 'item', id from item" },
          { sql: "insert or replace into deletion_lock_stale (type, entity) select 'collection', id from collection" },
        ],
        "write",
      );
      const locks: { id: string; on: string; expires: number }[] = [];
      const edges = new Set<string>();
      for (const one of steps) {
        if (one.kind === "wait") clock.now += one.days * day;
        else if (one.kind === "lock") {
          const path = one.on === "item" ? `/item/${item}` : `/collection/${collections[Number(one.on)]}`;
          locks.push({ id: (await lock(api, path, one.days)).id, on: one.on, expires: clock.now + one.days * day });
        } else if (one.kind === "unlock") {
          const [gone] = locks.splice(one.nth, 1);
          if (gone !== undefined) await admin(`DELETE /deletion-lock/${gone.id}`);
        } else {
          const [container, method] = one.kind === "put" ? [one.into, "PUT"] : [one.from, "DELETE"];
          const member = one.what === "item" ? item : collections[Number(one.what)];
          const type = one.what === "item" ? "item" : "collection";
          const { status } = await admin(`${method} /collection/${collections[container]}/${member}?type=${type}`);
          if (status !== 200) continue;
          if (one.kind === "put") edges.add(`${container}>${one.what}`);
          else edges.delete(`${container}>${one.what}`);
        }
      }
      const reaching = new Set(["item"]);
      for (let grew = true; grew; ) {
        grew = false;
        for (const edge of edges) {
          const [container = "", what = ""] = edge.split(">");
          if (!reaching.has(what) || reaching.has(container)) continue;
          reaching.add(container);
          grew = true;
        }
      }
      const own = locks.filter(({ on }) => reaching.has(on));
      const counting = own.filter(({ expires }) => expires > clock.now).map(({ expires }) => expires);
      const { body } = await admin(`GET /item/${item}/deletion-lock?onlyEffective=true`);
      expect(body.lock.map(({ expiryTime }: { expiryTime: string }) => Date.parse(expiryTime))).toEqual(
        counting.length === 0 ? [] : [Math.max(...counting)],
      );
      expect((await admin(`GET /item/${item}/deletion-lock`)).body.hits).toBe(own.length);
      await api.tick();
      const field = await protectedUntil(api, item);
      const kept = await api.store.query({ sql: "select id from deletion_lock" });
      const left = own.filter(({ id }) => kept.some((row) => `VX-${row.id}` === id)).map(({ expires }) => expires);
      expect(field).toBe(left.length === 0 ? undefined : new Date(Math.max(...left)).toISOString());
    }),
    { numRuns: runsHere(25) },
  );
});
