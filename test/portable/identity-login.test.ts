import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createIdentityAccess } from "../../src/identity/access.ts";
import { ensureFirstStart, ensureRoles } from "../../src/identity/first-start.ts";
import { nobleArgon2 } from "../../src/identity/password/noble-argon2.ts";
import { createPasswordHasher } from "../../src/identity/password/password-hasher.ts";
import { roles } from "../../src/identity/roles.ts";
import { sha256 } from "../../src/identity/secrets.ts";
import { defaultTokenIntervals } from "../../src/identity/token-intervals.ts";
import { createUserAdministration } from "../../src/identity/user-administration.ts";
import { createUserSource } from "../../src/identity/user-source.ts";
import type { IdentityAccess, RealmAnswer } from "../../src/plugin/contract.ts";
import { cheap } from "./cheap-hashing.ts";
import { openTestStore, somewhere, type TestStore } from "./identity-store.ts";

let opened: TestStore;
let access: IdentityAccess;

beforeEach(async () => {
  opened = await openTestStore();
  access = createIdentityAccess({ ...opened, tokenIntervals: () => defaultTokenIntervals });
});
afterEach(() => opened.close());

function users() {
  return createUserAdministration(opened.store, opened.hasher, { userName: "system" });
}

function login(userName: string, password: string): Promise<RealmAnswer> {
  return Promise.resolve(access.authenticate({ kind: "password", userName, password }, somewhere));
}

describe("the first start", () => {
  test("makes every role, and an administrator whose made-up password works", async () => {
    const { generatedPassword } = await ensureFirstStart(opened.store, opened);
    expect(generatedPassword).toMatch(/^([A-Z2-7]{5}-){3}[A-Z2-7]{5}$/);
    expect(await login("admin", generatedPassword ?? "")).toEqual({ userName: "admin", method: "password" });
    const admin = await createUserSource(opened.store).rolesOf("admin");
    expect([...admin.roles]).toEqual(["_administrator"]);
    const rows = await opened.store.query({ sql: "select name, description from user_group where role = 1" });
    expect(rows).toHaveLength(roles.length);
    expect(rows.every((row) => typeof row.description === "string" && row.description.length > 5)).toBe(true);
  });

  test("takes the given password and does not repeat it", async () => {
    const first = await ensureFirstStart(opened.store, { hasher: opened.hasher, adminPassword: "s3cret" });
    expect(first).toEqual({ createdAdmin: true });
    expect(await login("admin", "s3cret")).toMatchObject({ userName: "admin" });
  });

  test("changes nothing in a database that has users", async () => {
    await ensureFirstStart(opened.store, opened);
    await users().add({ name: "alva", password: "pw", roles: ["_administrator"] });
    await opened.store
      .change({ userName: "x" })
      .add({ sql: "delete from group_user where user_id = 1" }, { sql: "delete from user where name = 'admin'" })
      .commit();
    expect(await ensureFirstStart(opened.store, opened)).toEqual({ createdAdmin: false });
    expect(await access.userState("admin")).toBe("unknown");
    expect(await ensureRoles(opened.store)).toEqual([]);
  });

  test("of several instances at once makes one administrator", async () => {
    const others = await Promise.all([opened.another(), opened.another()]);
    const results = await Promise.all([opened.store, ...others].map((store) => ensureFirstStart(store, opened)));
    expect(results.filter((result) => result.createdAdmin)).toHaveLength(1);
    const winner = results.find((result) => result.createdAdmin);
    expect(await login("admin", winner?.generatedPassword ?? "")).toMatchObject({ userName: "admin" });
    const [row] = await opened.store.query({ sql: "select count(*) as n from group_user" });
    expect(row?.n).toBe(1);
  });
});

