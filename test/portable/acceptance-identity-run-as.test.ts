import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { defineRealm, defineUserInfoProvider, type RealmAnswer } from "../../src/mod.ts";
import { startService } from "./harness.ts";
import { type Entrance, openEntrance, type WayInName, wayInNames, waysIn } from "./ways-in.ts";

let kinora: Entrance;
beforeAll(async () => {
  kinora = await openEntrance();
});
afterAll(() => kinora.close());

let groups = 0;
const newGroup = () => {
  groups += 1;
  return `group-${groups}`;
};

async function trailOf(path: string): Promise<readonly Record<string, unknown>[]> {
  await kinora.service.tick();
  const answer = await kinora.do(`GET /log?sort=asc&rows=1000&path=${path}`);
  return ((await answer.json()) as { readonly entry: readonly Record<string, unknown>[] }).entry;
}
async function send(authorization: string, runAs: string, request: string): Promise<number> {
  const [method = "GET", path = "/"] = request.split(" ");
  const headers = { authorization, RunAs: runAs, accept: "*/*" };
  return (await kinora.fetch(`/API${path}`, { method, headers })).status;
}

describe.each(wayInNames)("RunAs behind %s", (name: WayInName) => {
  test("has the roles of the user that is named, and both names on record [spec: run-as-roles-of-user] [spec: run-as-role]", async () => {
    const caller = await kinora.user({ roles: ["_runas", "_user_read"] });
    const named = await kinora.user({ roles: ["_group_write"] });
    const { good } = await waysIn[name](kinora, caller);
    const group = newGroup();
    expect(await send(good, named, `PUT /group/${group}`)).toBe(200);
    expect(await send(good, named, "GET /user")).toBe(403);
    expect(await send(good, named, `PUT /user/${group}`)).toBe(403);
    expect(await trailOf(`/group/${group}`)).toMatchObject([{ username: caller, runAs: named, status: 200 }]);
    expect(await trailOf(`/user/${group}`)).toMatchObject([{ username: caller, runAs: named, status: 403 }]);
  });

  test("that is refused is on record with both names, and changes nothing", async () => {
    const [plain, off] = [await kinora.user({ roles: ["_group_write"] }), await kinora.user()];
    await kinora.do(`DELETE /user/${off}`);
    const caller = await kinora.user({ roles: ["_runas", "_group_write"] });
    const group = newGroup();
    const { good: withoutRole } = await waysIn[name](kinora, plain);
    expect(await send(withoutRole, "admin", `PUT /group/${group}`)).toBe(403);
    const { good } = await waysIn[name](kinora, caller);
    for (const target of [off, "nobody"]) expect(await send(good, target, `PUT /group/${group}`)).toBe(403);
    expect(await trailOf(`/group/${group}`)).toMatchObject([
      { username: plain, runAs: "admin", status: 403 },
      { username: caller, runAs: off, status: 403 },
      { username: caller, runAs: "nobody", status: 403 },
    ]);
    expect((await kinora.admin(`/API/group/${group}`)).status).toBe(404);
  });
});

describe("RunAs", () => {
  const runner = async () => (await waysIn["access key"](kinora, await kinora.user({ roles: ["_runas"] }))).good;

  test.each([
    ["nothing", ""],
    ["blanks", "   "],
    ["two names", "admin, admin"],
    ["another letter case", "ADMIN"],
    ["a pattern", "*"],
    ["SQL", "x' or '1'='1"],
    ["a very long name", "x".repeat(4000)],
  ])("naming %s is refused, and says no more than why", async (_, named) => {
    const authorization = await runner();
    const headers = { authorization, RunAs: named, accept: "application/json" };
    const answer = await kinora.fetch("/API/whoami", { headers });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ forbidden: { explanation: expect.stringMatching(/\S/) } });
  });

  test("is refused in the same words for a disabled user and one that does not exist", async () => {
    const authorization = await runner();
    const off = await kinora.user();
    await kinora.do(`DELETE /user/${off}`);
    const bodies = new Set<string>();
    for (const named of [off, "nobody"]) {
      bodies.add(await (await kinora.fetch("/API/whoami", { headers: { authorization, RunAs: named } })).text());
    }
    expect(bodies.size).toBe(1);
  });

  test("is no login: without credentials it is 401 wherever it points", async () => {
    const answer = await kinora.fetch("/API/whoami", { headers: { RunAs: "admin" } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="serviceRealm"');
  });

  test("as an administrator is allowed, as oneself too, and does not go on from there", async () => {
    const authorization = await runner();
    expect(await kinora.whoami(authorization, "admin")).toBe("admin");
    const own = await kinora.whoami(authorization);
    expect(await kinora.whoami(authorization, own)).toBe(own);
    // The named user's own roles count for routes, never for naming a further user.
    const { good: plain } = await waysIn["access key"](kinora, await kinora.user());
    expect(await kinora.whoami(plain, own)).toBe("403");
  });

  test("tokens made through it are the named user's and carry no right to run as", async () => {
    const authorization = await runner();
    const named = await kinora.user();
    const headers = { authorization, RunAs: named, accept: "application/json" };
    const answer = await kinora.fetch("/API/token", { headers });
    const { token, user } = (await answer.json()) as Record<string, string>;
    expect(user).toBe(named);
    expect(await kinora.whoami(`token ${token}`)).toBe(named);
    expect(await kinora.whoami(`token ${token}`, "admin")).toBe("403");
  });
});

describe("the flow of an application whose users come from a realm of its own [spec: run-as-flow]", () => {
  const ini = `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
staffRealm = StaffRealm
securityManager.realms = $serviceRealm, $staffRealm
staffInfo = StaffInfo
creation = com.service.security.auth.UserCreationListener
creation.infoProvider = $staffInfo
securityManager.authenticator.authenticationListeners = $creation
[urls]
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`;

  async function serve(answer: (password: string) => RealmAnswer) {
    const realm = defineRealm({
      names: ["StaffRealm"],
      create: () => ({
        accepts: "password",
        authenticate: (credentials) =>
          credentials.kind === "password" && credentials.userName === "eva" ? answer(credentials.password) : "not mine",
      }),
    });
    const info = defineUserInfoProvider({
      names: ["StaffInfo"],
      create: () => ({ userInfo: ({ userName }) => ({ userName, realName: "Eva E" }) }),
    });
    const service = await startService({ ini, plugins: [realm, info] });
    onTestFinished(() => service.close());
    const validate = (password: string) =>
      service.admin("/API/user/eva/validate", {
        method: "PUT",
        headers: { "content-type": "text/plain", accept: "text/plain" },
        body: password,
      });
    return { service, validate };
  }

  test("validates them there, which makes their user, and acts as them", async () => {
    const { service, validate } = await serve((password) => (password === "open" ? { userName: "eva" } : "rejected"));
    const runAs = { headers: { RunAs: "eva", accept: "text/plain" } };
    expect((await service.admin("/API/whoami", runAs)).status).toBe(403);
    expect((await validate("shut")).status).toBe(403);
    expect((await service.admin("/API/user/eva")).status).toBe(404);
    const answer = await validate("open");
    expect([answer.status, await answer.text()]).toEqual([200, "OK"]);
    expect((await service.admin("/API/user/eva")).status).toBe(200);
    const acting = await service.admin("/API/whoami", runAs);
    expect([acting.status, await acting.text()]).toEqual([200, "eva"]);
  });

  test("is told to come back while the realm cannot tell", async () => {
    const { validate } = await serve(() => "unavailable");
    const answer = await validate("open");
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  });
});
