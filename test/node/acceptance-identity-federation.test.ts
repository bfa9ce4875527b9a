import { execFileSync } from "node:child_process";
import { createPrivateKey, sign as signBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createService, type Service } from "../../src/mod.ts";
import {
  base64,
  base64url,
  basic,
  bearerIni,
  goodClaims,
  makeKey,
  type SigningKey,
  sign,
} from "../portable/bearer-tokens.ts";
import { certificateOf, federationMetadata } from "../portable/certificates.ts";
import { makeDatabase, type TestDatabase } from "../portable/database.ts";
import { startScripted } from "./bearer-issuer.ts";

const start = Date.UTC(2026, 0, 1);
const day = 86_400_000;
const good = { notBefore: start - day, notAfter: start + 365 * day };
const ended = { notBefore: start - 30 * day, notAfter: start - 1 };

let now = start;
let database: TestDatabase;
let services: Service[] = [];
beforeEach(async () => {
  now = start;
  database = await makeDatabase();
});
afterEach(async () => {
  for (const service of services) await service.close();
  services = [];
  await database.remove();
});

/** An instance of the service on the test's database, by the test's clock, with the user `alva`. */
async function instance(properties: Readonly<Record<string, string>>): Promise<Service> {
  const service = await createService({
    database: await database.open(),
    securityIni: bearerIni({ expectedAudience: "kinora", ...properties }),
    adminPassword: "pw",
    extDir: "no-such-folder",
    ticking: false,
    now: () => now,
  });
  services.push(service);
  const headers = { authorization: basic("admin", "pw") };
  await service.fetch(new Request("http://localhost/API/user/alva", { method: "PUT", headers }));
  return service;
}
async function whoami(service: Service, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await service.fetch(new Request("http://localhost/API/whoami", { headers }));
  return answer.status === 200 ? answer.text() : String(answer.status);
}
const tokenOf = (key: SigningKey, header: Record<string, unknown> = {}) =>
  sign(key, goodClaims({ now: () => now }), header);
const ask = async (service: Service, key: SigningKey, header: Record<string, unknown> = {}) =>
  whoami(service, await tokenOf(key, header));
const ready = async (service: Service) => (await service.fetch(new Request("http://localhost/readyz"))).status;

/** Keeps the service's clock near the provider's interval and lets the background do what is due. */
async function later(milliseconds: number): Promise<void> {
  now += milliseconds;
  for (const service of services) await service.tick();
}

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

