import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createIdentityAccess } from "../../src/identity/access.ts";
import { createKnownMatches } from "../../src/identity/password/known-matches.ts";
import { defaultTokenIntervals } from "../../src/identity/token-intervals.ts";
import { createUserAdministration } from "../../src/identity/user-administration.ts";
import type { IdentityAccess, RealmAnswer } from "../../src/plugin/contract.ts";
import { openTestStore, somewhere, type TestStore } from "./identity-store.ts";

let opened: TestStore;
let access: IdentityAccess;
/** Passwords that were computed. */
let computed: string[];

beforeEach(async () => {
  opened = await openTestStore();
  computed = [];
  const { hasher } = opened;
  const counting = {
    ...hasher,
    verify(password: string, stored: string | undefined) {
      computed.push(password);
      return hasher.verify(password, stored);
    },
  };
  access = createIdentityAccess({
    store: opened.store,
    hasher: counting,
    tokenIntervals: () => defaultTokenIntervals,
    digest: (text) => `digest of ${text}`,
  });
  await users().add({ name: "alva", password: "right" });
});
afterEach(() => opened.close());

const users = () => createUserAdministration(opened.store, opened.hasher, { userName: "system" });
const login = async (password: string, userName = "alva"): Promise<RealmAnswer> =>
  access.authenticate({ kind: "password", userName, password }, somewhere);
const write = (sql: string) => opened.store.change({ userName: "x" }).add({ sql }).commit();

describe("a password that fitted", () => {
  test("is not computed again for a minute, and is then, to the millisecond", async () => {
    expect(await login("right")).toEqual({ userName: "alva", method: "password" });
    opened.clock.now += 59_999;
    // What is known from before may not be reused for longer than it would have been.
    expect(await login("right")).toEqual({ userName: "alva", method: "password", expires: opened.clock.now + 1 });
    expect(computed).toEqual(["right"]);
    opened.clock.now += 1;
    expect(await login("right")).toEqual({ userName: "alva", method: "password" });
    expect(computed).toEqual(["right", "right"]);
  });

  test("is computed again with a changed password, at once", async () => {
    await login("right");
    await users().setPassword("alva", "other");
    expect(await login("right")).toBe("rejected");
    expect(await login("other")).toMatchObject({ userName: "alva" });
    await users().setPassword("alva", "right");
    expect(await login("right")).toMatchObject({ userName: "alva" });
    expect(computed).toEqual(["right", "right", "other", "right"]);
  });

  test("is computed in any case for a user who is disabled", async () => {
    await login("right");
    await write("update user set disabled = 1");
    expect(await login("right")).toBe("rejected");
    expect(computed).toHaveLength(2);
  });

  test("says nothing for another user with the same password", async () => {
    await users().add({ name: "bo", password: "right" });
    await login("right");
    await login("right", "bo");
    expect(computed).toHaveLength(2);
  });
});

test("a password that did not fit is computed each time", async () => {
  for (let i = 0; i < 3; i++) expect(await login("wrong")).toBe("rejected");
  for (let i = 0; i < 3; i++) expect(await login("wrong", "nobody")).toBe("not mine");
  expect(computed).toHaveLength(6);
});

test("of more than ten thousand passwords the longest unused is computed again", async () => {
  const { check } = createKnownMatches({
    hasher: {
      ...opened.hasher,
      verify(password) {
        computed.push(password);
        return Promise.resolve("match");
      },
    },
    digest: (text) => text,
    now: () => 0,
  });
  const first = () => check("first", "stored", true);
  await first();
  for (let i = 0; i < 10_000; i++) await check(`other ${i}`, "stored", true);
  expect(computed).toHaveLength(10_001);
  await check("other 9999", "stored", true);
  expect(computed).toHaveLength(10_001);
  await first();
  expect(computed).toHaveLength(10_002);
});
