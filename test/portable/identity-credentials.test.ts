import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createIdentityAccess } from "../../src/identity/access.ts";
import { defaultTokenIntervals } from "../../src/identity/token-intervals.ts";
import { sweepTokens } from "../../src/identity/tokens.ts";
import type { RealmAnswer } from "../../src/plugin/contract.ts";
import { json, openTestApi, plain, type TestApi } from "./identity-api.ts";
import { somewhere } from "./identity-store.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

let count = 0;
async function newUser(...roles: readonly string[]): Promise<string> {
  count += 1;
  const userName = `user${count}`;
  const groupList = { group: roles.map((groupName) => ({ groupName })) };
  await api.admin("POST /user", json({ userName, password: "pw", groupList }));
  return userName;
}

async function show(credentials: { token: string } | { id: string; secret: string }): Promise<RealmAnswer> {
  const access = createIdentityAccess({ ...api, tokenIntervals: () => defaultTokenIntervals });
  return access.authenticate(
    "token" in credentials
      ? { kind: "token", token: credentials.token }
      : { kind: "password", userName: credentials.id, password: credentials.secret },
    somewhere,
  );
}

describe("a token", () => {
  test("comes as XML, JSON or text, for the caller, with the user's own name", async () => {
    const name = await newUser();
    const xml = await (await api.as(name)("GET /token", { accept: "application/xml" })).text();
    expect(xml).toMatch(/<token>[A-Za-z0-9_-]{43}<\/token><user>user\d+<\/user>/);
    expect(await (await api.as(name)("GET /token")).json()).toMatchObject({ user: name });
    const token = await (await api.as(name)("GET /token", { accept: "text/plain" })).text();
    expect(await show({ token })).toMatchObject({ userName: name, method: "token", expires: api.clock.now + 60_000 });
    const rows = await api.store.query({ sql: "select hash from token" });
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test.each([
    ["GET /token?seconds=60", 200],
    ["GET /token?seconds=61", 403],
    ["GET /token?seconds=0", 400],
    ["GET /token?seconds=-1", 400],
    ["GET /token?seconds=1.5", 400],
    ["GET /token?autoRefresh=perhaps", 400],
    ["GET /token;seconds=5;autoRefresh=TRUE", 200],
  ])("for a plain user: %s is %i", async (request, status) => {
    expect((await api.as(await newUser())(request)).status).toBe(status);
  });

  test("of any life is for administrators", async () => {
    const token = await (await api.admin("GET /token?seconds=604800", { accept: "text/plain" })).text();
    expect(await show({ token })).toMatchObject({ expires: api.clock.now + 604_800_000 });
    expect((await api.admin("GET /token?seconds=315360000")).status).toBe(200);
    expect((await api.admin("GET /token?seconds=315360001")).status).toBe(400);
  });

  test("of another user is for administrators, and 409 for a disabled user [spec: get-user-token]", async () => {
    const [one, other] = [await newUser(), await newUser()];
    const text = { accept: "text/plain" };
    expect((await api.as(one)(`GET /user/${one}/token`, text)).status).toBe(200);
    expect((await api.as(one)(`GET /user/${other}/token`, text)).status).toBe(403);
    expect((await api.admin("GET /user/nobody/token", text)).status).toBe(404);
    const token = await (await api.admin(`GET /user/${other}/token`, text)).text();
    expect(await show({ token })).toMatchObject({ userName: other });
    await api.admin(`DELETE /user/${other}`);
    expect((await api.admin(`GET /user/${other}/token`, text)).status).toBe(409);
    expect(await show({ token })).toBe("not mine");
    expect((await api.as("only-a-realm-knows-me")("GET /token")).status).toBe(409);
  });

  test.each([
    ["a new password", (name: string) => api.admin(`PUT /user/${name}/password`, plain("other"))],
    ["a new salt", (name: string) => api.admin(`POST /user/${name}/password/salt`, { accept: "*/*" })],
    ["a hard delete", (name: string) => api.admin(`DELETE /user/${name}?hard=true`)],
  ])("ends with %s", async (_, act) => {
    const name = await newUser();
    const token = await (await api.as(name)("GET /token", { accept: "text/plain" })).text();
    expect(await show({ token })).toMatchObject({ userName: name });
    expect((await act(name)).status).toBe(200);
    expect(await show({ token })).toBe("not mine");
  });

  test("is revoked by DELETE with the token itself, and only so", async () => {
    const name = await newUser();
    const token = await (await api.as(name)("GET /token", { accept: "text/plain" })).text();
    expect((await api.as(name)("DELETE /token")).status).toBe(400);
    const headers = { authorization: `Token ${token}` };
    expect((await api.as(name, "token")("DELETE /token", { headers })).status).toBe(200);
    expect(await show({ token })).toBe("not mine");
  });

  test("is swept when it has expired, not before [spec: token-limited]", async () => {
    const name = await newUser();
    const token = await (await api.as(name)("GET /token", { accept: "text/plain" })).text();
    api.clock.now += 59_999;
    await sweepTokens(api.store);
    expect(await show({ token })).toMatchObject({ userName: name });
    api.clock.now += 1;
    expect(await sweepTokens(api.store)).toBeGreaterThan(0);
    expect(await sweepTokens(api.store)).toBe(0);
    expect(await show({ token })).toBe("not mine");
  });
});

describe("an access key", () => {
  const make = async (userName: string, name = "") => {
    const answer = await api.admin(`POST /user/${userName}/key/${name && `?name=${name}`}`);
    return (await answer.json()) as { id: string; secret: string; name?: string };
  };

  test("shows its secret once, works, and is listed without it", async () => {
    const userName = await newUser();
    const xml = await (
      await api.admin(`POST /user/${userName}/key?name=Ingest%20box`, { accept: "application/xml" })
    ).text();
    expect(xml).toMatch(
      /<id>KN[A-Z2-7]{18}<\/id><name>Ingest box<\/name><secret>[A-Za-z0-9+/]{40}<\/secret><status>ACTIVE<\/status><created>2026-[^<]+\+00:00<\/created>/,
    );
    const key = await make(userName);
    expect(await show(key)).toEqual({ userName, method: "accessKey" });
    const list = await (await api.admin(`GET /user/${userName}/key`)).json();
    expect(list.hits).toBe(2);
    expect(JSON.stringify(list)).not.toContain("secret");
    expect(await (await api.admin(`GET /user/${userName}/key/${key.id}`)).json()).toMatchObject({
      id: key.id,
      status: "ACTIVE",
    });
    const rows = await api.store.query({ sql: "select * from access_key" });
    expect(JSON.stringify(rows)).not.toContain(key.secret);
  });

  test("goes between ACTIVE and INACTIVE by PUT, and is deleted for good", async () => {
    const userName = await newUser();
    const key = await make(userName, "first");
    const path = `/user/${userName}/key/${key.id}`;
    const put = async (document: object) => (await api.admin(`PUT ${path}`, json(document))).json();
    expect(await put({ status: "INACTIVE" })).toMatchObject({ status: "INACTIVE", name: "first" });
    expect(await show(key)).toBe("rejected");
    expect(await put({ status: "ACTIVE", name: "second" })).toMatchObject({ status: "ACTIVE", name: "second" });
    expect(await show(key)).toMatchObject({ userName });
    expect((await api.admin(`PUT ${path}`, json({ status: "DELETED" }))).status).toBe(400);
    await put({ status: "INACTIVE" });
    expect((await api.admin(`DELETE ${path}`)).status).toBe(200);
    expect(await show(key)).toBe("not mine");
    for (const verb of ["GET", "DELETE"]) expect((await api.admin(`${verb} ${path}`)).status).toBe(404);
    expect((await api.admin(`PUT ${path}`, json({ status: "ACTIVE" }))).status).toBe(404);
  });

  test("belongs to its user alone", async () => {
    const [one, other] = [await newUser(), await newUser()];
    const key = await make(one);
    for (const verb of ["GET", "DELETE"])
      expect((await api.admin(`${verb} /user/${other}/key/${key.id}`)).status).toBe(404);
    expect((await api.admin("POST /user/nobody/key")).status).toBe(404);
    expect((await api.admin("GET /user/nobody/key")).status).toBe(404);
    await api.admin(`DELETE /user/${one}`);
    expect(await show(key)).toBe("rejected");
    await api.admin(`PUT /user/${one}/enable`);
    expect(await show(key)).toMatchObject({ userName: one });
    await api.admin(`DELETE /user/${one}?hard=true`);
    expect(await show(key)).toBe("not mine");
  });

  test("is made by the user itself, but not with a key or token, for another, or through RunAs", async () => {
    const [name, other, runner] = [await newUser(), await newUser(), await newUser("_runas")];
    expect((await api.as(name)(`POST /user/${name}/key`)).status).toBe(200);
    expect((await api.as(name, "bearer")(`POST /user/${name}/key`)).status).toBe(200);
    expect((await api.as(name, "accessKey")(`POST /user/${name}/key`)).status).toBe(403);
    expect((await api.as(name, "token")(`GET /user/${name}/key`)).status).toBe(403);
    expect((await api.as(other)(`POST /user/${name}/key`)).status).toBe(403);
    expect((await api.as(runner)(`POST /user/${name}/key`, { headers: { RunAs: name } })).status).toBe(403);
    expect((await api.as("admin", "accessKey")(`POST /user/${name}/key`)).status).toBe(200);
  });

  test("is one of at most 100 of a user", async () => {
    const name = await newUser();
    for (let made = 0; made < 100; made++) await make(name);
    expect((await api.admin(`POST /user/${name}/key`)).status).toBe(400);
  });
});

describe("RunAs", () => {
  test("gives the named user's roles and nothing else, and records both names", async () => {
    const [runner, target] = [await newUser("_runas", "_user_read"), await newUser("_group_write")];
    const headers = { RunAs: target };
    const answer = await api.as(runner)("GET /whoami", { headers, accept: "*/*" });
    expect(await answer.text()).toBe(target);
    expect((await api.as(runner)("GET /user", { headers })).status).toBe(403);
    expect((await api.as(runner)("PUT /group/made-for-another", { headers })).status).toBe(200);
    const [event] = await api.store.query({
      sql: "select actor, run_as, keys from event where entity_id = 'made-for-another'",
    });
    expect(event).toMatchObject({ actor: runner, run_as: target });
    expect(JSON.parse(String(event?.keys))).toMatchObject({ username: target });
  });

  test("takes names with any characters", async () => {
    for (const name of ["Zoë", "名前", "a b/c"]) {
      await api.admin(`PUT /user/${encodeURIComponent(name)}`);
      const bytes = String.fromCharCode(...new TextEncoder().encode(name));
      const answer = await api.admin("GET /whoami", { headers: { RunAs: bytes }, accept: "*/*" });
      expect(await answer.text()).toBe(name);
    }
  });

  test.each([
    ["the caller lacks the role", [], "admin"],
    ["the user does not exist", ["_runas"], "nobody"],
    ["the header is empty", ["_runas"], " "],
    ["the header names two", ["_runas"], "admin, admin"],
    ["the header has an alias", ["_runas"], "the-alias"],
  ])("is refused when %s", async (_, roles, named) => {
    await api.admin("PUT /user/admin/alias/the-alias");
    const caller = await newUser(...roles);
    await expect(api.as(caller)("GET /whoami", { headers: { RunAs: named }, accept: "*/*" })).rejects.toMatchObject({
      code: "run-as-refused",
      status: 403,
    });
  });

  test("is refused for a disabled user, and for a caller whose option is off", async () => {
    const [runner, target] = [await newUser("_runas"), await newUser()];
    const attempt = () => api.as(runner)("GET /whoami", { headers: { RunAs: target }, accept: "*/*" });
    expect((await attempt()).status).toBe(200);
    await api.admin(`DELETE /user/${target}`);
    await expect(attempt()).rejects.toMatchObject({ code: "run-as-refused" });
    await api.admin(`PUT /user/${target}/enable`);
    await api.admin(`PUT /user/${runner}`, json({ runAsEnabled: false }));
    await expect(attempt()).rejects.toMatchObject({ code: "run-as-refused" });
    await api.admin(`PUT /user/${runner}`, json({ runAsEnabled: true }));
    expect((await attempt()).status).toBe(200);
  });
});
