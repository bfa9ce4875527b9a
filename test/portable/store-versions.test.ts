import { describe, expect, test } from "vitest";
import { KinoraError } from "../../src/errors.ts";
import type { Store } from "../../src/store/store.ts";
import { knownForMs, lookAfterMs } from "../../src/store/versions.ts";
import { makeInstances } from "./store-database.ts";

const actor = { userName: "alice" };

function clock() {
  const time = { ms: 1_000_000, now: () => time.ms };
  return time;
}

async function bump(store: Store, name: string): Promise<void> {
  const change = store.change(actor);
  store.versions.bump(change, name);
  await change.commit();
}

/** A store whose background work a test can wait for. */
async function watched() {
  const instances = await makeInstances();
  const time = clock();
  const work: Promise<void>[] = [];
  const logged: string[] = [];
  const log = { warn: (message: string) => logged.push(message), error: (message: string) => logged.push(message) };
  const store = await instances.store({ now: time.now, log, background: (one) => work.push(one) });
  return { instances, time, store, logged, looks: work, settle: () => Promise.all(work) };
}

describe("versions", () => {
  test("begin at 0 and rise with each bump", async () => {
    const { store } = await watched();
    expect(await store.versions.fresh("security", 0)).toBe(0);
    await bump(store, "security");
    await bump(store, "security");
    expect(await store.versions.fresh("security", 0)).toBe(2);
    expect(await store.versions.fresh("other", 0)).toBe(0);
  });

  test("a bump counts here at once, elsewhere within the time that was asked for", async () => {
    const { instances, store, time } = await watched();
    const other = await instances.store({ now: time.now });
    await store.versions.fresh("security", 0);
    await other.versions.fresh("security", 0);
    await bump(store, "security");
    expect(store.versions.current("security")).toBe(1);
    expect(await other.versions.fresh("security", 1000)).toBe(0);
    time.ms += 1001;
    expect(await other.versions.fresh("security", 1000)).toBe(1);
  });

  test("a change that fails bumps nothing", async () => {
    const { store } = await watched();
    await store.versions.fresh("security", 0);
    const change = store.change(actor);
    store.versions.bump(change, "security");
    change.require({ sql: "select 0" }, new KinoraError("conflict"));
    await expect(change.commit()).rejects.toMatchObject({ code: "conflict" });
    expect(store.versions.current("security")).toBe(0);
    expect(await store.versions.fresh("security", 0)).toBe(0);
  });

  test("a bump does not show among the results of the change", async () => {
    const { store } = await watched();
    const change = store.change(actor);
    store.versions.bump(change, "security");
    expect(await change.add({ sql: "select 7 as seven" }).commit()).toEqual([
      { rows: [{ seven: 7 }], rowsAffected: 1 },
    ]);
  });

  test("in use, the database is looked at behind the caller's back", async () => {
    const { instances, store, time, looks, settle } = await watched();
    await store.versions.fresh("security", 0);
    await bump(await instances.store(), "security");
    expect(store.versions.current("security")).toBe(0);
    expect(looks).toHaveLength(0);
    time.ms += lookAfterMs + 1;
    expect(store.versions.current("security")).toBe(0);
    expect(store.versions.current("security")).toBe(0);
    expect(looks).toHaveLength(1);
    await settle();
    expect(store.versions.current("security")).toBe(1);
  });

  test("what is too old is not told: every answer is another one, so that no cache holds", async () => {
    const { store, time, settle } = await watched();
    const before = [store.versions.current("security"), store.versions.current("security")];
    expect(new Set(before).size).toBe(2);
    expect(Math.max(...before)).toBeLessThan(0);
    await settle();
    expect(store.versions.current("security")).toBe(0);
    time.ms += knownForMs;
    expect(store.versions.current("security")).toBe(0);
    time.ms += knownForMs + 1;
    await settle();
    time.ms += knownForMs + 1;
    expect(store.versions.current("security")).toBeLessThan(0);
  });

  test("a clock that is set back makes nothing look fresh", async () => {
    const { store, time } = await watched();
    await store.versions.fresh("security", 0);
    time.ms -= 3_600_000;
    expect(store.versions.current("security")).toBeLessThan(0);
    expect(await store.versions.fresh("security", 1000)).toBe(0);
    expect(store.versions.current("security")).toBe(0);
  });

  test("a database that is put back to an older state counts as a change", async () => {
    const { store } = await watched();
    await bump(store, "security");
    await bump(store, "security");
    expect(await store.versions.fresh("security", 0)).toBe(2);
    await store.query({ sql: "update version set value = 1" });
    expect(await store.versions.fresh("security", -1)).toBe(1);
  });

  test("a look that fails is logged, and repeated only after a while", async () => {
    const { store, time, logged, looks, settle } = await watched();
    await store.query({ sql: "alter table version rename to away" });
    store.versions.current("security");
    await settle();
    store.versions.current("security");
    expect(looks).toHaveLength(1);
    expect(logged).toEqual(["Versions cannot be read from the database"]);
    await store.query({ sql: "alter table away rename to version" });
    time.ms += 501;
    store.versions.current("security");
    await settle();
    expect(store.versions.current("security")).toBe(0);
  });
});
