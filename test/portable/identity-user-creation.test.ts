import { describe, expect, onTestFinished, test } from "vitest";
import staffInfo from "../../examples/custom-user-info/staff-info.ts";
import claims from "../../plugins/user-info/claims.ts";
import { defineRealm, defineUserInfoProvider, type Service, type UserInfo } from "../../src/mod.ts";
import { createServiceOn } from "../../src/service.ts";
import { cheapPlatform } from "./cheap-hashing.ts";
import { makeDatabase } from "./database.ts";

/** A realm whose users have one password, and whose attributes a test sets. */
function realmOf(attributes: Record<string, string | readonly string[]> = {}) {
  return defineRealm({
    names: ["TestRealm"],
    properties: {},
    create: () => ({
      accepts: ["password", "bearer"],
      authenticate(credentials) {
        if (credentials.kind === "bearer") return { userName: credentials.token, attributes };
        if (credentials.kind !== "password") return "not mine";
        return credentials.password === "open" ? { userName: credentials.userName, attributes } : "not mine";
      },
    }),
  });
}

function ini(more: readonly string[], chain = "authcBasic"): string {
  return [
    "[main]",
    "serviceRealm = com.service.security.auth.DefaultServiceRealm",
    "testRealm = TestRealm",
    "securityManager.realms = $serviceRealm, $testRealm",
    "info = TestInfo",
    "creation = com.service.security.auth.UserCreationListener",
    "creation.infoProvider = $info",
    ...more,
    "securityManager.authenticator.authenticationListeners = $creation",
    "[urls]",
    `/** = tokenAuth[permissive], ${chain}`,
  ].join("\n");
}

interface Options {
  readonly info: UserInfo | undefined;
  readonly attributes?: Record<string, string | readonly string[]>;
  readonly enable?: boolean;
  readonly chain?: string;
}

/** A service whose provider says what the test's `options` say at that moment. */
async function serve(options: Options) {
  const made = await makeDatabase();
  const infoProvider = defineUserInfoProvider({
    names: ["TestInfo"],
    properties: {},
    create: () => ({
      userInfo: (account) => options.info && { ...options.info, userName: options.info.userName || account.userName },
    }),
  });
  const lines = [`creation.enableUserOnLogin = ${options.enable ?? false}`];
  const service = await createServiceOn(cheapPlatform, {
    database: await made.open(),
    adminPassword: "admin",
    securityIni: ini(lines, options.chain),
    plugins: [realmOf(options.attributes), infoProvider],
  });
  onTestFinished(async () => {
    await service.close();
    await made.remove();
  });
  return { ...api(service) };
}

function api(service: Service) {
  const send = async (userName: string, password: string, request: string) => {
    const [method = "GET", path = "/"] = request.split(" ");
    const headers = {
      authorization: `Basic ${btoa(`${userName}:${password}`)}`,
      accept: "application/json, text/plain",
    };
    return service.fetch(new Request(`http://kinora.test/API${path}`, { method, headers }));
  };
  return {
    service,
    admin: (request: string) => send("admin", "admin", request),
    login: async (userName: string) => (await send(userName, "open", "GET /whoami")).status,
    async user(name: string) {
      const answer = await send("admin", "admin", `GET /user/${name}`);
      return answer.status === 200 ? answer.json() : answer.status;
    },
  };
}
const named = (userName = ""): UserInfo => ({
  userName,
  realName: "Alice Liddell",
  groups: ["staff"],
  metadata: { desk: "4" },
});

