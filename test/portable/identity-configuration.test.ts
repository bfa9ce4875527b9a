import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConfiguration } from "../../src/operations/configuration.ts";
import { json, openTestApi, type TestApi } from "./identity-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  for (const [name, role] of [
    ["reader", "_configuration_read"],
    ["plain", "_user_read"],
  ]) {
    await api.admin("POST /user", json({ userName: name, groupList: { group: [{ groupName: role }] } }));
  }
});
afterAll(() => api.close());

const properties = "/configuration/properties";

describe("configuration properties", () => {
  test("are listed with their defaults, set, and set back", async () => {
    const { property } = await (await api.admin(`GET ${properties}`)).json();
    expect(property).toContainEqual({ key: "userTokenMaxInterval", value: "60" });
    const answer = await api.admin(`PUT ${properties}`, json({ key: "userTokenMaxInterval", value: " 90 " }));
    expect(await answer.json()).toEqual({
      key: "userTokenMaxInterval",
      value: "90",
      lastChange: "2026-01-02T03:04:05.000+0000",
    });
    const text = () => api.admin(`GET ${properties}/userTokenMaxInterval`, { accept: "text/plain" });
    expect(await (await text()).text()).toBe("90");
    expect((await api.admin(`DELETE ${properties}/userTokenMaxInterval`)).status).toBe(200);
    expect((await api.admin(`DELETE ${properties}/userTokenMaxInterval`)).status).toBe(200);
    expect(await (await text()).text()).toBe("60");
  });

  test("several are set together, or none", async () => {
    const set = (property: object[]) => api.admin(`POST ${properties}`, json({ property }));
    const value = async (key: string) => (await (await api.admin(`GET ${properties}/${key}`)).json()).value;
    const failed = await set([
      { key: "userTokenMaxInterval", value: "70" },
      { key: "userTokenRefreshInterval", value: "soon" },
    ]);
    expect(failed.status).toBe(400);
    expect(await value("userTokenMaxInterval")).toBe("60");
    const worked = await set([
      { key: "userTokenMaxInterval", value: "70" },
      { key: "userTokenRefreshInterval", value: "5" },
    ]);
    expect(worked.status).toBe(200);
    expect(await value("userTokenMaxInterval")).toBe("70");
    expect(await value("userTokenRefreshInterval")).toBe("5");
    for (const key of ["userTokenMaxInterval", "userTokenRefreshInterval"])
      await api.admin(`DELETE ${properties}/${key}`);
  });

  test.each([
    [{ key: "userTokenMaxInterval", value: "0" }],
    [{ key: "userTokenMaxInterval", value: "-5" }],
    [{ key: "userTokenMaxInterval", value: "1.5" }],
    [{ key: "userTokenMaxInterval", value: "9".repeat(30) }],
    [{ key: "userTokenMaxInterval", value: "" }],
    [{ key: "userTokenMaxInterval" }],
    [{ key: "auditTrailIncludeBody", value: "perhaps" }],
    [{ key: "__proto__", value: "1" }],
    [{ value: "1" }],
  ])("%j is refused", async (property) => {
    expect((await api.admin(`PUT ${properties}`, json(property))).status).toBe(400);
  });

  test("a misspelt name is answered with the right one", async () => {
    const answer = await api.admin(`PUT ${properties}`, json({ key: "userTokenMaximumInterval", value: "1" }));
    expect(await answer.text()).toContain("did you mean userTokenMaxInterval?");
    expect((await api.admin(`GET ${properties}/nothing`)).status).toBe(404);
    expect((await api.admin(`DELETE ${properties}/nothing`)).status).toBe(404);
  });

  test("count at once: the life of tokens, and how much guessing is allowed", async () => {
    await api.admin(`PUT ${properties}`, json({ key: "userTokenMaxInterval", value: "120" }));
    expect((await api.as("plain")("GET /token?seconds=120")).status).toBe(200);
    await api.admin(`PUT ${properties}`, json({ key: "userTokenMaxInterval", value: "30" }));
    expect((await api.as("plain")("GET /token?seconds=31")).status).toBe(403);
    expect((await api.as("plain")("GET /token")).status).toBe(200);
    const [token] = await api.store.query({ sql: "select min(seconds) as seconds from token" });
    expect(token?.seconds).toBe(30);
    await api.admin(`DELETE ${properties}/userTokenMaxInterval`);
  });

  test("reach another instance when it next looks", async () => {
    const other = createConfiguration(await api.another(), () => undefined);
    await other.refresh();
    expect(other.property("userTokenRefreshInterval")).toBe(10);
    await api.admin(`PUT ${properties}`, json({ key: "userTokenRefreshInterval", value: "7" }));
    api.clock.now += 5001;
    await other.refresh();
    expect(other.property("userTokenRefreshInterval")).toBe(7);
    await api.admin(`DELETE ${properties}/userTokenRefreshInterval`);
  });
});

