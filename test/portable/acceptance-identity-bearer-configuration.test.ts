import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createService, defineRealm, defineUserInfoProvider } from "../../src/mod.ts";
import { bearerIni, goodClaims, makeKey, type SigningKey, sign, startWithAlva, whoami } from "./bearer-tokens.ts";
import { certificateOf } from "./certificates.ts";
import { makeDatabase } from "./database.ts";
import { startService, type TestService } from "./harness.ts";

const start = Date.UTC(2026, 0, 1);
const year = 365 * 86_400_000;
let rsa: SigningKey;
let ec: SigningKey;
let small: SigningKey;
let kinora: TestService;
beforeAll(async () => {
  [rsa, ec, small] = await Promise.all([makeKey("RS256"), makeKey("ES256"), makeKey("RS256", 1024)]);
});

const path = "/API/configuration/auth";
const put = (body: string | object, type = "application/json") =>
  kinora.admin(path, {
    method: "PUT",
    headers: { "content-type": type, accept: type },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const get = async () =>
  (await kinora.admin(path, { headers: { accept: "application/json" } })).json() as Promise<Record<string, unknown>>;
const remove = () => kinora.admin(path, { method: "DELETE" });
const tokenOf = (key: SigningKey, changes: object = {}) => sign(key, { ...goodClaims(kinora), ...changes });
const ask = async (key: SigningKey, changes: object = {}) => whoami(kinora, await tokenOf(key, changes));

describe("/configuration/auth", () => {
  const fetched: string[] = [];
  let provided: () => Response = () => new Response(null, { status: 503 });
  const provider: typeof fetch = (input) => {
    fetched.push(String(input));
    return Promise.resolve(provided());
  };
  beforeEach(async () => {
    fetched.length = 0;
    kinora = await startWithAlva(bearerIni({ publicKey: rsa.spki, expectedAudience: "kinora" }), { fetch: provider });
  });
  afterEach(() => kinora.close());

  test("replaces what security.ini says at once, and DELETE goes back to it [spec: get-configuration-auth] [spec: put-configuration-auth] [spec: delete-configuration-auth]", async () => {
    expect(await get()).toEqual({ publicKey: [rsa.spki], expectedAudience: "kinora" });
    expect([await ask(rsa), await ask(ec)]).toEqual(["alva", "401"]);
    const document = { publicKey: [ec.spki], expectedAudience: "kinora", tokenUser: "name" };
    const answer = await put(document);
    expect([answer.status, await answer.json()]).toEqual([200, document]);
    expect(await get()).toEqual(document);
    expect([await ask(rsa), await ask(ec), await ask(ec, { name: "alva" })]).toEqual(["401", "401", "alva"]);
    expect((await remove()).status).toBe(200);
    expect(await get()).toEqual({ publicKey: [rsa.spki], expectedAudience: "kinora" });
    expect([await ask(rsa), await ask(ec, { name: "alva" })]).toEqual(["alva", "401"]);
  });

  test("takes XML with repeated certificates and keys [spec: oauth2-repeated-keys] [spec: oauth2-configuration-document]", async () => {
    const certificate = certificateOf(rsa, { notBefore: start - year, notAfter: start + year });
    const lines = certificate.replace(/(.{64})/g, "$1\n");
    const another = await makeKey("ES256");
    const answer = await put(
      `<OAuth2ConfigurationDocument xmlns="http://xml.vidispine.com/schema/vidispine">
        <x509Certificate>-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----</x509Certificate>
        <publicKey>${ec.spki}</publicKey><publicKey>${another.spki}</publicKey>
        <expectedAudience>kinora</expectedAudience><tokenUser>sub</tokenUser>
      </OAuth2ConfigurationDocument>`,
      "application/xml",
    );
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/<publicKey>.*<\/publicKey><publicKey>.*<\/publicKey>/s);
    expect([await ask(rsa), await ask(ec), await ask(another)]).toEqual(["alva", "alva", "alva"]);
  });

  test("takes effect with the first token also when its keys must be fetched", async () => {
    provided = () => Response.json({ keys: [{ ...ec.jwk, use: "sig" }] });
    expect((await put({ jwksURI: "https://id.example.org/keys", expectedAudience: "kinora" })).status).toBe(200);
    expect([await ask(ec), await ask(ec)]).toEqual(["alva", "alva"]);
    expect(fetched).toEqual(["https://id.example.org/keys"]);
  });

  test("no longer fetches what was replaced", async () => {
    provided = () => Response.json({ keys: [{ ...ec.jwk, use: "sig" }] });
    const keysAt = (name: string) => put({ jwksURI: `https://${name}.example.org/keys`, expectedAudience: "kinora" });
    for (const name of ["one", "two", "three"]) {
      expect((await keysAt(name)).status).toBe(200);
      expect(await ask(ec)).toBe("alva");
    }
    fetched.length = 0;
    kinora.advance(86_400_001);
    await kinora.service.tick();
    expect(fetched).toEqual(["https://three.example.org/keys"]);
    await remove();
    expect(await ask(rsa)).toBe("alva");
    kinora.advance(86_400_001);
    await kinora.service.tick();
    expect(fetched).toHaveLength(1);
  });

  test.each([
    ["mixed modes", () => ({ publicKey: [ec.spki], expectedAudience: "a", validationEndpoint: "https://x.example/u" })],
    ["a certificate that is none", () => ({ x509Certificate: [btoa("certificate")], expectedAudience: "a" })],
    ["a key where a certificate belongs", () => ({ x509Certificate: [ec.spki], expectedAudience: "a" })],
    ["an RSA key of 1,024 bits", () => ({ publicKey: [small.spki], expectedAudience: "a" })],
    ["static keys without an audience", () => ({ publicKey: [ec.spki] })],
    ["an address of the file system", () => ({ validationEndpoint: "file:///etc/passwd" })],
    ["an unknown element", () => ({ publicKey: [ec.spki], expectedAudience: "a", expectedAudiense: "a" })],
  ])("refuses %s and leaves everything as it was [spec: configuration-auth-one-mode]", async (_, document) => {
    expect((await put(document())).status).toBe(400);
    expect(await get()).toEqual({ publicKey: [rsa.spki], expectedAudience: "kinora" });
    expect(await ask(rsa)).toBe("alva");
  });
});

describe("allowConfigUpdate [spec: allow-config-update]", () => {
  afterEach(() => kinora.close());
  const calls = ["GET", "PUT", "DELETE"] as const;
  const statuses = async () => {
    const all: number[] = [];
    for (const method of calls) {
      const body = method === "PUT" ? { body: JSON.stringify({ validationEndpoint: "https://x.example/u" }) } : {};
      const headers = { "content-type": "application/json", accept: "application/json" };
      all.push((await kinora.admin(path, { method, headers, ...body })).status);
    }
    return all;
  };

  test.each([
    ["false", [403, 403, 403]],
    ["true", [200, 200, 200]],
  ])("= %s: reading, replacing and deleting are %j", async (allowConfigUpdate, expected) => {
    kinora = await startService({
      ini: bearerIni({ publicKey: rsa.spki, expectedAudience: "kinora", allowConfigUpdate }),
    });
    expect(await statuses()).toEqual(expected);
  });

  test("is on without an INI file, where nothing is configured and no token accepted", async () => {
    kinora = await startService();
    expect(await get()).toEqual({});
    expect(await whoami(kinora, await tokenOf(rsa))).toBe("401");
    expect(await statuses()).toEqual([200, 200, 200]);
  });
});

describe("a configuration that lets nobody in", () => {
  /** Place, message and fix of every reason why the service does not start. */
  async function problemsOf(properties: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const made = await makeDatabase();
    const begun = createService({
      databaseUrl: made.url,
      adminPassword: "pw",
      extDir: "no-such-folder",
      ticking: false,
      securityIni: bearerIni(properties),
    });
    const problems = await begun.then(
      async (service) => {
        await service.close();
        return [];
      },
      (error: { readonly problems?: readonly { place: string; message: string; fix: string }[] }) =>
        (error.problems ?? []).map(({ place, message, fix }) => `${place} ${message} | ${fix}`),
    );
    await made.remove();
    return problems;
  }
  // Line 5 is the first property.
  const audience = { expectedAudience: "kinora" };

  test.each([
    [
      "static keys without an audience",
      () => ({ publicKey: rsa.spki }),
      [/:5:1 .*expectedAudience is missing.* \| Set expectedAudience/],
    ],
    [
      "federation metadata without an audience",
      () => ({ federationMetadataURI: "https://id.example.org/m" }),
      [/:5:1 .*expectedAudience is missing/],
    ],
    [
      "an RSA key of 1,024 bits behind a good one",
      () => ({ ...audience, publicKey: `${rsa.spki},${small.spki}` }),
      [/:6:1 .*publicKey 2 has 1024 bits; RSA keys need 2048 \| .*2048 bits/],
    ],
    [
      "a broken certificate and a broken key, both told",
      () => ({ ...audience, x509Certificate: "TUlJQg==", publicKey: "!!!" }),
      [/:6:1 .*x509Certificate is not an X.509 certificate/, /:7:1 .*publicKey is not Base64/],
    ],
    [
      "two modes",
      () => ({ ...audience, publicKey: rsa.spki, validationEndpoint: "https://id.example.org/u" }),
      [/:7:1 .*mix static keys \(publicKey\) and validation provider \(validationEndpoint\).* \| Keep the properties/],
    ],
    [
      "an address that is none",
      () => ({ validationEndpoint: "id.example.org/userinfo" }),
      [/:5:1 .*validationEndpoint is no http or https address \| .*https:/],
    ],
    [
      "introspection without a client",
      () => ({ introspectionEndpoint: "https://id.example.org/i", clientId: "kinora" }),
      [/:5:1 .*needs clientId and clientSecret/],
    ],
    [
      "an interval of nothing",
      () => ({ ...audience, federationMetadataURI: "https://id.example.org/m", federationMetadataInterval: "0" }),
      [/:7:1 .*less than a second/],
    ],
    ["a misspelt property", () => ({ ...audience, publicKeys: rsa.spki }), [/:6:1 .*publicKeys.* \| .*publicKey/]],
  ])("stops the start: %s", async (_, properties, expected) => {
    const problems = await problemsOf(properties());
    expect(problems).toHaveLength(expected.length);
    for (const [i, pattern] of expected.entries()) expect(problems[i]).toMatch(pattern);
    expect(problems.join("\n")).toMatch(/security\.ini:\d+:\d+ /);
  });
});

describe("bearer tokens together with the creation of users", () => {
  const realm = defineRealm({
    names: ["TestRealm"],
    properties: {},
    create: () => ({
      accepts: ["password"],
      authenticate: (credentials) =>
        credentials.kind === "password" && credentials.password === "open"
          ? { userName: credentials.userName }
          : "not mine",
    }),
  });
  const info = defineUserInfoProvider({
    names: ["TestInfo"],
    properties: {},
    create: () => ({ userInfo: ({ userName }) => ({ userName, realName: `Made for ${userName}` }) }),
  });
  const combined = (properties: Readonly<Record<string, string>>) =>
    bearerIni(properties).replace(
      "securityManager.realms = $serviceRealm",
      `testRealm = TestRealm
securityManager.realms = $serviceRealm, $testRealm
info = TestInfo
creation = com.service.security.auth.UserCreationListener
creation.infoProvider = $info
creation.enableUserOnLogin = true
securityManager.authenticator.authenticationListeners = $creation`,
    );
  afterEach(() => kinora.close());
  const user = async (name: string) =>
    (await kinora.admin(`/API/user/${name}`, { headers: { accept: "application/json" } })).json() as Promise<unknown>;

  test("warn at the start, make no user, and enable none [spec: user-creation-not-bearer]", async () => {
    const ini = combined({ publicKey: rsa.spki, expectedAudience: "kinora" });
    kinora = await startService({ ini, plugins: [realm, info] });
    const line = ini.split("\n").indexOf("creation = com.service.security.auth.UserCreationListener") + 1;
    expect(kinora.service.started.warnings).toMatchObject([
      {
        code: "listener-passes-over",
        line,
        message: "creation does nothing after logins by bearer, and oauth2Auth lets callers in so",
      },
    ]);
    expect(await ask(rsa)).toBe("401");
    expect(await user("alva")).toMatchObject({ notFound: { id: "alva" } });

    expect((await kinora.as("alva", "open")("/API/whoami")).status).toBe(200);
    expect(await user("alva")).toMatchObject({ realName: "Made for alva" });
    await kinora.admin("/API/user/alva/realname", {
      method: "PUT",
      headers: { "content-type": "text/plain" },
      body: "Another",
    });
    expect(await ask(rsa)).toBe("alva");
    expect(await user("alva")).toMatchObject({ realName: "Another" });
    await kinora.admin("/API/user/alva", { method: "DELETE" });
    expect(await ask(rsa)).toBe("401");
    expect(await user("alva")).toMatchObject({ disabled: true });
  });

  test("do not warn while no tokens are configured", async () => {
    kinora = await startService({ ini: combined({}), plugins: [realm, info] });
    expect(kinora.service.started.warnings).toEqual([]);
  });
});