describe("federation metadata over HTTP [spec: bearer-federation]", () => {
  let one: SigningKey;
  let two: SigningKey;
  let url: string;
  let stop: () => Promise<void>;
  let asked = 0;
  let answer: Answer;
  const publishing =
    (...keys: readonly SigningKey[]): Answer =>
    (response) =>
      response
        .writeHead(200, { "content-type": "application/samlmetadata+xml" })
        .end(federationMetadata(keys.map((key) => certificateOf(key, good))));

  beforeAll(async () => {
    [one, two] = await Promise.all([makeKey("RS256"), makeKey("ES256")]);
    ({ url, stop } = await startScripted((request, response) => {
      if (request.url === "/elsewhere") return publishing(two)(response, request);
      asked += 1;
      return answer(response, request);
    }));
  });
  afterAll(() => stop());
  beforeEach(() => {
    asked = 0;
    answer = publishing(one);
  });
  const federated = (more: Readonly<Record<string, string>> = {}) =>
    instance({ federationMetadataURI: `${url}/metadata.xml`, federationMetadataInterval: "3600", ...more });

  test("gives its certificates for signing at the start, and is not asked by requests", async () => {
    answer = publishing(one, two);
    const service = await federated();
    for (let i = 0; i < 5; i++) expect([await ask(service, one), await ask(service, two)]).toEqual(["alva", "alva"]);
    expect(asked).toBe(1);
  });

  test("does not give those for encryption, nor one that has ended, with whatever prefix", async () => {
    const certificates = { encryption: [certificateOf(two, good)], prefix: "md:" };
    const strange = await makeKey("ES256");
    const metadata = federationMetadata([certificateOf(one, good), certificateOf(strange, ended)], certificates);
    answer = (response) => response.end(metadata);
    const service = await federated();
    expect([await ask(service, one), await ask(service, two), await ask(service, strange)]).toEqual([
      "alva",
      "401",
      "401",
    ]);
  });

  test("is asked again after its interval, by one of two instances for both", async () => {
    const [here, there] = [await federated(), await federated()];
    expect(asked).toBe(1);
    answer = publishing(two);
    await later(3_599_000);
    expect([asked, await ask(here, one), await ask(there, one)]).toEqual([1, "alva", "alva"]);
    await later(1001);
    expect(asked).toBe(2);
    // The other instance knows within 5 s.
    await later(5001);
    for (const service of [here, there]) expect(await ask(service, two)).toBe("alva");
    expect(asked).toBe(2);
    for (const service of [here, there]) expect(await ask(service, one)).toBe("401");
  });

  test("a certificate that is withdrawn stops verifying, also tokens that were seen before", async () => {
    const service = await federated();
    const held = await sign(one, { ...goodClaims({ now: () => now }), exp: now / 1000 + 86_400 });
    expect(await whoami(service, held)).toBe("alva");
    answer = publishing(two);
    await later(3_600_001);
    expect(await whoami(service, held)).toBe("401");
  });

  test.each([
    ["with a key id that is new", { kid: "new" }],
    ["without a key id", {}],
  ])("a certificate that is new is fetched when a token needs it, %s", async (_, header) => {
    const service = await federated();
    answer = publishing(one, two);
    expect(await ask(service, two, header)).toBe("alva");
    expect(await ask(service, one, header)).toBe("alva");
    expect(asked).toBe(2);
  });

  test("is not stormed by tokens that no certificate verifies", async () => {
    const service = await federated();
    const tokens = await Promise.all(Array.from({ length: 200 }, (_, i) => tokenOf(two, { kid: `k${i}` })));
    expect(new Set(await Promise.all(tokens.map((token) => whoami(service, token))))).toEqual(new Set(["401"]));
    for (const token of tokens) expect(await whoami(service, token)).toBe("401");
    expect(asked).toBeLessThanOrEqual(4);
  });

  const failures: Readonly<Record<string, Answer>> = {
    "answers 500": (response) => response.writeHead(500).end(),
    "answers 404": (response) => response.writeHead(404).end("<html>"),
    "redirects to other keys": (response) => response.writeHead(302, { location: "/elsewhere" }).end(),
    "answers HTML": (response) => response.end("<html><body>Sign in</body></html>"),
    "answers no XML": (response) => response.end("<EntityDescriptor><KeyDescriptor>"),
    "answers metadata without certificates": (response) => response.end(federationMetadata([])),
    "answers certificates that are none": (response) => response.end(federationMetadata(["TUlJQg=="])),
    "answers with a DTD": (response) =>
      response.end(
        federationMetadata([], {
          doctype: '<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "&x;&x;&x;&x;"><!ENTITY z SYSTEM "file:///etc/passwd">]>',
        }),
      ),
    "answers 10 MB": (response) => response.end(`<EntityDescriptor>${" ".repeat(10_000_000)}</EntityDescriptor>`),
    "closes the connection": (response) => response.destroy(),
  };

  test.each(Object.keys(failures))("stays in use as it was when the provider %s, and recovers", async (how) => {
    const service = await federated();
    answer = failures[how] ?? expect.fail(how);
    await later(3_600_001);
    expect(asked).toBe(2);
    expect([await ask(service, one), await ask(service, two)]).toEqual(["alva", "401"]);
    expect(await ready(service)).toBe(200);
    answer = publishing(two);
    await later(60_001);
    expect(await ask(service, two)).toBe("alva");
  });

  test("that never answers holds up neither the start for long nor any request", async () => {
    answer = () => undefined;
    const service = await federated();
    const headers = { authorization: basic("admin", "pw") };
    expect((await service.fetch(new Request("http://localhost/API/whoami", { headers }))).status).toBe(200);
    expect(await ready(service)).toBe(503);
    answer = publishing(one);
    await later(60_001);
    expect(await ask(service, one)).toBe("alva");
    expect(await ready(service)).toBe(200);
  }, 30_000);

  test("that is put while the service runs counts for the first tokens, also when many come at once", async () => {
    const service = await instance({ publicKey: two.spki });
    const headers = { authorization: basic("admin", "pw"), "content-type": "application/json" };
    const document = { federationMetadataURI: `${url}/metadata.xml`, expectedAudience: "kinora" };
    const path = "http://localhost/API/configuration/auth";
    const body = JSON.stringify(document);
    expect((await service.fetch(new Request(path, { method: "PUT", headers, body }))).status).toBe(200);
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, i) => tokenOf(one, { kid: `k${i}` })));
    const names = await Promise.all(tokens.map((token) => whoami(service, token)));
    expect(new Set(names)).toEqual(new Set(["alva"]));
    expect(asked).toBe(1);
  });

  test("leads to what a JWKS and a discovery document give in its place", async () => {
    answer = (response, request) =>
      request.url === "/.well-known/openid-configuration"
        ? response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }))
        : response.end(JSON.stringify({ keys: [{ ...two.jwk, kid: "two", use: "sig" }] }));
    for (const address of ["/keys", "/.well-known/openid-configuration"]) {
      const service = await federated({ federationMetadataURI: `${url}${address}` });
      expect(await ask(service, two, { kid: "two" })).toBe("alva");
      expect(await ask(service, two, { kid: "other" })).toBe("401");
    }
  });
});