describe("who may see and change the configuration", () => {
  test.each([
    ["reader", "GET /configuration", 200],
    ["reader", "GET /configuration/properties", 200],
    ["reader", "GET /configuration/cors", 200],
    ["reader", "GET /configuration/auth", 403],
    ["reader", "DELETE /configuration/properties/userTokenMaxInterval", 403],
    ["plain", "GET /configuration", 403],
    ["plain", "GET /configuration/properties/userTokenMaxInterval", 403],
    ["plain", "GET /log", 403],
  ])("%s: %s is %i", async (userName, request, status) => {
    expect((await api.as(userName)(request)).status).toBe(status);
  });

  test("its parts are listed", async () => {
    expect(await (await api.admin("GET /configuration")).json()).toEqual({
      hits: 3,
      uri: ["auth", "cors", "properties"].map((part) => `http://kinora.test/configuration/${part}`),
    });
    expect(await (await api.admin("GET /configuration", { accept: "text/plain" })).text()).toBe(
      "auth\r\ncors\r\nproperties\r\n",
    );
  });
});

describe("the configuration of bearer tokens", () => {
  const path = "/configuration/auth";
  const certificate = "TUlJQg==";

  test("is what security.ini says until it is replaced, and again when that is deleted", async () => {
    expect(await (await api.admin(`GET ${path}`)).json()).toEqual({
      validationEndpoint: "https://ini.example.org/userinfo",
    });
    const document = { x509Certificate: [certificate, certificate], expectedAudience: "mam", tokenUser: "name" };
    expect(await (await api.admin(`PUT ${path}`, json(document))).json()).toEqual(document);
    expect(await (await api.admin(`GET ${path}`)).json()).toEqual(document);
    await api.configuration.refresh();
    const stored = api.configuration.current("auth");
    expect(stored?.value).toEqual(document);
    expect((await api.admin(`DELETE ${path}`)).status).toBe(200);
    expect((await api.admin(`DELETE ${path}`)).status).toBe(200);
    await api.configuration.refresh();
    expect(api.configuration.current("auth")).toBeUndefined();
    await api.admin(`PUT ${path}`, json(document));
    await api.configuration.refresh();
    expect(api.configuration.current("auth")?.version).not.toBe(stored?.version);
    await api.admin(`DELETE ${path}`);
  });

  test.each([
    ["static keys", { publicKey: [certificate], expectedAudience: "a" }],
    [
      "federation metadata",
      {
        federationMetadataURI: "https://x.example/m",
        federationMetadataInterval: 86400,
        expectedAudience: "a",
        tokenUser: "u",
      },
    ],
    ["a validation provider", { validationEndpoint: "http://x.example/userinfo", tokenUser: "u" }],
    ["a key set", { jwksURI: "https://x.example/jwks", expectedAudience: "a", expectedIssuer: "https://x.example" }],
    ["introspection", { introspectionEndpoint: "https://x.example/i", clientId: "c", clientSecret: "s" }],
  ])("takes %s, and never shows a secret", async (_, document) => {
    const answer = await api.admin(`PUT ${path}`, json(document));
    expect(answer.status).toBe(200);
    expect(await answer.json()).not.toHaveProperty("clientSecret");
    expect(await (await api.admin(`GET ${path}`)).json()).not.toHaveProperty("clientSecret");
  });

  test.each([
    ["no mode", {}],
    ["no mode but an audience", { expectedAudience: "a" }],
    ["two modes", { publicKey: [certificate], expectedAudience: "a", validationEndpoint: "https://x.example/u" }],
    [
      "two ways to find keys",
      { jwksURI: "https://x.example/j", federationMetadataURI: "https://x.example/m", expectedAudience: "a" },
    ],
    ["an element of another mode", { validationEndpoint: "https://x.example/u", expectedAudience: "a" }],
    ["an interval for static keys", { publicKey: [certificate], expectedAudience: "a", federationMetadataInterval: 5 }],
    ["no audience", { publicKey: [certificate] }],
    ["an empty audience", { publicKey: [certificate], expectedAudience: "" }],
    ["an address of another scheme", { validationEndpoint: "file:///etc/passwd" }],
    ["no address", { federationMetadataURI: "nowhere", expectedAudience: "a" }],
    [
      "an interval of nothing",
      { federationMetadataURI: "https://x.example/m", federationMetadataInterval: 0, expectedAudience: "a" },
    ],
    ["a key that is not Base64", { publicKey: ["<key>"], expectedAudience: "a" }],
    ["introspection without a client", { introspectionEndpoint: "https://x.example/i" }],
  ])("refuses %s", async (_, document) => {
    expect((await api.admin(`PUT ${path}`, json(document))).status).toBe(400);
  });

  test("cannot be read or changed when security.ini forbids it", async () => {
    api.configuredAuth.allowConfigUpdate = false;
    expect((await api.admin(`GET ${path}`)).status).toBe(403);
    expect((await api.admin(`PUT ${path}`, json({ validationEndpoint: "https://x.example/u" }))).status).toBe(403);
    expect((await api.admin(`DELETE ${path}`)).status).toBe(403);
    api.configuredAuth.allowConfigUpdate = true;
  });
});

