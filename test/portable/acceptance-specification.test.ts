import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import staticUsers from "../../examples/custom-realm/static-users.ts";
import { defineFilter, defineRealm, type RealmAnswer, StartError } from "../../src/mod.ts";
import { defaultSecurityIni } from "../../src/security/default-ini.ts";
import { basic, type StartOptions, startService, type TestService } from "./harness.ts";

const running: TestService[] = [];
afterEach(async () => {
  for (const kinora of running.splice(0)) await kinora.close();
});

/** Starts a service that is closed after the test. */
async function start(options: StartOptions): Promise<TestService> {
  const kinora = await startService(options);
  running.push(kinora);
  return kinora;
}

/** The default configuration with one more realm beside the service realm. */
function withRealm(lines: string, realms = "$serviceRealm, $staticRealm"): string {
  return defaultSecurityIni.replace(
    "securityManager.realms = $serviceRealm",
    `${lines}\nsecurityManager.realms = ${realms}`,
  );
}

describe("a static-user realm beside the service realm", () => {
  const ini = withRealm("staticRealm = StaticUserRealm\nstaticRealm.users = alice:wonder, admin:static");

  test.each([
    ["the service realm first", ini],
    ["the service realm last", ini.replace("$serviceRealm, $staticRealm", "$staticRealm, $serviceRealm")],
    ["the realms of the file in their order", ini.replace(/^securityManager\.realms.*\n/m, "")],
  ])("with %s accepts what either accepts [spec: several-realms] [spec: rejected-by-all]", async (_, text) => {
    const kinora = await start({ ini: text, plugins: [staticUsers] });
    const status = async (user: string, password: string) => (await kinora.as(user, password)("/API/version")).status;
    expect(await status("alice", "wonder")).toBe(200);
    expect(await status("admin", "static")).toBe(200);
    expect(await status("admin", "correct horse battery staple")).toBe(200);
    for (const [user, password] of [
      ["alice", "static"],
      ["alice", ""],
      ["admin", "wonder"],
      ["nobody", "wonder"],
      ["", ""],
      ["Alice", "wonder"],
    ] as const) {
      expect([user, password, await status(user, password)]).toEqual([user, password, 401]);
    }
    expect((await kinora.fetch("/API/version")).status).toBe(401);
  });

  test("lets in by the custom realm whom the database does not know, without roles", async () => {
    const kinora = await start({ ini, plugins: [staticUsers] });
    const alice = kinora.as("alice", "wonder");
    expect(await (await alice("/API/whoami")).text()).toBe("alice");
    expect((await alice("/API/user")).status).toBe(403);
    expect((await kinora.as("admin", "static")("/API/user")).status).toBe(200);
  });

  test("remembers nothing wrongly: each credential gets its own answer, again and again", async () => {
    const kinora = await start({ ini, plugins: [staticUsers] });
    for (let round = 0; round < 3; round++) {
      expect((await kinora.as("alice", "wonder")("/API/version")).status).toBe(200);
      expect((await kinora.as("alice", "wonde")("/API/version")).status).toBe(401);
      expect((await kinora.as("alicewo", "nder")("/API/version")).status).toBe(401);
    }
  });
});

describe("a realm that cannot tell", () => {
  const answering = (answer: () => RealmAnswer | Promise<RealmAnswer>) =>
    defineRealm({ names: ["OddRealm"], create: () => ({ accepts: "password", authenticate: answer }) });
  const ini = withRealm("staticRealm = OddRealm");

  test.each<[string, () => RealmAnswer | Promise<RealmAnswer>]>([
    ["says so", () => "unavailable"],
    ["says so later", () => Promise.resolve("unavailable")],
    [
      "throws",
      () => {
        throw new Error("connection refused by 10.0.0.1");
      },
    ],
    ["rejects", () => Promise.reject(new Error("connection refused by 10.0.0.1"))],
    ["answers what is no answer", () => ({ user: "admin" }) as unknown as RealmAnswer],
    ["answers true", () => true as unknown as RealmAnswer],
    ["answers an account without a name", () => ({ userName: "" })],
  ])("because it %s: 503 with Retry-After for those whom no other realm accepts", async (_, answer) => {
    const kinora = await start({ ini, plugins: [answering(answer)] });
    expect((await kinora.admin("/API/version")).status).toBe(200);
    const refused = await kinora.as("alice", "wonder")("/API/version");
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("www-authenticate")).toBeNull();
    const text = await refused.text();
    expect(text).toContain("ExceptionDocument");
    expect(text).not.toMatch(/OddRealm|staticRealm|10\.0\.0\.1/);
    expect((await kinora.fetch("/API/version")).status).toBe(401);
  });
});

