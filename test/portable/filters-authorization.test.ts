import { describe, expect, test } from "vitest";
import anonymous from "../../filters/anonymous.ts";
import deny from "../../filters/deny.ts";
import noAccess from "../../filters/no-access.ts";
import noSessionCreation from "../../filters/no-session-creation.ts";
import { isPermission } from "../../filters/parts/permission-text.ts";
import permissions from "../../filters/permissions.ts";
import rest from "../../filters/rest.ts";
import roles from "../../filters/roles.ts";
import user from "../../filters/user.ts";
import type { Account, Plugin } from "../../src/plugin/mod.ts";
import { createTestExchange, type TestExchangeOptions } from "../../src/plugin/testing/exchange.ts";
import { createFilter } from "../../src/plugin/testing/instance.ts";

async function statusOf(plugin: Plugin, options: TestExchangeOptions): Promise<number | "next"> {
  const outcome = await (await createFilter(plugin)).handle(createTestExchange(options));
  return outcome === "next" ? "next" : outcome.status;
}

const alice: Account = {
  userName: "alice",
  roles: ["admin", "ops"],
  permissions: ["doc:read", "doc:create", "x:PATCH", "zone:read"],
};

describe("who passes", () => {
  const cases: readonly [string, Plugin, TestExchangeOptions, number | "next"][] = [
    ["anon lets a stranger pass", anonymous, {}, "next"],
    ["noSessionCreation lets a stranger pass", noSessionCreation, {}, "next"],
    ["deny refuses a stranger", deny, {}, 403],
    ["deny refuses an administrator", deny, { caller: { userName: "a", roles: ["_administrator"] } }, 403],
    ["noAccess refuses an administrator", noAccess, { caller: { userName: "a", roles: ["_administrator"] } }, 403],
    ["user asks a stranger to authenticate", user, {}, 401],
    ["user lets a caller pass", user, { caller: alice }, "next"],
    ["roles asks a stranger to authenticate", roles, { words: ["admin"] }, 401],
    ["roles lets a holder pass", roles, { words: ["admin"], caller: alice }, "next"],
    ["roles wants all of them", roles, { words: ["admin", "nosuch"], caller: alice }, 403],
    ["roles tells upper from lower case", roles, { words: ["Admin"], caller: alice }, 403],
    ["perms asks a stranger to authenticate", permissions, { words: ["doc:read"] }, 401],
    ["perms lets a holder pass", permissions, { words: ["doc:read", "doc:create"], caller: alice }, "next"],
    ["perms wants all of them", permissions, { words: ["doc:read", "doc:delete"], caller: alice }, 403],
    ["rest asks a stranger to authenticate", rest, { words: ["doc"] }, 401],
    ["rest wants all of them", rest, { words: ["doc", "other"], caller: alice }, 403],
  ];
  test.each(cases)("%s", async (_, plugin, options, expected) => {
    expect(await statusOf(plugin, options)).toBe(expected);
  });
});

describe("rest", () => {
  test.each([
    ["GET", "next"],
    ["HEAD", "next"],
    ["OPTIONS", "next"],
    ["TRACE", "next"],
    ["get", "next"],
    ["POST", "next"],
    ["MKCOL", "next"],
    ["PUT", 403],
    ["DELETE", 403],
    ["PATCH", 403],
  ])("%s against read and create of doc", async (method, expected) => {
    expect(await statusOf(rest, { method, words: ["doc"], caller: alice })).toBe(expected);
  });

  test("another method stands for itself", async () => {
    expect(await statusOf(rest, { method: "PATCH", words: ["x"], caller: alice })).toBe("next");
  });
});

describe("words that would let everyone pass stop the start", () => {
  test.each([
    ["roles", roles, []],
    ["roles", roles, [""]],
    ["perms", permissions, []],
    ["perms", permissions, [":"]],
    ["perms", permissions, [""]],
    ["rest", rest, []],
    ["rest", rest, [""]],
  ] as const)("%s with %s and %j", async (_, plugin, words) => {
    expect((await createFilter(plugin)).checkWords?.(words)).not.toEqual([]);
  });

  test("a 401 of these filters carries the challenge of the chain", async () => {
    const outcome = await (await createFilter(user)).handle(createTestExchange());
    expect(outcome === "next" ? "" : outcome.headers.get("WWW-Authenticate")).toBe('Test realm="kinora"');
  });
});

test.each([
  ["doc:read", true],
  ["*", true],
  ["a:b,c:*", true],
  ["a::b", true],
  ["a:", true],
  ["", false],
  ["  ", false],
  [":", false],
  [":::", false],
  [",", false],
  ["a:,", false],
  ["a:,,:b", false],
])("%j is a permission: %s", (text, expected) => {
  expect(isPermission(text)).toBe(expected);
});