describe("CORS", () => {
  const path = "/configuration/cors";
  const put = async (entry: object[]) => {
    const answer = await api.admin(`PUT ${path}`, json({ entry }));
    return answer.status;
  };
  const page = (origin: string, more: Record<string, string> = {}) => ({ headers: { origin, ...more } });

  test("answers preflights without a login, and marks answers, by the first entry that matches", async () => {
    const document = [
      {
        request: [{ origin: ["https://app.example.org"], pathRegex: ["/user/.*"], method: ["GET", "put"] }],
        response: {
          allowOrigin: "https://app.example.org",
          allowMethods: ["GET", "PUT"],
          allowHeaders: ["Authorization", "Content-Type"],
          allowMaxAge: 600,
          allowOtherHeader: [{ key: "Access-Control-Allow-Credentials", value: "true" }],
        },
      },
      { request: [{ originRegex: ["https://[a-z]+[.]example[.]org"] }], response: { allowOrigin: "null" } },
    ];
    expect(await put(document)).toBe(200);
    expect(await (await api.admin(`GET ${path}`)).json()).toMatchObject({ entry: document });
    const preflight = await api.as("nobody")(
      "OPTIONS /user/admin",
      page("https://app.example.org", { "access-control-request-method": "PUT" }),
    );
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": "https://app.example.org",
      "access-control-allow-methods": "GET, PUT",
      "access-control-allow-headers": "Authorization, Content-Type",
      "access-control-max-age": "600",
      "access-control-allow-credentials": "true",
    });
    const answer = await api.admin("GET /user/admin", page("https://app.example.org"));
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example.org");
    expect(answer.headers.get("access-control-allow-methods")).toBeNull();
    expect(answer.headers.get("vary")).toBe("accept, origin");
    const second = await api.admin("GET /whoami", { ...page("https://app.example.org"), accept: "*/*" });
    expect(second.headers.get("access-control-allow-origin")).toBe("null");
    for (const origin of ["https://app.example.org.evil.example", "https://evil.example", "http://app.example.org"]) {
      const refused = await api.admin("GET /user/admin", page(origin));
      expect(refused.headers.get("access-control-allow-origin")).toBeNull();
    }
    const error = await api
      .as("plain")("GET /user/../group", page("https://app.example.org"))
      .catch(() => undefined);
    expect(error).toBeUndefined();
  });

  test("matches headers by name and value", async () => {
    await put([{ request: [{ headerRegex: [{ key: "X-App", value: "v[0-9]+" }] }], response: { allowOrigin: "*" } }]);
    const allowed = async (more: Record<string, string>) =>
      (await api.admin("GET /user/admin", page("https://a.example", more))).headers.has("access-control-allow-origin");
    expect(await allowed({ "x-app": "v12" })).toBe(true);
    expect(await allowed({ "x-app": "12" })).toBe(false);
    expect(await allowed({})).toBe(false);
  });

  test.each([
    ["no response", [{}]],
    ["no allowed origin", [{ response: {} }]],
    ["an origin with a path", [{ response: { allowOrigin: "https://a.example/x" } }]],
    ["a broken pattern", [{ request: [{ pathRegex: ["("] }], response: { allowOrigin: "*" } }]],
    [
      "a header of the answer itself",
      [{ response: { allowOrigin: "*", allowOtherHeader: [{ key: "Set-Cookie", value: "a=b" }] } }],
    ],
    [
      "a line break in a header",
      [{ response: { allowOrigin: "*", allowOtherHeader: [{ key: "X-A", value: "a\r\nb: c" }] } }],
    ],
    ["a method that is none", [{ response: { allowOrigin: "*", allowMethods: ["GET, PUT"] } }]],
    ["too many entries", Array.from({ length: 101 }, () => ({ response: { allowOrigin: "*" } }))],
  ])("refuses %s", async (_, entry) => {
    expect(await put(entry)).toBe(400);
  });

  test("is off without entries", async () => {
    expect(await put([])).toBe(200);
    expect(
      (await api.admin("GET /user/admin", page("https://a.example"))).headers.has("access-control-allow-origin"),
    ).toBe(false);
  });
});
