import { describe, expect, test } from "vitest";
import iniRealm from "../../realms/ini-realm.ts";
import type { AccountSections, CredentialsMatcher } from "../../src/plugin/mod.ts";
import { createTestContext } from "../../src/plugin/testing/context.ts";
import { createTestExchange } from "../../src/plugin/testing/exchange.ts";
import { createRealm } from "../../src/plugin/testing/instance.ts";

const accounts: AccountSections = {
  users: new Map([
    ["alice", { password: "wonder", roles: ["admin", "ops", "undefined-role"] }],
    ["bob", { password: "builder", roles: [] }],
    ["empty", { password: "", roles: [] }],
  ]),
  roles: new Map([
    ["admin", ["*"]],
    ["ops", ["doc:read", "doc:create"]],
    ["unused", ["x"]],
  ]),
};

async function ask(userName: string, password: string, matcher?: CredentialsMatcher, sections = accounts) {
  const properties = matcher ? { credentialsMatcher: matcher } : {};
  const realm = await createRealm(iniRealm, properties, createTestContext({ accounts: sections }));
  return realm.authenticate({ kind: "password", userName, password }, createTestExchange());
}

describe("IniRealm", () => {
  test("gives the roles of the user and their permissions", async () => {
    expect(await ask("alice", "wonder")).toEqual({
      userName: "alice",
      roles: ["admin", "ops", "undefined-role"],
      permissions: ["*", "doc:read", "doc:create"],
    });
  });

  test.each([
    ["alice", "Wonder", "rejected"],
    ["alice", "", "rejected"],
    ["alice", "wonder ", "rejected"],
    ["Alice", "wonder", "not mine"],
    ["nobody", "wonder", "not mine"],
    ["", "", "not mine"],
    ["__proto__", "wonder", "not mine"],
    ["empty", "x", "rejected"],
  ])("%j with %j is %s", async (userName, password, expected) => {
    expect(await ask(userName, password)).toBe(expected);
  });

  test("lets a user in whose password is empty, and warns of it at start", async () => {
    expect(await ask("empty", "")).toMatchObject({ userName: "empty" });
    const context = createTestContext({ accounts });
    await createRealm(iniRealm, {}, context);
    expect(context.records).toEqual([expect.objectContaining({ level: "warn", properties: { userName: "empty" } })]);
  });

  test("knows nobody without sections", async () => {
    const realm = await createRealm(iniRealm);
    const credentials = { kind: "password", userName: "", password: "" } as const;
    expect(realm.authenticate(credentials, createTestExchange())).toBe("not mine");
  });

  test("compares by its matcher, at once or by a promise, and once for an unknown user as well", async () => {
    for (const slow of [false, true]) {
      const compared: string[] = [];
      const matcher: CredentialsMatcher = {
        matches(submitted, stored) {
          compared.push(`${submitted}/${stored}`);
          const equal = submitted === `hash of ${stored}`;
          return slow ? Promise.resolve(equal) : equal;
        },
      };
      expect(await ask("bob", "hash of builder", matcher)).toMatchObject({ userName: "bob" });
      expect(await ask("bob", "builder", matcher)).toBe("rejected");
      expect(await ask("nobody", "hash of wonder", matcher)).toBe("not mine");
      expect(compared).toHaveLength(3);
    }
  });
});