// Deno imports such a key without a look at it; there tokens are refused all the same.
test("a public key that lies on no curve stops the start, at its line", async () => {
  const { spki } = await makeKey("ES256");
  const bytes = Uint8Array.from(atob(spki), (character) => character.charCodeAt(0));
  await expect(instance({ publicKey: base64(bytes.fill(0, -20)) })).rejects.toThrow(
    /security\.ini:6:1: .*publicKey cannot be used/,
  );
});

function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false; // not installed
  }
}

/** Algorithms of tokens with the arguments by which openssl makes a key for them. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  RS256: ["-newkey", "rsa:2048", "-sha256"],
  PS256: ["-newkey", "rsa:3072", "-sha512"],
  ES256: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
  ES384: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:secp384r1"],
  ES512: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:secp521r1"],
  EdDSA: ["-newkey", "ed25519"],
};

describe.skipIf(!hasOpenssl())("a certificate made by openssl", () => {
  test.each(Object.keys(kinds))("verifies tokens of %s, as the Base64 between the lines of its PEM", async (alg) => {
    const folder = mkdtempSync(join(tmpdir(), "kinora-certificate-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-nodes", "-days", "30", "-subj", "/C=SE/O=Kinora/CN=issuer.example.org"],
        ...["-addext", "subjectAltName=DNS:issuer.example.org", ...(kinds[alg] ?? [])],
        ...["-keyout", key, "-out", certificate],
      ],
      { stdio: "ignore" },
    );
    now = Date.now() + 1000;
    const text = readFileSync(certificate, "utf8").replace(/-----[A-Z ]+-----|\s/g, "");
    const service = await instance({ x509Certificate: text });
    const input = `${base64url(JSON.stringify({ alg }))}.${base64url(JSON.stringify(goodClaims({ now: () => now })))}`;
    const token = `${input}.${base64url(signatureOf(input, alg, readFileSync(key, "utf8")))}`;
    expect(await whoami(service, token)).toBe("alva");
    now += 31 * day;
    expect(await whoami(service, token)).toBe("401");
  });
});

function signatureOf(input: string, alg: string, pem: string): Uint8Array {
  const hash = alg === "EdDSA" ? null : `sha${alg.slice(2)}`;
  const pss = alg.startsWith("PS") ? { padding: 6, saltLength: 32 } : {};
  return signBytes(hash, Buffer.from(input), { key: createPrivateKey(pem), dsaEncoding: "ieee-p1363", ...pss });
}
