import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@libsql/client/sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { KinoraError } from "../../src/errors.ts";
import type { Database } from "../../src/store/database.ts";
import { openEmbedded } from "../../src/store/embedded.ts";
import { migrate } from "../../src/store/migration.ts";
import { core } from "../../src/store/migrations/0001-core.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { startProcess } from "./store-process.ts";

const actor = { userName: "alice" };

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "kinora-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function openIn(folder: string, options: { patienceMs?: number } = {}): Promise<{ url: string; store: Store }> {
  const url = `file:${join(folder, "kinora.db")}`;
  const database = await openEmbedded({ url, ...options });
  onTestFinished(() => database.close());
  await migrate(database, { migrations: [core] });
  await database.query({ sql: "create table if not exists thing (name text not null, bulk blob) strict" });
  return { url, store: await openStore({ database }) };
}

function secondConnection(url: string): Client {
  const client = createClient({ url });
  onTestFinished(() => client.close());
  return client;
}

const write = (store: Store, name: string) =>
  store
    .change(actor)
    .add({ sql: "insert into thing (name) values (?)", args: [name] })
    .record({ entity: "item", action: "CREATE", entityId: name, keys: {} })
    .commit();
const names = async (store: Store) =>
  (await store.query({ sql: "select name from thing order by rowid" })).map(({ name }) => name);
const countOf = async (store: Store, table: string) =>
  (await store.query({ sql: `select count(*) as n from ${table}` }))[0]?.n;