describe("a login through a custom realm", () => {
  test("makes a user with real name, metadata and the groups that exist", async () => {
    const { admin, login, user } = await serve({ info: { ...named(), groups: ["staff", "no-such-group", "_user"] } });
    await admin("PUT /group/staff");
    expect(await user("alice")).toBe(404);
    expect(await login("alice")).toBe(200);
    expect(await user("alice")).toMatchObject({
      userName: "alice",
      realName: "Alice Liddell",
      disabled: false,
      groupList: { group: [{ groupName: "_user" }, { groupName: "staff" }] },
      metadata: { field: [{ key: "desk", value: "4" }] },
    });
    expect((await admin("GET /group/no-such-group")).status).toBe(404);
    expect((await admin("GET /group/_user_read")).status).toBe(200);
  });

  test("changes the user as the provider's answer changes, and leaves only groups that it had joined", async () => {
    const options = { info: named() as UserInfo | undefined };
    const { admin, login, user } = await serve(options);
    for (const group of ["staff", "second", "own"]) await admin(`PUT /group/${group}`);
    await login("alice");
    await admin("PUT /group/own/user/alice");
    options.info = { userName: "alice", realName: "Alice L", groups: ["second"], metadata: { desk: "5", floor: "1" } };
    expect(await login("alice")).toBe(200);
    expect(await user("alice")).toMatchObject({
      realName: "Alice L",
      groupList: { group: [{ groupName: "own" }, { groupName: "second" }] },
      metadata: {
        field: [
          { key: "desk", value: "5" },
          { key: "floor", value: "1" },
        ],
      },
    });
    options.info = { userName: "alice" };
    await login("alice");
    expect(await user("alice")).toMatchObject({
      realName: "Alice L",
      groupList: { group: [{ groupName: "own" }, { groupName: "second" }] },
    });
  });

  test("by many at once makes one user, and all are let in", async () => {
    const { login, user } = await serve({ info: named() });
    const statuses = await Promise.all(Array.from({ length: 12 }, () => login("alice")));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await user("alice")).toMatchObject({ userName: "alice" });
  });

  test("makes nobody when the provider says so, or names somebody else", async () => {
    const options = { info: undefined as UserInfo | undefined };
    const { login, user } = await serve(options);
    expect(await login("alice")).toBe(200);
    expect(await user("alice")).toBe(404);
    options.info = named("somebody-else");
    expect(await login("alice")).toBe(200);
    expect(await user("somebody-else")).toBe(404);
  });

  test("lets in without a user when the name cannot be one", async () => {
    const { admin, login, user } = await serve({ info: named() });
    await admin("PUT /user/bob");
    await admin("PUT /user/bob/alias/alice");
    expect(await login("alice")).toBe(200);
    expect(await user("alice")).toBe(404);
  });

  test("enables a disabled user only when that is configured", async () => {
    for (const enable of [false, true]) {
      const { admin, login, user } = await serve({ info: named(), enable });
      await login("alice");
      await admin("DELETE /user/alice");
      expect(await login("alice")).toBe(enable ? 200 : 401);
      expect(await user("alice")).toMatchObject({ disabled: !enable });
    }
  });
});

test("a login of the service realm changes nobody", async () => {
  const { admin, user } = await serve({ info: named() });
  await admin("PUT /group/staff");
  expect(await user("admin")).toMatchObject({ groupList: { group: [{ groupName: "_administrator" }] } });
  expect(await user("admin")).not.toHaveProperty("realName");
});

test("a bearer token makes no user", async () => {
  const { service, user } = await serve({ info: named(), chain: "authcBearer[permissive], authcBasic" });
  const answer = await service.fetch(
    new Request("http://kinora.test/API/whoami", { headers: { authorization: "Bearer alice" } }),
  );
  expect([answer.status, await answer.text()]).toEqual([200, "alice"]);
  expect(await user("alice")).toBe(404);
});

describe("the provider claims", () => {
  const attributes = {
    displayName: "Alice L",
    memberOf: ["desk-a", "_administrator", "staff"],
    mail: ["a@x.example", "b@x.example"],
    empty: [],
  };
  const context = {} as never;
  const infoOf = async (properties: object) =>
    (
      await claims.create(
        { groupNames: new Map(), metadata: new Map(), allowRoles: false, ...properties } as never,
        context,
      )
    ).userInfo({ userName: "alice", attributes }, "ldapRealm");

  test.each([
    ["nothing", {}, { userName: "alice", metadata: {} }],
    ["a real name", { realName: "displayName" }, { userName: "alice", realName: "Alice L", metadata: {} }],
    ["a real name that is not there", { realName: "cn" }, { userName: "alice", metadata: {} }],
    ["groups, but no roles", { groups: "memberOf" }, { userName: "alice", groups: ["desk-a", "staff"], metadata: {} }],
    [
      "roles when they are allowed",
      { groups: "memberOf", allowRoles: true },
      { userName: "alice", groups: ["desk-a", "_administrator", "staff"], metadata: {} },
    ],
    [
      "groups by another name",
      { groups: "memberOf", groupNames: new Map([["desk-a", "editors"]]) },
      { userName: "alice", groups: ["editors"], metadata: {} },
    ],
    ["no groups when there are none", { groups: "department" }, { userName: "alice", groups: [], metadata: {} }],
    [
      "metadata",
      {
        metadata: new Map([
          ["email", "mail"],
          ["none", "empty"],
        ]),
      },
      { userName: "alice", metadata: { email: "a@x.example" } },
    ],
  ])("maps %s", async (_, properties, expected) => {
    expect(await infoOf(properties)).toEqual(expected);
  });
});

test("the provider of the example names everyone and puts them into one group", async () => {
  const provider = await staffInfo.create(
    { realNames: new Map([["alice", "Alice Liddell"]]), group: "staff" },
    {} as never,
  );
  expect(await provider.userInfo({ userName: "alice" }, "staticRealm")).toEqual({
    userName: "alice",
    realName: "Alice Liddell",
    groups: ["staff"],
    metadata: { "login/realm": "staticRealm" },
  });
});
