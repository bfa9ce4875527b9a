import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KinoraError } from "../../src/errors.ts";
import { ConstraintError } from "../../src/store/faults.ts";
import type { Store } from "../../src/store/store.ts";
import { makeInstances, type TestInstances } from "./store-database.ts";

const actor = { userName: "alice", runAs: "bob", requestId: "r-1" };
const conflict = new KinoraError("conflict", { explanation: "The name is taken" });
const stale = new KinoraError("precondition-failed");

async function storeWithTable(instances?: TestInstances): Promise<Store> {
  const store = await (instances ?? (await makeInstances())).store({ now: () => 1_700_000_000_000 });
  await store.database.query({
    sql: "create table thing (id integer primary key, name text not null unique, revision integer not null default 1) strict",
  });
  return store;
}

const put = (id: number, name: string) => ({ sql: "insert into thing (id, name) values (?, ?)", args: [id, name] });
const names = async (store: Store) =>
  (await store.query({ sql: "select name from thing order by id" })).map(({ name }) => name);

describe("a change", () => {
  test("writes all its statements and answers their results in order", async () => {
    const store = await storeWithTable();
    const results = await store
      .change(actor)
      .add(put(1, "a"), put(2, "b"))
      .require({ sql: "select count(*) = 2 from thing" }, conflict)
      .record({ entity: "item", action: "CREATE", entityId: "VX-1", keys: {} })
      .add({ sql: "update thing set revision = revision + 1" })
      .add({ sql: "insert into thing (id, name) values (3, 'c') returning id, name" })
      .commit();
    expect(results.map(({ rowsAffected }) => rowsAffected)).toEqual([1, 1, 2, 1]);
    expect(results[3]?.rows).toEqual([{ id: 3, name: "c" }]);
    expect(await names(store)).toEqual(["a", "b", "c"]);
  });

  test("without statements is committed without asking the database", async () => {
    const store = await storeWithTable();
    await store.close();
    const done: string[] = [];
    const results = await store
      .change(actor)
      .onCommit(() => done.push("hook"))
      .commit();
    expect(results).toEqual([]);
    expect(done).toEqual(["hook"]);
  });

  test("takes drizzle builders", async () => {
    const thing = sqliteTable("thing", {
      id: integer("id").primaryKey(),
      name: text("name").notNull(),
      revision: integer("revision").default(1),
    });
    const store = await storeWithTable();
    const db = await store.drizzle();
    await store
      .change(actor)
      .add(db.insert(thing).values({ id: 1, name: "a" }), put(2, "b"))
      .add(db.update(thing).set({ revision: sql`${thing.revision} + 5` }))
      .commit();
    expect(await db.select().from(thing).orderBy(thing.id)).toEqual([
      { id: 1, name: "a", revision: 6 },
      { id: 2, name: "b", revision: 6 },
    ]);
    expect(await db.select({ name: thing.name }).from(thing).where(sql`id = 9`).get()).toBeUndefined();
    const pairs = await db
      .select({ left: thing.id, right: sql<number>`other.id` })
      .from(thing)
      .innerJoin(sql`thing other`, sql`other.id > ${thing.id}`);
    expect(pairs).toEqual([{ left: 1, right: 2 }]);
  });

  test("is committed once and takes nothing afterwards", async () => {
    const store = await storeWithTable();
    const change = store.change(actor).add(put(1, "a"));
    await change.commit();
    await expect(change.commit()).rejects.toThrow("A change is committed once");
    expect(() => change.add(put(2, "b"))).toThrow("takes nothing more");
    expect(() => change.record({ entity: "item", action: "CREATE", entityId: "1", keys: {} })).toThrow();
  });
});

