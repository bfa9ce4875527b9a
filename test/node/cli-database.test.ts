import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openFiles } from "../../src/cli/doctor/machine.ts";
import { leastOpenFiles } from "../../src/runtime/open-files.ts";
import { hasSqld, startSqld } from "../peers/sqld.ts";
import { basic, kinora, kinoraServe, testFolder } from "./cli.ts";

/** An instance that was started once; `admin` has the password `s3cret`. */
async function startedInstance(): Promise<string> {
  const root = testFolder();
  const server = await kinoraServe(["--instance-root", root], { environment: { KINORA_ADMIN_PASSWORD: "s3cret" } });
  await server.stop();
  return root;
}
const at = (root: string) => ["--instance-root", root];

describe("kinora migrate", () => {
  test("tells first and does then", async () => {
    const root = testFolder();
    const told = await kinora(["migrate", "--dry-run", ...at(root)]);
    expect(told).toMatchObject({ code: 0, out: expect.stringContaining("does not exist; it would be made") });
    expect(existsSync(join(root, "data"))).toBe(false);
    const done = await kinora(["migrate", ...at(root)]);
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/^done 1 \S+$/m) });
    const again = await kinora(["migrate", "--dry-run", ...at(root)]);
    expect(again.out).toMatch(/^The schema is current: \d+$/m);
  });

  test("says why a file cannot be a database", async () => {
    const root = testFolder();
    mkdirSync(join(root, "data"));
    writeFileSync(
      join(root, "data/kinora.db"),
      "this is no database, but it is longer than a header of one".repeat(100),
    );
    const { code, error } = await kinora(["migrate", ...at(root)]);
    expect(code).toBe(1);
    expect(error).not.toBe("");
    expect(error).not.toMatch(/^\s+at /m);
  });
});

describe("kinora user", () => {
  test("adds a user, who can log in at a running server, with a password from standard input", async () => {
    const root = await startedInstance();
    const server = await kinoraServe(at(root));
    const added = await kinora(["user", "add", "bob", "--role", "_administrator", ...at(root)], { input: "builder\n" });
    expect(added).toMatchObject({ code: 0, out: "The user bob was created\n" });
    expect(`${added.out}${added.error}`).not.toContain("builder");
    const answer = await fetch(`${server.url}/API/whoami`, { headers: basic("bob", "builder") });
    expect(await answer.text()).toBe("bob");
  });

  test("changes a password and makes one up", async () => {
    const root = await startedInstance();
    const changed = await kinora(["user", "password", "admin", "--generate-password", ...at(root)]);
    const password = /^The password of admin was changed: (\S+)$/m.exec(changed.out)?.[1] ?? "";
    const server = await kinoraServe(at(root));
    const login = (secret: string) => fetch(`${server.url}/API/whoami`, { headers: basic("admin", secret) });
    expect((await login(password)).status).toBe(200);
    expect((await login("s3cret")).status).toBe(401);
  });

  test("gives and takes roles, and tells those in force", async () => {
    const root = await startedInstance();
    await kinora(["user", "add", "bob", "--generate-password", ...at(root)]);
    expect((await kinora(["user", "role", "bob", ...at(root)])).out).toBe("bob has no roles\n");
    const given = await kinora(["user", "role", "bob", "--give", "_item_read", "--give=_runas", ...at(root)]);
    expect(given.out).toBe("_item_read\n_runas\n");
    expect((await kinora(["user", "role", "bob", "--take", "_runas", ...at(root)])).out).toBe("_item_read\n");
  });

  test("says what is wrong", async () => {
    const fresh = await kinora(["user", "add", "bob", ...at(testFolder())], { input: "x\n" });
    expect(fresh).toMatchObject({ code: 1, error: expect.stringContaining("start the server once: kinora serve") });
    const root = await startedInstance();
    const run = (...args: readonly string[]) => kinora(["user", ...args, ...at(root)], { input: "x\n" });
    expect((await run("add", "admin")).code).toBe(1);
    expect((await run("password", "nobody")).code).toBe(1);
    expect((await run("role", "admin", "--give", "_no_such_role")).code).toBe(1);
    expect((await run("role", "nobody")).error).toBe("There is no user nobody\n");
    expect((await kinora(["user", "password", "admin", ...at(root)])).error).toMatch(/^No password was given; .*up\n$/);
  });
});

describe("kinora doctor", () => {
  test("finds nothing wrong with a fresh and with a started instance", async () => {
    const fresh = await kinora(["doctor", ...at(testFolder())]);
    expect(fresh.out).toMatch(/^ok {5}Database: .*will be made by the first start$/m);
    const { out, code } = await kinora(["doctor", ...at(await startedInstance())]);
    expect(out).toMatch(/^ok {5}Database: file:.* answers$/m);
    expect(out).toMatch(/^ok {5}Database writes: /m);
    expect(out).toMatch(/^ok {5}Database schema: \d+ is current$/m);
    expect(out).toMatch(/^ok {5}Clock: /m);
    expect(out).toMatch(/^ok {5}Passwords: Argon2id in native code$/m);
    expect(out).toMatch(/^ok {5}Security: the built-in security\.ini is in order$/m);
    expect(code).toBe(out.includes("wrong  ") ? 1 : 0);
  });

  test("reports a broken security.ini and a server that does not answer", async () => {
    const root = testFolder();
    writeFileSync(join(root, "security.ini"), "[main]\nx = NoSuchRealm\n");
    const { code, out } = await kinora(["doctor", "--database-url", "http://127.0.0.1:1", ...at(root)]);
    expect(code).toBe(1);
    expect(out).toMatch(/^wrong {2}Database: http:\/\/127\.0\.0\.1:1 cannot be used: /m);
    expect(out).toMatch(/^wrong {2}Security: .*security\.ini has \d+ errors$/m);
  });

  test("reports a place where no database can be made", async () => {
    const { code, out } = await kinora(["doctor", "--database-url", "file:/dev/null/x/kinora.db"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^wrong {2}Database: \/dev\/null\/x\/kinora\.db cannot be made in /m);
  });

  test.skipIf(!hasSqld)("looks at a libSQL server, and leaves nothing there", async () => {
    const sqld = await startSqld();
    const { out } = await kinora(["doctor", "--database-url", sqld.url]);
    await sqld.stop();
    expect(out).toMatch(/^ok {5}Database writes: /m);
    expect(out).toMatch(/^doubt {2}Database schema: 0, this Kinora needs \d+$/m);
  });

  test.each([
    ["1024", "wrong"],
    [String(leastOpenFiles - 1), "wrong"],
    [String(leastOpenFiles), "ok"],
    ["1048576", "ok"],
    ["unlimited", "ok"],
  ])("a limit of %s open files is %s [spec: limit-file-descriptors]", (limit, state) => {
    const limits = `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${limit.padEnd(20)} 1048576              files\n`;
    expect(openFiles(limits).state).toBe(state);
  });
});
