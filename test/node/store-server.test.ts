import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { KinoraError } from "../../src/errors.ts";
import type { Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migration.ts";
import { core } from "../../src/store/migrations/0001-core.ts";
import { openServer, type ServerOptions } from "../../src/store/server.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { changeLogRetentionMs } from "../../src/store/write-once.ts";
import { hasSqld, type Sqld, startSqld } from "../peers/sqld.ts";
import { type Fault, type FaultyWay, openFaultyWay } from "./store-proxy.ts";

const actor = { userName: "alice" };
const conflict = new KinoraError("conflict");
const portOf = (url: string) => Number(new URL(url).port);
const put = (name: string) => ({ sql: "insert into thing (name) values (?) returning id", args: [name] });

describe.skipIf(!hasSqld)("a database on a libSQL server", () => {
  let sqld: Sqld;
  let direct: Database;
  let way: FaultyWay;

  beforeAll(async () => {
    sqld = await startSqld();
    direct = await openServer({ url: sqld.url });
    await migrate(direct, { migrations: [core] });
    await direct.query({ sql: "create table thing (id integer primary key, name text not null unique) strict" });
    way = await openFaultyWay(portOf(sqld.url));
  });
  afterAll(async () => {
    await direct?.close();
    await way?.close();
    await sqld?.stop();
  });

  const countOf = async (name: string) =>
    (await direct.query({ sql: "select count(*) as n from thing where name = ?", args: [name] })).rows[0]?.n;

  async function storeOver(scheme: string, options: Partial<ServerOptions> = {}): Promise<Store> {
    way.forget();
    const database = await openServer({ url: `${scheme}://127.0.0.1:${way.port}`, timeoutMs: 5000, ...options });
    onTestFinished(() => database.close());
    // The connection stands before a test breaks it.
    await database.query({ sql: "select 1" });
    return openStore({ database });
  }

  describe.each(["http", "ws"])("over %s", (scheme) => {
    test("reads, writes, refuses and tells why", async () => {
      const store = await storeOver(scheme);
      const results = await store
        .change(actor)
        .add(put(`${scheme} a`), { sql: "select 9007199254740993 as big" })
        .commit();
      expect(results[1]?.rows).toEqual([{ big: 9_007_199_254_740_993n }]);
      const taken = store
        .change(actor)
        .add(put(`${scheme} b`))
        .add(put(`${scheme} a`), { unique: conflict });
      await expect(taken.commit()).rejects.toBe(conflict);
      const guarded = store
        .change(actor)
        .add(put(`${scheme} c`))
        .require({ sql: "select 0" }, conflict);
      await expect(guarded.commit()).rejects.toBe(conflict);
      expect(await countOf(`${scheme} b`)).toBe(0);
      expect(await countOf(`${scheme} c`)).toBe(0);
    });

    test.each<Fault>(["drop request", "drop answer", "cut answer"])(
      "a read whose connection breaks is asked again: %s",
      async (fault) => {
        const store = await storeOver(scheme);
        way.plan(fault);
        expect(await store.query({ sql: "select 7 as seven" })).toEqual([{ seven: 7 }]);
        way.plan(fault);
        expect(await store.readAll([{ sql: "select 1 as a" }, { sql: "select 2 as b" }])).toEqual([
          [{ a: 1 }],
          [{ b: 2 }],
        ]);
        expect(way.planned).toBe(0);
      },
    );

    test("a read whose connection breaks twice is unavailable, and the next one works", async () => {
      const store = await storeOver(scheme);
      way.plan("drop request", "drop request");
      await expect(store.query({ sql: "select 1" })).rejects.toMatchObject({
        code: "unavailable",
        status: 503,
        details: { headers: { "Retry-After": "5" } },
      });
      expect(await store.query({ sql: "select 7 as seven" })).toEqual([{ seven: 7 }]);
    });

    test("a change whose request was lost is written by sending it again", async () => {
      const store = await storeOver(scheme);
      way.plan("drop request", "drop request");
      const name = `${scheme} request lost`;
      const [result] = await store.change(actor).add(put(name)).commit();
      expect(result?.rows).toHaveLength(1);
      expect(await countOf(name)).toBe(1);
      expect(way.planned).toBe(0);
    });

    test.each<Fault>(["drop answer", "cut answer"])(
      "a change whose answer was lost is written once: %s",
      async (fault) => {
        const store = await storeOver(scheme);
        const name = `${scheme} ${fault}`;
        const done: string[] = [];
        way.plan(fault);
        const [result] = await store
          .change(actor)
          .require({ sql: "select count(*) = 0 from thing where name = ?", args: [name] }, conflict)
          .add(put(name), { unique: conflict })
          .onCommit(() => done.push("hook"))
          .commit();
        expect(await countOf(name)).toBe(1);
        expect(done).toEqual(["hook"]);
        expect(() => result?.rows).toThrow("The change was written, but what the database answered was lost");
        expect(() => result?.rowsAffected).toThrow(KinoraError);
      },
    );

    test("a change that is refused after its first answer was lost is refused", async () => {
      const store = await storeOver(scheme);
      way.plan("drop answer");
      const change = store
        .change(actor)
        .add(put(`${scheme} refused`))
        .require({ sql: "select 0" }, conflict);
      await expect(change.commit()).rejects.toBe(conflict);
      expect(await countOf(`${scheme} refused`)).toBe(0);
    });

    test("a change whose answer never comes says that its outcome is not known", async () => {
      const store = await storeOver(scheme, { timeoutMs: 100 });
      way.plan(...Array<Fault>(5).fill("withhold answer"));
      const failure = await store
        .change(actor)
        .add(put(`${scheme} silence`))
        .commit()
        .catch((error) => error);
      expect(failure).toMatchObject({
        code: "unavailable",
        message: "The connection to the database was lost; whether the change was written is not known",
      });
      expect(await countOf(`${scheme} silence`)).toBe(1);
      expect(way.planned).toBe(0);
      expect(await store.query({ sql: "select 7 as seven" })).toEqual([{ seven: 7 }]);
    });

    test("a single statement that writes is never sent twice", async () => {
      const store = await storeOver(scheme);
      const name = `${scheme} single`;
      way.plan("drop answer");
      await expect(store.database.query(put(name))).rejects.toMatchObject({ reason: "lost", outcome: "unknown" });
      expect(await countOf(name)).toBe(1);
      way.plan("drop request");
      const cte = {
        sql: "with n as (select ? as name) insert into thing (name) select name from n",
        args: [`${name} 2`],
      };
      await expect(store.database.query(cte)).rejects.toMatchObject({ reason: "lost" });
      expect(await countOf(`${name} 2`)).toBe(0);
    });

    test("whatever breaks, a change that says it is written is there once, and one that says it is not is not", async () => {
      const store = await storeOver(scheme);
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom<Fault>("drop request", "drop answer", "cut answer"), { maxLength: 4 }),
          fc.integer({ min: 1, max: 5 }),
          async (faults, changes) => {
            const names = Array.from({ length: changes }, () => `${scheme} property ${++run}`);
            way.plan(...faults);
            const outcomes = await Promise.allSettled(names.map((name) => store.change(actor).add(put(name)).commit()));
            for (const [index, name] of names.entries()) {
              const count = await countOf(name);
              if (outcomes[index]?.status === "fulfilled") expect(count).toBe(1);
              else expect(count).toBeLessThanOrEqual(1);
            }
            way.forget();
          },
        ),
        { numRuns: 8 },
      );
    });

    test("ids survive a broken connection without repeating", async () => {
      const store = await storeOver(scheme);
      const before = await store.ids.takeSerials(`${scheme} item`, 3);
      way.plan("drop answer");
      const after = await store.ids.takeSerials(`${scheme} item`, 200);
      expect(new Set([...before, ...after]).size).toBe(203);
    });
  });

  test("ids are reserved ahead, so that nobody waits for the database", async () => {
    const work: Promise<void>[] = [];
    const asked: string[] = [];
    const database: Database = {
      ...direct,
      batch(statements, mode) {
        asked.push(...statements.map(({ sql }) => sql));
        return direct.batch(statements, mode);
      },
    };
    const store = await openStore({ database, blockSize: () => 8, background: (one) => work.push(one) });
    await store.ids.takeSerials("ahead", 7);
    expect(work).toHaveLength(1);
    await Promise.all(work);
    asked.length = 0;
    expect(await store.ids.takeSerials("ahead", 2)).toEqual([8, 9]);
    expect(asked).toEqual([]);
  });

  test("the ids of old changes are swept", async () => {
    const time = { ms: Date.now() - 3_600_000 };
    const store = await openStore({ database: direct, now: () => time.ms });
    const change = () => store.change(actor).add({ sql: "select 1" }).commit();
    await change();
    time.ms += 3_600_000;
    const old = async () =>
      (
        await direct.query({
          sql: "select count(*) as n from change_log where id < ?",
          args: [(time.ms - changeLogRetentionMs).toString(16).padStart(12, "0")],
        })
      ).rows[0]?.n;
    expect(await old()).toBeGreaterThan(0);
    for (let index = 0; index < 5000 && (await old()) !== 0; index++) await change();
    expect(await old()).toBe(0);
  });

  test("a server that is not there is unavailable, and works as soon as it is", async () => {
    const folder = mkdtempSync(join(tmpdir(), "kinora-sqld-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const first = await startSqld({ folder });
    const database = await openServer({ url: first.url });
    onTestFinished(() => database.close());
    await migrate(database, { migrations: [core] });
    await first.stop();
    await expect(database.query({ sql: "select 1" })).rejects.toMatchObject({
      code: "unavailable",
      reason: "unreachable",
      outcome: "not-written",
    });
    const store = await openStore({ database });
    await expect(store.change(actor).add({ sql: "delete from event" }).commit()).rejects.toMatchObject({ status: 503 });
    const second = await startSqld({ folder, port: portOf(first.url) });
    onTestFinished(() => second.stop());
    await store.change(actor).record({ entity: "item", action: "CREATE", entityId: "VX-1", keys: {} }).commit();
    expect(await store.query({ sql: "select entity from event" })).toEqual([{ entity: "item" }]);
  });

  test("a token is sent, and a wrong one is refused without its text in the answer", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const folder = mkdtempSync(join(tmpdir(), "kinora-key-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const key = join(folder, "public.pem");
    writeFileSync(key, publicKey.export({ type: "spki", format: "pem" }));
    const guarded = await startSqld({ args: ["--auth-jwt-key-file", key] });
    onTestFinished(() => guarded.stop());
    const token = await new SignJWT({ a: "rw" }).setProtectedHeader({ alg: "EdDSA" }).sign(privateKey);
    for (const scheme of ["http", "ws"]) {
      const url = guarded.url.replace("http", scheme);
      const allowed = await openServer({ url, authToken: token });
      expect((await allowed.query({ sql: "select 7 as seven" })).rows).toEqual([{ seven: 7 }]);
      await allowed.close();
      for (const authToken of ["wrong.token.here", undefined]) {
        const refused = await openServer({ url, ...(authToken === undefined ? {} : { authToken }) });
        const failure = await refused.query({ sql: "select 1" }).catch((error) => error);
        expect(failure).toMatchObject({ code: "unavailable" });
        // A WebSocket is sometimes closed before the reason has arrived.
        if (scheme === "http") expect(failure).toMatchObject({ reason: "refused", outcome: "not-written" });
        expect((failure as Error).message).not.toContain("token.here");
        await refused.close();
      }
    }
  });

  test("after closing nothing is sent any more", async () => {
    const database = await openServer({ url: sqld.url });
    await database.close();
    await expect(database.query({ sql: "select 1" })).rejects.toMatchObject({ code: "unavailable", reason: "closed" });
  });
});
