import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createService, type Service } from "../../src/mod.ts";
import { hasSqld, startSqld } from "../peers/sqld.ts";
import { goodClaims, makeKey, type SigningKey, sign } from "../portable/bearer-tokens.ts";
import { makeDatabase } from "../portable/database.ts";
import { basic } from "../portable/harness.ts";

/** A database for two instances. */
interface Shared {
  readonly url: string;
  remove(): Promise<void>;
}

const databases: Readonly<Record<string, () => Promise<Shared>>> = {
  "one file": async () => makeDatabase(),
  "one libSQL server over HTTP": async () => {
    const { url, stop } = await startSqld();
    return { url, remove: stop };
  },
  "one libSQL server over WebSocket": async () => {
    const { url, stop } = await startSqld();
    return { url: url.replace("http:", "ws:"), remove: stop };
  },
};

/** After so many milliseconds every instance knows what another has changed. */
const everywhereAfter = 5001;

const password = "correct horse battery staple";
const admin = basic("admin", password);
const json = { "content-type": "application/json", accept: "application/json, text/plain" };

describe.each(Object.keys(databases))("two instances on %s", (place) => {
  const usable = place === "one file" || hasSqld;
  let shared: Shared;
  let here: Service;
  let there: Service;
  let issuer: SigningKey;
  let now = Date.UTC(2026, 0, 1);

  beforeAll(async () => {
    if (!usable) return;
    issuer = await makeKey("ES256");
    shared = await (databases[place] ?? expect.fail(place))();
    const open = () =>
      createService({
        databaseUrl: shared.url,
        adminPassword: password,
        extDir: "no-such-folder",
        now: () => now,
        ticking: false,
      });
    here = await open();
    there = await open();
  });
  afterAll(async () => {
    await here?.close();
    await there?.close();
    await shared?.remove();
  });

  async function ask(service: Service, authorization: string, request: string, document?: unknown): Promise<Response> {
    const [method = "GET", path = "/", runAs] = request.split(" ");
    const body =
      document === undefined ? {} : { body: typeof document === "string" ? document : JSON.stringify(document) };
    const type = typeof document === "string" ? { "content-type": "text/plain" } : {};
    const headers = { ...json, ...type, authorization, ...(runAs === undefined ? {} : { RunAs: runAs }) };
    return service.fetch(new Request(`http://localhost/API${path}`, { method, headers, ...body }));
  }
  async function act(request: string, document?: unknown): Promise<Response> {
    const answer = await ask(here, admin, request, document);
    if (answer.status !== 200) expect.fail(`${request}: ${answer.status} ${await answer.text()}`);
    return answer;
  }
  async function statusOf(service: Service, authorization: string, request: string): Promise<number> {
    return (await ask(service, authorization, request)).status;
  }

  let count = 0;
  async function newUser(): Promise<string> {
    count += 1;
    await act("POST /user", { userName: `user-${count}`, password: "right", alias: [`alias-${count}`] });
    return `user-${count}`;
  }
  async function newKey(userName: string): Promise<{ readonly path: string; readonly authorization: string }> {
    const { id, secret } = (await (await act(`POST /user/${userName}/key`)).json()) as Record<string, string>;
    return { path: `/user/${userName}/key/${id}`, authorization: basic(id ?? "", secret ?? "") };
  }

  /** What is changed here, and what a caller gets before and after it. */
  interface Case {
    readonly authorization: string;
    readonly request?: string;
    readonly change: readonly (readonly [request: string, document?: unknown])[];
    readonly before: number;
    readonly after: number;
  }

  const cases: Readonly<Record<string, () => Promise<Case>>> = {
    "an access key that is disabled [spec: access-key-disable]": async () => {
      const { path, authorization } = await newKey(await newUser());
      return { authorization, change: [[`PUT ${path}`, { status: "INACTIVE" }]], before: 200, after: 401 };
    },
    "an access key that is enabled again": async () => {
      const { path, authorization } = await newKey(await newUser());
      await act(`PUT ${path}`, { status: "INACTIVE" });
      return { authorization, change: [[`PUT ${path}`, { status: "ACTIVE" }]], before: 401, after: 200 };
    },
    "an access key that is deleted [spec: access-key-delete]": async () => {
      const { path, authorization } = await newKey(await newUser());
      return { authorization, change: [[`DELETE ${path}`]], before: 200, after: 401 };
    },
    "a key whose user is disabled": async () => {
      const userName = await newUser();
      const { authorization } = await newKey(userName);
      return { authorization, change: [[`DELETE /user/${userName}`]], before: 200, after: 401 };
    },
    "a password that is changed": async () => {
      const userName = await newUser();
      const authorization = basic(userName, "right");
      return { authorization, change: [[`PUT /user/${userName}/password`, "other"]], before: 200, after: 401 };
    },
    "an alias that is taken away": async () => {
      const alias = (await newUser()).replace("user", "alias");
      const userName = alias.replace("alias", "user");
      const change: Case["change"] = [[`DELETE /user/${userName}/alias/${alias}`]];
      return { authorization: basic(alias, "right"), change, before: 200, after: 401 };
    },
    "a user that is deleted": async () => {
      const userName = await newUser();
      const change: Case["change"] = [[`DELETE /user/${userName}?hard=true`]];
      return { authorization: basic(userName, "right"), change, before: 200, after: 401 };
    },
    "a token whose user's password is changed": async () => {
      const userName = await newUser();
      const token = await (await act(`GET /user/${userName}/token?seconds=600`)).text();
      const change: Case["change"] = [[`PUT /user/${userName}/password`, "other"]];
      return { authorization: `token ${token}`, change, before: 200, after: 401 };
    },
    "a role that is taken": async () => {
      const userName = await newUser();
      await act(`PUT /group/_user_read/user/${userName}`);
      const change: Case["change"] = [[`DELETE /group/_user_read/user/${userName}`]];
      return { authorization: basic(userName, "right"), request: "GET /user", change, before: 200, after: 403 };
    },
    "a role that is given through a group": async () => {
      const userName = await newUser();
      await act(`PUT /group/of-${userName}`);
      await act(`PUT /group/of-${userName}/user/${userName}`);
      const change: Case["change"] = [[`PUT /group/_group_read/group/of-${userName}`]];
      return { authorization: basic(userName, "right"), request: "GET /group", change, before: 403, after: 200 };
    },
    "the Run-As option that is switched off": async () => {
      const userName = await newUser();
      await act(`PUT /group/_runas/user/${userName}`);
      const change: Case["change"] = [[`PUT /user/${userName}`, { runAsEnabled: false }]];
      return { authorization: basic(userName, "right"), request: "GET /whoami admin", change, before: 200, after: 403 };
    },
    "a user to run as that is disabled": async () => {
      const [caller, named] = [await newUser(), await newUser()];
      await act(`PUT /group/_runas/user/${caller}`);
      const request = `GET /whoami ${named}`;
      const change: Case["change"] = [[`DELETE /user/${named}`]];
      return { authorization: basic(caller, "right"), request, change, before: 200, after: 403 };
    },
    "a bearer token whose key is configured [spec: put-configuration-auth]": async () => {
      const claims = { ...goodClaims({ now: () => now }), sub: await newUser() };
      const authorization = `Bearer ${await sign(issuer, claims)}`;
      const document = { publicKey: [issuer.spki], expectedAudience: "kinora" };
      return { authorization, change: [["PUT /configuration/auth", document]], before: 401, after: 200 };
    },
    "a bearer token whose key is replaced": async () => {
      const claims = { ...goodClaims({ now: () => now }), sub: await newUser() };
      const other = await makeKey("ES256");
      const document = { publicKey: [other.spki], expectedAudience: "kinora" };
      const authorization = `Bearer ${await sign(issuer, claims)}`;
      return { authorization, change: [["PUT /configuration/auth", document]], before: 200, after: 401 };
    },
    "a bearer token whose configuration is deleted [spec: delete-configuration-auth]": async () => {
      await act("PUT /configuration/auth", { publicKey: [issuer.spki], expectedAudience: "kinora" });
      now += everywhereAfter;
      const claims = { ...goodClaims({ now: () => now }), sub: await newUser() };
      const authorization = `Bearer ${await sign(issuer, claims)}`;
      return { authorization, change: [["DELETE /configuration/auth"]], before: 200, after: 401 };
    },
    "a token's life, when its maximum is raised": async () => {
      const property = { key: "userTokenMaxInterval", value: "120" };
      const change: Case["change"] = [["PUT /configuration/properties", property]];
      const authorization = basic(await newUser(), "right");
      return { authorization, request: "GET /token?seconds=120", change, before: 403, after: 200 };
    },
  };

  test.skipIf(!usable).each(Object.keys(cases))("%s", async (what) => {
    const {
      authorization,
      request = "GET /whoami",
      change,
      before,
      after,
    } = await (cases[what] ?? expect.fail(what))();
    now += everywhereAfter;
    for (const service of [here, there, here, there]) {
      expect(await statusOf(service, authorization, request), "before").toBe(before);
    }
    for (const [made, document] of change) await act(made, document);
    expect(await statusOf(here, authorization, request), "here at once").toBe(after);
    now += everywhereAfter;
    expect(await statusOf(there, authorization, request), "there within 5 s").toBe(after);
  });

  test.skipIf(!usable)("a token of one instance is good on the other at once, and ends there too", async () => {
    const userName = await newUser();
    const answer = await ask(here, basic(userName, "right"), "GET /token");
    const authorization = `token ${((await answer.json()) as { readonly token: string }).token}`;
    expect(await statusOf(there, authorization, "GET /whoami")).toBe(200);
    expect(await statusOf(here, authorization, "DELETE /token")).toBe(200);
    expect(await statusOf(here, authorization, "GET /whoami")).toBe(401);
    now += everywhereAfter;
    expect(await statusOf(there, authorization, "GET /whoami")).toBe(401);
  });

  test.skipIf(!usable)("of many who create the same user at both, one succeeds", async () => {
    const creations = Array.from({ length: 20 }, async (_, i) => {
      const answer = await ask(i % 2 === 0 ? here : there, admin, "PUT /user/wanted");
      const text = await answer.text();
      return answer.status === 200 || answer.status === 409 ? answer.status : `${answer.status} ${text}`;
    });
    expect((await Promise.all(creations)).sort()).toEqual([200, ...new Array<number>(19).fill(409)]);
  });
});