describe("a scheme of one's own", () => {
  const badge = defineFilter({
    names: ["BadgeFilter"],
    create: () => ({
      mayBePermissive: true,
      challenge: "Badge",
      async handle(exchange) {
        const value = exchange.header("x-badge");
        if (value === undefined) return exchange.permissive ? "next" : exchange.refuse(401);
        const { outcome } = await exchange.authenticate({ kind: "custom", scheme: "badge", value });
        return outcome === "accepted" ? "next" : exchange.refuse(401);
      },
    }),
  });
  const badges = defineRealm({
    names: ["BadgeRealm"],
    properties: { badges: { type: "map", required: true } },
    create: ({ badges: users }) => ({
      accepts: "custom",
      authenticate(shown) {
        if (shown.kind !== "custom" || shown.scheme !== "badge") return "not mine";
        const userName = users.get(String(shown.value));
        return userName === undefined ? "rejected" : { userName, roles: ["_user_read"] };
      },
    }),
  });
  const ini = withRealm(
    "badge = BadgeFilter\nstaticRealm = BadgeRealm\nstaticRealm.badges = 17:alice, 18:admin",
  ).replace("authcBasic\n", "badge[permissive], authcBasic\n");

  test("is a filter and a realm that agree on a name [spec: custom-scheme]", async () => {
    // The first line with authcBasic is a property: the replacement above must have met the chain.
    expect(ini).toContain("oauth2Auth[permissive], badge[permissive], authcBasic");
    const kinora = await start({ ini, plugins: [badge, badges] });
    const withBadge = (value: string, path = "/API/whoami") => kinora.fetch(path, { headers: { "x-badge": value } });
    expect(await (await withBadge("17")).text()).toBe("alice");
    expect(await (await withBadge("18")).text()).toBe("admin");
    expect((await withBadge("17", "/API/user")).status).toBe(200);
    expect((await withBadge("19")).status).toBe(401);
    expect(await (await kinora.admin("/API/whoami")).text()).toBe("admin");
    expect((await kinora.fetch("/API/whoami")).headers.get("www-authenticate")).toContain("Basic");
  });
});

describe("the default configuration", () => {
  let kinora: TestService;
  beforeAll(async () => {
    kinora = await startService();
  });
  afterAll(() => kinora.close());

  test("has the realm name, the options and the objects of the specification [spec: security-ini-default]", async () => {
    expect((await kinora.fetch("/API/version")).headers.get("www-authenticate")).toBe('Basic realm="serviceRealm"');
    // oauth2Auth.allowConfigUpdate = true
    expect((await kinora.admin("/API/configuration/auth")).status).toBe(200);
    // invalidRequest.blockSemicolon, blockBackslash and blockNonAscii = false: data may have these characters.
    for (const name of ["a%3bb", "a%5cb", "%c3%a9", "x;a=b"]) {
      expect([name, (await kinora.admin(`/API/user/${name}`)).status]).toEqual([name, 404]);
    }
  });

  test("asks for a token, a bearer token, a password, in this order [spec: security-ini-url-rule]", async () => {
    const ask = (authorization: string) => kinora.fetch("/API/whoami", { headers: { authorization } });
    const token = await (await kinora.admin("/API/token", { headers: { accept: "text/plain" } })).text();
    expect(await (await ask(`token ${token}`)).text()).toBe("admin");
    // What the permissive filters do not accept goes on to the last one, which refuses.
    for (const shown of [`token ${token}x`, "token", "Bearer abc.def.ghi", "Bearer", "Digest x", basic("admin", "")]) {
      const answer = await ask(shown);
      expect([shown, answer.status]).toEqual([shown, 401]);
      expect(answer.headers.get("www-authenticate")).toMatch(/Basic realm="serviceRealm"/);
    }
    expect((await ask(basic("admin", "correct horse battery staple"))).status).toBe(200);
    expect(kinora.service.started.warnings).toEqual([]);
  });

  test("answers a request that it lets in with 200 [spec: success-200] [spec: version-reported]", async () => {
    expect((await kinora.admin("/API/whoami")).status).toBe(200);
    const answer = await kinora.admin("/API/version");
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("<component><name>API</name><version>24.1.0</version>");
  });
});

describe("what must stay configured [spec: security-ini-essential]", () => {
  const tokenAuth = /^tokenAuth = .*\n/m;
  test.each([
    [
      "no service realm among the realms",
      withRealm("staticRealm = StaticUserRealm\nstaticRealm.users = a:b", "$staticRealm"),
      10,
    ],
    [
      "no service realm at all",
      defaultSecurityIni.replace(/^serviceRealm = .*\n/m, "").replace(/^securityM.*\n/m, ""),
      1,
    ],
    ["no token filter", defaultSecurityIni.replace(tokenAuth, "").replace("tokenAuth[permissive], ", ""), 1],
  ])("%s is a start-up error", async (_, ini, line) => {
    const refused = await startService({ ini, plugins: [staticUsers] }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartError);
    expect((refused as StartError).problems).toMatchObject([
      { place: `security.ini:${line}:1`, message: expect.stringContaining("without which internal requests fail") },
    ]);
  });

  test("a chain without the token filter is a warning", async () => {
    const kinora = await start({ ini: defaultSecurityIni.replace("/**", "/version = authcBasic\n/**") });
    expect(kinora.service.started.warnings).toMatchObject([{ line: 16, code: "essential-missing" }]);
    expect((await kinora.admin("/version")).status).toBe(200);
  });
});