describe("a condition that does not hold", () => {
  test.each([
    ["zero", "select 0"],
    ["null", "select null"],
    ["no row", "select 1 where false"],
    ["a count that differs", "select count(*) = 7 from thing"],
    ["a comment at its end", "select 0 -- never"],
  ])("aborts the whole batch with its error: %s", async (_, condition) => {
    const store = await storeWithTable();
    const hooks: string[] = [];
    const change = store
      .change(actor)
      .add(put(1, "a"))
      .require({ sql: condition }, stale)
      .add(put(2, "b"))
      .record({ entity: "item", action: "CREATE", entityId: "VX-1", keys: {} })
      .onCommit(() => hooks.push("done"));
    await expect(change.commit()).rejects.toBe(stale);
    expect(await names(store)).toEqual([]);
    expect(await store.query({ sql: "select * from event" })).toEqual([]);
    expect(hooks).toEqual([]);
  });

  test("the first of several decides which error", async () => {
    const store = await storeWithTable();
    const change = store
      .change(actor)
      .require({ sql: "select ?", args: [1] }, conflict)
      .require({ sql: "select ? > ?", args: [1, 2] }, stale)
      .require({ sql: "select 0" }, conflict);
    await expect(change.commit()).rejects.toBe(stale);
  });

  test("conditions that hold leave nothing behind", async () => {
    const store = await storeWithTable();
    await store.change(actor).require({ sql: "select 'text' = 'text'" }, conflict).add(put(1, "a")).commit();
    expect(await store.query({ sql: "select count(*) as n from guard" })).toEqual([{ n: 0 }]);
  });

  test("changes() tells whether the statement before met a row", async () => {
    const store = await storeWithTable();
    await store.change(actor).add(put(1, "a")).commit();
    const raise = (revision: number) =>
      store
        .change(actor)
        .add({ sql: "update thing set revision = revision + 1 where id = 1 and revision = ?", args: [revision] })
        .require({ sql: "select changes() = 1" }, stale)
        .commit();
    await raise(1);
    await expect(raise(1)).rejects.toBe(stale);
    await raise(2);
  });

  test("wrong SQL in a condition is not taken for a condition that does not hold", async () => {
    const store = await storeWithTable();
    const change = store.change(actor).require({ sql: "select x from nowhere" }, stale);
    await expect(change.commit()).rejects.not.toBe(stale);
  });
});

describe("a broken constraint", () => {
  test("of a statement with a meaning for it becomes that error", async () => {
    const store = await storeWithTable();
    await store.change(actor).add(put(1, "a")).commit();
    const again = store.change(actor).add(put(2, "b")).add(put(3, "a"), { unique: conflict });
    await expect(again.commit()).rejects.toBe(conflict);
    expect(await names(store)).toEqual(["a"]);
  });

  test.each([
    ["unique", "insert into thing (id, name) values (2, 'a')", "unique", "thing.name"],
    ["primary key", "insert into thing (id, name) values (1, 'b')", "unique", "thing.id"],
    ["not null", "insert into thing (id, name) values (2, null)", "not-null", "thing.name"],
    ["type of a column", "insert into thing (id, name, revision) values (2, 'b', 'x')", "type", undefined],
  ])("without a meaning stays recognisable: %s", async (_, statement, kind, constraint) => {
    const store = await storeWithTable();
    await store.change(actor).add(put(1, "a")).commit();
    const failure = await store
      .change(actor)
      .add(put(5, "e"))
      .add({ sql: statement })
      .commit()
      .catch((error) => error);
    expect(failure).toBeInstanceOf(ConstraintError);
    expect(failure).toMatchObject({ kind, statementIndex: 1 });
    expect((failure as ConstraintError).constraint).toBe(constraint);
    expect(await names(store)).toEqual(["a"]);
  });

  test("foreign keys are enforced", async () => {
    const store = await storeWithTable();
    await store.database.query({ sql: "create table part (thing integer not null references thing (id)) strict" });
    const failure = await store
      .change(actor)
      .add({ sql: "insert into part values (9)" })
      .commit()
      .catch((error) => error);
    expect(failure).toMatchObject({ kind: "foreign-key" });
  });
});