describe("the file", () => {
  test("is in WAL mode with foreign keys and full synchronisation, on every connection", async () => {
    const { url, store } = await openIn(makeFolder(), { patienceMs: 50 });
    const pragmas = async () =>
      Promise.all(
        ["journal_mode", "foreign_keys", "synchronous"].map(
          async (name) => Object.values((await store.query({ sql: `pragma ${name}` }))[0] ?? {})[0],
        ),
      );
    expect(await pragmas()).toEqual(["wal", 1, 2]);
    // A busy database makes the connection be opened anew.
    const lock = await secondConnection(url).transaction("write");
    await expect(write(store, "a")).rejects.toThrow(KinoraError);
    await lock.rollback();
    expect(await pragmas()).toEqual(["wal", 1, 2]);
  });

  test("is synchronised less often when that is asked for", async () => {
    const url = `file:${join(makeFolder(), "kinora.db")}`;
    const database = await openEmbedded({ url, synchronous: "normal" });
    onTestFinished(() => database.close());
    expect((await database.query({ sql: "pragma synchronous" })).rows).toEqual([{ synchronous: 1 }]);
  });

  test.each([":memory:", "file::memory:", "file::memory:?cache=shared"])("is a file: %s is refused", async (url) => {
    await expect(openEmbedded({ url })).rejects.toThrow("An in-memory database is not supported; name a file");
  });

  test("in a folder that is missing, or that is no database, is unavailable", async () => {
    const folder = makeFolder();
    await expect(openEmbedded({ url: `file:${join(folder, "nowhere", "kinora.db")}` })).rejects.toMatchObject({
      code: "unavailable",
      reason: "file",
    });
    writeFileSync(join(folder, "text.db"), "This is a text and no database. ".repeat(200));
    await expect(openEmbedded({ url: `file:${join(folder, "text.db")}` })).rejects.toMatchObject({
      code: "unavailable",
      reason: "damaged",
    });
  });

  test("is left whole, with an empty log, when it is closed, and nothing more is answered", async () => {
    const folder = makeFolder();
    const { store } = await openIn(folder);
    await write(store, "a");
    await store.close();
    expect(statSync(join(folder, "kinora.db-wal"), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    await expect(store.query({ sql: "select 1" })).rejects.toMatchObject({ code: "unavailable", reason: "closed" });
    await expect(write(store, "b")).rejects.toMatchObject({ reason: "closed" });
  });
});

test("a long run of statements lets other work of the process have its turn", async () => {
  const { store } = await openIn(makeFolder());
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  onTestFinished(() => clearInterval(timer));
  for (let index = 0; index < 20_000; index++) await store.query({ sql: "select 1" });
  expect(turns).toBeGreaterThan(10);
});

describe("another writer on the same file", () => {
  test("is waited for without blocking this process", async () => {
    const { url, store } = await openIn(makeFolder());
    const other = startProcess("store-lock-holder.ts", url);
    onTestFinished(() => other.kill());
    expect(await other.line()).toBe("locked");
    const waiting = Promise.all(["a", "b", "c"].map((name) => write(store, name)));
    const single = store.database.query({ sql: "insert into thing (name) values ('single')" });
    // Reads, and everything else in this process, go on meanwhile.
    for (let turn = 0; turn < 20; turn++) {
      expect(await names(store)).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    other.child.stdin.write("go\n");
    await Promise.all([waiting, single]);
    expect((await names(store)).filter((name) => name !== "single")).toEqual(["a", "b", "c"]);
    expect(await names(store)).toContain("single");
  });

  test("that holds on for too long makes a change unavailable: nothing of it is written, the next one works", async () => {
    const { url, store } = await openIn(makeFolder(), { patienceMs: 50 });
    const second = secondConnection(url);
    const lock = await second.transaction("write");
    const outcomes = await Promise.allSettled([write(store, "a"), write(store, "b"), store.ids.next("item")]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: {
          code: "unavailable",
          message: "The database is busy with other writes",
          reason: "busy",
          details: { headers: { "Retry-After": "1" } },
        },
      });
    }
    await lock.rollback();
    expect(await names(store)).toEqual([]);
    await write(store, "c");
    expect(await countOf(store, "event")).toBe(1);
  });

  test("gets in at once after this process was refused: no lock is kept", async () => {
    const { url, store } = await openIn(makeFolder(), { patienceMs: 20 });
    const second = secondConnection(url);
    for (let round = 0; round < 5; round++) {
      const lock = await second.transaction("write");
      await expect(write(store, "refused")).rejects.toMatchObject({ reason: "busy" });
      await expect(store.database.query({ sql: "delete from thing" })).rejects.toMatchObject({ reason: "busy" });
      await lock.execute("insert into thing (name) values ('second')");
      await lock.commit();
      expect(await countOf(store, "thing")).toBe(round * 3 + 1);
      await second.execute("insert into thing (name) values ('second')");
      await write(store, "first");
    }
    expect(await countOf(store, "thing")).toBe(15);
  });

  test("and many writers here interleave without losing anything", async () => {
    const folder = makeFolder();
    const { store } = await openIn(folder);
    const { store: other } = await openIn(folder);
    await store.query({ sql: "create table counter (n integer not null) strict" });
    await store.query({ sql: "insert into counter values (0)" });
    const raise = (instance: Store) => instance.change(actor).add({ sql: "update counter set n = n + 1" }).commit();
    await Promise.all(Array.from({ length: 200 }, (_, index) => raise(index % 2 === 0 ? store : other)));
    expect(await store.query({ sql: "select n from counter" })).toEqual([{ n: 200 }]);
  });
});

test.runIf(process.platform === "linux")(
  "a database that stays locked costs one connection, however many writers are refused",
  async () => {
    const { url, store } = await openIn(makeFolder(), { patienceMs: 60 });
    const lock = await secondConnection(url).transaction("write");
    const openFiles = () => readdirSync("/proc/self/fd").length;
    const before = openFiles();
    for (let round = 0; round < 10; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => write(store, `${index}`)));
      expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
      expect(await names(store)).toEqual([]);
    }
    expect(openFiles() - before).toBeLessThan(10);
    await lock.rollback();
    await write(store, "free");
    expect(await names(store)).toEqual(["free"]);
  },
);