describe("a password", () => {
  beforeEach(() => users().add({ name: "alva", password: "right" }));

  test.each([
    ["alva", "right", { userName: "alva", method: "password" }],
    ["alva", "wrong", "rejected"],
    ["alva", "", "rejected"],
    ["Alva", "right", "not mine"],
    ["nobody", "right", "not mine"],
    ["", "", "not mine"],
    ["KNAAAAAAAAAAAAAAAAAA", "right", "not mine"],
  ])("of %j, shown as %j, is judged", async (name, password, answer) => {
    expect(await login(name, password)).toEqual(answer);
  });

  test("works with an alias and gives the user's own name", async () => {
    await opened.store
      .change({ userName: "x" })
      .add({ sql: "insert into user_alias (name, user_id) values ('alva@example.org', 1)" })
      .commit();
    expect(await login("alva@example.org", "right")).toEqual({ userName: "alva", method: "password" });
    expect(await login("alva@example.org", "wrong")).toBe("rejected");
  });

  test("of a disabled user is rejected", async () => {
    await opened.store.change({ userName: "x" }).add({ sql: "update user set disabled = 1" }).commit();
    expect(await login("alva", "right")).toBe("rejected");
    expect(await access.userState("alva")).toBe("disabled");
  });

  test("is hashed again with new costs on the next good login", async () => {
    const dearer = createPasswordHasher({ engine: nobleArgon2, cost: { ...cheap, passes: 2 } });
    access = createIdentityAccess({ store: opened.store, hasher: dearer, tokenIntervals: () => defaultTokenIntervals });
    const stored = async () => (await opened.store.query({ sql: "select password from user" }))[0]?.password;
    const before = await stored();
    expect(await login("alva", "wrong")).toBe("rejected");
    expect(await stored()).toBe(before);
    expect(await login("alva", "right")).toMatchObject({ userName: "alva" });
    expect(await stored()).toContain("t=2");
    expect(await login("alva", "right")).toMatchObject({ userName: "alva" });
  });

  test("costs one hash whoever is asked for", async () => {
    await opened.store
      .change({ userName: "x" })
      .add(
        { sql: "insert into user (name, created) values ('empty', 0)" },
        {
          sql: "insert into user (name, password, disabled, created) select 'off', password, 1, 0 from user where name = 'alva'",
        },
      )
      .commit();
    const verified: (string | undefined)[] = [];
    const counting = {
      ...opened.hasher,
      verify: (password: string, stored: string | undefined) => {
        verified.push(stored === undefined ? "none" : "some");
        return opened.hasher.verify(password, stored);
      },
    };
    access = createIdentityAccess({
      store: opened.store,
      hasher: counting,
      tokenIntervals: () => defaultTokenIntervals,
    });
    for (const name of ["alva", "empty", "off", "nobody"]) await login(name, "wrong");
    expect(verified).toEqual(["some", "none", "some", "none"]);
  });
});

describe("an access key", () => {
  const id = "KNAAAAAAAAAAAAAAAAAA";
  beforeEach(async () => {
    await users().add({ name: "alva", password: "right" });
    await opened.store
      .change({ userName: "x" })
      .add({
        sql: "insert into access_key (id, user_id, secret_hash, status, created) values (?, 1, ?, 'ACTIVE', 0)",
        args: [id, sha256("the secret")],
      })
      .commit();
  });

  test("logs its user in", async () => {
    expect(await login(id, "the secret")).toEqual({ userName: "alva", method: "accessKey" });
    expect(await login(id, "the Secret")).toBe("rejected");
  });

  test.each(["update access_key set status = 'INACTIVE'", "update user set disabled = 1"])(
    "fails after %s",
    async (sql) => {
      await opened.store.change({ userName: "x" }).add({ sql }).commit();
      expect(await login(id, "the secret")).toBe("rejected");
    },
  );
});