describe("events", () => {
  test("are written with who, when and what", async () => {
    const store = await storeWithTable();
    await store
      .change(actor)
      .record({ entity: "item", action: "CREATE", entityId: "VX-1", keys: { itemId: "VX-1", field: ["a", "b"] } })
      .commit();
    await store
      .change({ userName: "carol" })
      .record({ entity: "item", action: "DELETE", entityId: "VX-1", keys: {} })
      .commit();
    expect(await store.query({ sql: "select * from event order by id" })).toEqual([
      {
        id: 1,
        at: 1_700_000_000_000,
        entity: "item",
        action: "CREATE",
        entity_id: "VX-1",
        keys: '{"itemId":"VX-1","field":["a","b"]}',
        actor: "alice",
        run_as: "bob",
        request_id: "r-1",
      },
      {
        id: 2,
        at: 1_700_000_000_000,
        entity: "item",
        action: "DELETE",
        entity_id: "VX-1",
        keys: "{}",
        actor: "carol",
        run_as: null,
        request_id: null,
      },
    ]);
  });

  test("are shown to the observers in order, whose additions join the same batch", async () => {
    const store = await storeWithTable();
    const seen: string[] = [];
    store.observe(async (change) => {
      await Promise.resolve();
      seen.push(...change.events.map(({ action }) => `first ${action}`));
      change.add(put(2, "from an observer"));
      change.record({ entity: "quota", action: "EXCEEDED", entityId: "1", keys: {} });
    });
    store.observe((change) => {
      seen.push(...change.events.map(({ action }) => `second ${action}`));
    });
    const change = store.change(actor).add(put(1, "a"));
    await change.record({ entity: "item", action: "CREATE", entityId: "VX-1", keys: {} }).commit();
    expect(seen).toEqual(["first CREATE", "second CREATE", "second EXCEEDED"]);
    expect(await names(store)).toEqual(["a", "from an observer"]);
    expect(await store.query({ sql: "select action from event order by id" })).toEqual([
      { action: "CREATE" },
      { action: "EXCEEDED" },
    ]);
  });

  test("an observer that refuses keeps the change from being written", async () => {
    const store = await storeWithTable();
    store.observe(() => {
      throw conflict;
    });
    await expect(store.change(actor).add(put(1, "a")).commit()).rejects.toBe(conflict);
    expect(await names(store)).toEqual([]);
  });

  test("a function that fails after the commit is logged and does not hide that all was written", async () => {
    const logged: unknown[] = [];
    const log = { warn: () => undefined, error: (_: string, properties?: object) => logged.push(properties) };
    const store = await (await makeInstances()).store({ log });
    const failure = new Error("hook");
    const order: string[] = [];
    await store
      .change(actor)
      .record({ entity: "item", action: "CREATE", entityId: "1", keys: {} })
      .onCommit(() => {
        throw failure;
      })
      .onCommit(() => order.push("second"))
      .commit();
    expect(logged).toEqual([{ error: failure }]);
    expect(order).toEqual(["second"]);
  });
});

test("concurrent guarded changes of several instances lose no update and never pass the limit", async () => {
  const instances = await makeInstances();
  const stores = [await storeWithTable(instances), await instances.store(), await instances.store()];
  const first = stores[0] as Store;
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ store: fc.nat(stores.length - 1), amount: fc.integer({ min: 1, max: 9 }) }), {
        maxLength: 12,
      }),
      fc.integer({ min: 5, max: 40 }),
      async (writes, limit) => {
        const id = ++run;
        await first
          .change(actor)
          .add(put(id, `counter ${id}`))
          .commit();
        const outcomes = await Promise.allSettled(
          writes.map(({ store, amount }) =>
            (stores[store] as Store)
              .change(actor)
              .add({ sql: "update thing set revision = revision + ? where id = ?", args: [amount, id] })
              .require({ sql: "select revision <= ? from thing where id = ?", args: [limit, id] }, conflict)
              .commit(),
          ),
        );
        const written = writes.filter((_, index) => outcomes[index]?.status === "fulfilled");
        for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason).toBe(conflict);
        const [row] = await first.query({ sql: "select revision from thing where id = ?", args: [id] });
        expect(row?.revision).toBe(written.reduce((sum, { amount }) => sum + amount, 1));
        expect(row?.revision).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 25 },
  );
});