describe("a full disk", () => {
  const big = { sql: "insert into thing (name, bulk) values ('big', zeroblob(?))", args: [200_000] };
  const fill = (store: Store) =>
    store
      .change(actor)
      .add({ sql: "insert into thing (name) values ('with big')" })
      .add(big, big)
      .record({ entity: "item", action: "CREATE", entityId: "big", keys: {} })
      .commit();

  async function refusesThenRecovers(store: Store, makeRoom: () => Promise<unknown> | unknown): Promise<void> {
    await write(store, "before");
    await expect(fill(store)).rejects.toMatchObject({
      code: "unavailable",
      message: "The database's disk is full",
      details: { headers: { "Retry-After": "60" } },
    });
    expect(await names(store)).toEqual(["before"]);
    expect(await countOf(store, "event")).toBe(1);
    await makeRoom();
    await fill(store);
    expect(await names(store)).toEqual(["before", "with big", "big", "big"]);
    expect(await countOf(store, "event")).toBe(2);
    expect(await store.query({ sql: "pragma integrity_check" })).toEqual([{ integrity_check: "ok" }]);
  }

  test("told by the size that a database may have: nothing is half written, and all goes on with more room", async () => {
    const { store } = await openIn(makeFolder());
    const pages = Object.values((await store.query({ sql: "pragma page_count" }))[0] ?? {})[0];
    await store.query({ sql: `pragma max_page_count = ${Number(pages) + 20}` });
    await refusesThenRecovers(store, () => undefined);
  });

  const isRoot = process.getuid?.() === 0 && process.platform === "linux";
  function mount(folder: string, ...options: readonly string[]): void {
    execFileSync("mount", [...options, folder]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  }

  test.runIf(isRoot)("for real: nothing is half written, and all goes on when there is room again", async () => {
    const folder = makeFolder();
    mount(folder, "-t", "tmpfs", "-o", "size=1m", "tmpfs");
    writeFileSync(join(folder, "ballast"), new Uint8Array(700_000));
    const { store } = await openIn(folder);
    await refusesThenRecovers(store, () => rmSync(join(folder, "ballast")));
  });

  test.runIf(isRoot)("a disk that is read-only is unavailable, and works when it is writable again", async () => {
    const folder = makeFolder();
    const { store } = await openIn(folder);
    await write(store, "before");
    await store.close();
    const view = makeFolder();
    mount(view, "--bind", folder);
    execFileSync("mount", ["-o", "remount,bind,ro", view]);
    const url = `file:${join(view, "kinora.db")}`;
    const outcome = await openEmbedded({ url })
      .then((database) => database.query({ sql: "insert into thing (name) values ('refused')" }))
      .catch((error) => error);
    expect(outcome).toMatchObject({ code: "unavailable", outcome: "not-written" });
    execFileSync("mount", ["-o", "remount,bind,rw", view]);
    const { store: again } = await openIn(view);
    await write(again, "after");
    expect(await names(again)).toEqual(["before", "after"]);
  });
});

describe("a process that is killed while it writes", () => {
  async function oneRound(url: string, synchronous: string, commits: number): Promise<number> {
    const writer = startProcess("store-crash-writer.ts", url, synchronous);
    let committed = 0;
    for (let index = 0; index < commits; index++) committed = Number((await writer.line()) ?? committed);
    await writer.kill();
    for (let line = await writer.line(); line !== undefined; line = await writer.line()) committed = Number(line);
    return committed;
  }

  const sides = async (database: Database) =>
    (
      await database.query({
        sql: `select change, count(*) as n from (
            select change from left_side union all select change from right_side
          ) group by change order by change`,
      })
    ).rows;

  test.each(["normal", "full"])(
    "leaves whole changes only, all that it reported, and a file that works on: %s",
    async (synchronous) => {
      const folder = makeFolder();
      const { url, store } = await openIn(folder);
      for (const side of ["left_side", "right_side"]) {
        await store.query({ sql: `create table ${side} (change integer not null, row integer not null) strict` });
      }
      const reported: number[] = [];
      for (const commits of [1, 17, 60]) {
        reported.push(await oneRound(url, synchronous, commits));
        const changes = await sides(store.database);
        expect(changes.every(({ n }) => n === 80)).toBe(true);
        expect(changes.map(({ change }) => change)).toEqual(expect.arrayContaining(reported));
        expect(await countOf(store, "event")).toBe(changes.length);
        expect(await store.query({ sql: "pragma integrity_check" })).toEqual([{ integrity_check: "ok" }]);
        await write(store, "goes on");
        await store.query({ sql: "delete from event where entity_id = 'goes on'" });
      }
      // The ids of the blocks of killed processes are never given again.
      const serials = (await store.query({ sql: "select distinct change from left_side" })).map(({ change }) =>
        Number(change),
      );
      expect(await store.ids.nextSerial("change")).toBeGreaterThan(Math.max(...serials));
    },
  );
});