describe("a token", () => {
  const token = "A".repeat(43);
  const show = (text: string) => Promise.resolve(access.authenticate({ kind: "token", token: text }, somewhere));

  async function issue(autoRefresh: boolean) {
    await users().add({ name: "alva", password: "right" });
    const now = opened.clock.now;
    await opened.store
      .change({ userName: "x" })
      .add({
        sql: "insert into token (hash, user_id, seconds, auto_refresh, refreshed, expires) values (?, 1, 60, ?, ?, ?)",
        args: [sha256(token), autoRefresh ? 1 : 0, now, now + 60_000],
      })
      .commit();
    return now;
  }

  test("is known until it expires, whether used or not", async () => {
    const start = await issue(false);
    opened.clock.now = start + 59_999;
    expect(await show(token)).toEqual({ userName: "alva", method: "token", expires: start + 60_000 });
    opened.clock.now = start + 60_000;
    expect(await show(token)).toBe("rejected");
  });

  test.each(["", "B".repeat(43), "A".repeat(42), `${token} `, "' or 1=1 --", "é".repeat(43)])(
    "%j is not one",
    async (text) => {
      await issue(false);
      expect(await show(text)).toBe("not mine");
    },
  );

  test("with autoRefresh used at 8 s stays, at 16 s lives to 76 s", async () => {
    const start = await issue(true);
    opened.clock.now = start + 8_000;
    expect(await show(token)).toMatchObject({ expires: start + 10_000 });
    opened.clock.now = start + 16_000;
    expect(await show(token)).toMatchObject({ expires: start + 26_000 });
    opened.clock.now = start + 75_999;
    expect(await show(token)).toMatchObject({ userName: "alva" });
    opened.clock.now = start + 75_999 + 60_000;
    expect(await show(token)).toBe("rejected");
  });

  test("used by several requests at once is refreshed once", async () => {
    const start = await issue(true);
    opened.clock.now = start + 20_000;
    const answers = await Promise.all([show(token), show(token), show(token)]);
    expect(answers.every((answer) => typeof answer === "object")).toBe(true);
    const [row] = await opened.store.query({ sql: "select refreshed, expires from token" });
    expect(row).toMatchObject({ refreshed: start + 20_000, expires: start + 80_000 });
  });
});

describe("roles of a user", () => {
  test("come through groups of groups, without a promise when known, and change at once", async () => {
    await ensureRoles(opened.store);
    await users().add({ name: "alva", password: "right" });
    const source = createUserSource(opened.store);
    await opened.store.versions.fresh("security", 0);
    const edges = (parent: string, child: string) => ({
      sql: "insert into group_child select p.id, c.id from user_group p, user_group c where p.name = ? and c.name = ?",
      args: [parent, child],
    });
    const change = opened.store.change({ userName: "x" });
    for (const name of ["staff", "editors"]) {
      change.add({ sql: "insert into user_group (name, created) values (?, 0)", args: [name] });
    }
    change.add(edges("staff", "editors"), edges("_item_read", "staff"), {
      sql: "insert into group_user (user_id, group_id) select 1, id from user_group where name = 'editors'",
    });
    opened.store.versions.bump(change, "security");
    await change.commit();
    const alva = await source.rolesOf("alva");
    expect([...alva.roles]).toEqual(["_item_read"]);
    expect([...alva.groups].sort()).toEqual(["editors", "staff"]);
    expect(source.rolesOf("alva")).toBe(alva);

    await users().giveRole("alva", "_runas");
    const later = await source.rolesOf("alva");
    expect([...later.roles].sort()).toEqual(["_item_read", "_runas"]);
    await users().takeRole("alva", "_runas");
    expect((await source.rolesOf("alva")).roles.has("_runas")).toBe(false);
    expect(await source.rolesOf("nobody")).toMatchObject({ state: "unknown" });
  });
});

describe("an operator", () => {
  test.each([
    ["a taken name", () => users().add({ name: "alva", password: "x" }), "conflict"],
    ["an empty password", () => users().add({ name: "bo", password: "" }), "invalid-input"],
    [
      "a role that does not exist",
      () => users().add({ name: "bo", password: "x", roles: ["_nothing"] }),
      "invalid-input",
    ],
    ["an illegal name", () => users().add({ name: "b\u0000", password: "x" }), "invalid-input"],
    ["the password of nobody", () => users().setPassword("bo", "x"), "not-found"],
    ["a role for nobody", () => users().giveRole("bo", "_runas"), "not-found"],
  ])("is told of %s", async (_, act, code) => {
    await users().add({ name: "alva", password: "x" });
    await expect(act()).rejects.toMatchObject({ code });
  });
});
