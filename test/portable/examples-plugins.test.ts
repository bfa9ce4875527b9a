import { test } from "vitest";
import apiKey from "../../examples/custom-filter/api-key.ts";
import staticUsers from "../../examples/custom-realm/static-users.ts";
import { assertFilter, assertRealm } from "../../src/plugin/testing/mod.ts";

test("the example of a realm passes the checks for realms", async () => {
  await assertRealm(staticUsers, {
    properties: { users: "alice:wonder, bob:builder" },
    good: { kind: "password", userName: "alice", password: "wonder" },
    wrong: { kind: "password", userName: "alice", password: "builder" },
    unknown: { kind: "password", userName: "carol", password: "wonder" },
  });
});

test("the example of a filter passes the checks for filters", async () => {
  const withKey = (key: string) => ({ headers: { "X-Api-Key": key } });
  await assertFilter(apiKey, {
    properties: { keys: "reports:6f1c8a52e0" },
    passes: [withKey("6f1c8a52e0"), { permissive: true }, { ...withKey("wrong"), permissive: true }],
    refuses: [{}, withKey("wrong"), withKey("")],
    secrets: ["6f1c8a52e0"],
  });
});
