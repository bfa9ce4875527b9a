import { expect, test } from "vitest";
import serviceRealm from "../../realms/service-realm.ts";
import type { Credentials, RealmAnswer } from "../../src/plugin/mod.ts";
import { createTestContext } from "../../src/plugin/testing/context.ts";
import { createTestExchange } from "../../src/plugin/testing/exchange.ts";
import { createRealm } from "../../src/plugin/testing/instance.ts";

test.each<[Credentials, RealmAnswer]>([
  [{ kind: "password", userName: "alice", password: "wonder" }, { userName: "alice" }],
  [{ kind: "token", token: "t" }, "rejected"],
])("hands %j to the users of the service and gives their answer", async (credentials, answer) => {
  const asked: Credentials[] = [];
  const authenticate = (given: Credentials) => {
    asked.push(given);
    return answer;
  };
  const realm = await createRealm(serviceRealm, {}, createTestContext({ identity: { authenticate } }));
  expect(realm.authenticate(credentials, createTestExchange())).toBe(answer);
  expect(asked).toEqual([credentials]);
});

test("judges passwords and tokens; answers may be reused for a minute", async () => {
  const realm = await createRealm(serviceRealm);
  expect(realm.accepts).toEqual(["password", "token"]);
  expect(realm.reuseSeconds).toBe(60);
});
