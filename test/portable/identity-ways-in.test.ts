import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createService } from "../../src/mod.ts";
import { settingsWith } from "../../src/settings.ts";
import { makeDatabase } from "./database.ts";
import { basic, startService, type TestService } from "./harness.ts";

let kinora: TestService;
beforeAll(async () => {
  kinora = await startService();
});
afterAll(() => kinora.close());

const json = { "content-type": "application/json", accept: "application/json" };
async function admin(request: string, document?: object): Promise<Response> {
  const [method = "GET", path = "/"] = request.split(" ");
  const body = document === undefined ? {} : { body: JSON.stringify(document) };
  const answer = await kinora.admin(`/API${path}`, { method, headers: json, ...body });
  expect(answer.status, request).toBe(200);
  return answer;
}

let count = 0;
/** A user who may act as others, with an alias, an access key and a token. */
async function newCaller() {
  count += 1;
  const userName = `caller${count}`;
  await admin("POST /user", {
    userName,
    password: "right",
    alias: [`alias of ${userName}`],
    groupList: { group: [{ groupName: "_runas" }] },
  });
  const key = (await (await admin(`POST /user/${userName}/key`)).json()) as { id: string; secret: string };
  const token = await (await kinora.admin(`/API/user/${userName}/token`, { headers: { accept: "text/plain" } })).text();
  return { userName, key, token };
}
type Caller = Awaited<ReturnType<typeof newCaller>>;

interface Method {
  readonly good: (caller: Caller) => string;
  readonly wrong: (caller: Caller) => string;
  readonly remove: (caller: Caller) => Promise<unknown>;
}

const wrongToken = "A".repeat(43);
const methods: Readonly<Record<string, Method>> = {
  password: {
    good: ({ userName }) => basic(userName, "right"),
    wrong: ({ userName }) => basic(userName, "wrong"),
    remove: ({ userName }) => admin(`DELETE /user/${userName}?hard=true`),
  },
  alias: {
    good: ({ userName }) => basic(`alias of ${userName}`, "right"),
    wrong: ({ userName }) => basic(`alias of ${userName}`, "wrong"),
    remove: ({ userName }) => admin(`DELETE /user/${userName}/alias/alias%20of%20${userName}`),
  },
  "access key": {
    good: ({ key }) => basic(key.id, key.secret),
    wrong: ({ key }) => basic(key.id, `${key.secret.slice(1)}x`),
    remove: ({ userName, key }) => admin(`DELETE /user/${userName}/key/${key.id}`),
  },
  token: {
    good: ({ token }) => `token ${token}`,
    wrong: () => `token ${wrongToken}`,
    remove: async ({ token }) => {
      const answer = await kinora.fetch("/API/token", {
        method: "DELETE",
        headers: { authorization: `token ${token}` },
      });
      expect(answer.status).toBe(200);
    },
  },
};

/** Status and name that a caller gets. */
async function ask(authorization: string, runAs?: string): Promise<readonly [number, string | undefined]> {
  const answer = await kinora.fetch("/API/whoami", {
    headers: { authorization, accept: "text/plain", ...(runAs === undefined ? {} : { RunAs: runAs }) },
  });
  const text = await answer.text();
  // Who fails has to wait a little.
  if (answer.status !== 200) kinora.advance(6000);
  return [answer.status, answer.status === 200 ? text : undefined];
}

describe.each(Object.entries(methods))("by %s", (name, method) => {
  test.each([undefined, "admin"])("with RunAs %s, credentials are accepted while they are good", async (runAs) => {
    const caller = await newCaller();
    const good = method.good(caller);
    const accepted = [200, runAs ?? caller.userName];
    const refused = [401, undefined];
    expect(await ask(method.wrong(caller), runAs)).toEqual(refused);
    expect(await ask(good, runAs)).toEqual(accepted);
    expect(await ask(good, runAs)).toEqual(accepted);

    await admin(`DELETE /user/${caller.userName}`);
    expect(await ask(good, runAs), "disabled").toEqual(refused);
    await admin(`PUT /user/${caller.userName}/enable`);
    // Disabling ended the token for good.
    expect(await ask(good, runAs), "enabled again").toEqual(name === "token" ? refused : accepted);

    const other = await newCaller();
    expect(await ask(method.good(other), runAs)).toEqual([200, runAs ?? other.userName]);
    await method.remove(other);
    expect(await ask(method.good(other), runAs), "deleted").toEqual(refused);
  });
});

test("a token that has expired is refused, also when it was in use all the time", async () => {
  const { userName, token } = await newCaller();
  for (let second = 0; second < 59; second += 10) {
    expect(await ask(`token ${token}`)).toEqual([200, userName]);
    kinora.advance(9900);
  }
  kinora.advance(1000);
  expect(await ask(`token ${token}`)).toEqual([401, undefined]);
});

test("a token with autoRefresh stays while it is used, and dies when it is not", async () => {
  const { userName } = await newCaller();
  const answer = await kinora.as(userName, "right")("/API/token?autoRefresh=true", {
    headers: { accept: "text/plain" },
  });
  const token = await answer.text();
  for (let use = 0; use < 20; use++) {
    expect(await ask(`token ${token}`)).toEqual([200, userName]);
    kinora.advance(25_000);
  }
  kinora.advance(60_000);
  expect(await ask(`token ${token}`)).toEqual([401, undefined]);
});

test("an access key is disabled and enabled at once", async () => {
  const { userName, key } = await newCaller();
  const good = basic(key.id, key.secret);
  for (const [status, expected] of [
    ["ACTIVE", 200],
    ["INACTIVE", 401],
    ["ACTIVE", 200],
  ] as const) {
    await admin(`PUT /user/${userName}/key/${key.id}`, { status });
    expect((await ask(good))[0]).toBe(expected);
  }
});

test("an old password is refused at once, the new one accepted", async () => {
  const { userName } = await newCaller();
  expect((await ask(basic(userName, "right")))[0]).toBe(200);
  const headers = { "content-type": "text/plain" };
  await kinora.admin(`/API/user/${userName}/password`, { method: "PUT", headers, body: "fresh" });
  expect((await ask(basic(userName, "right")))[0]).toBe(401);
  expect((await ask(basic(userName, "fresh")))[0]).toBe(200);
});

test("what one instance refuses, another refuses within five seconds", async () => {
  const made = await makeDatabase();
  let now = Date.UTC(2026, 0, 1);
  const open = () =>
    createService({
      ...settingsWith({ adminPassword: "admin", extDir: "no-such-folder" }),
      databaseUrl: made.url,
      now: () => now,
    });
  const one = await open();
  const other = await open();
  const send = (service: typeof one, authorization: string, request: string) => {
    const [method = "GET", path = "/"] = request.split(" ");
    const headers = { authorization, accept: "application/json, text/plain" };
    return service.fetch(new Request(`http://localhost/API${path}`, { method, headers }));
  };
  const asAdmin = basic("admin", "admin");
  await send(one, asAdmin, "PUT /user/alva");
  const key = (await (await send(one, asAdmin, "POST /user/alva/key")).json()) as { id: string; secret: string };
  const good = basic(key.id, key.secret);
  expect((await send(other, good, "GET /whoami")).status).toBe(200);
  await send(one, asAdmin, `DELETE /user/alva/key/${key.id}`);
  expect((await send(one, good, "GET /whoami")).status).toBe(401);
  now += 5001;
  expect((await send(other, good, "GET /whoami")).status).toBe(401);
  await one.close();
  await other.close();
  await made.remove();
});
