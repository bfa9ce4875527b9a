import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bearerIni, goodClaims, makeKey, type SigningKey, sign, startWithAlva, whoami } from "./bearer-tokens.ts";
import { type CertificateOptions, certificateOf } from "./certificates.ts";
import type { TestService } from "./harness.ts";

const day = 86_400_000;
const start = Date.UTC(2026, 0, 1);
const now: CertificateOptions = { notBefore: start - day, notAfter: start + 30 * day };
const ended: CertificateOptions = { notBefore: start - 30 * day, notAfter: start - 1000 };
const toCome: CertificateOptions = { notBefore: start + day, notAfter: start + 30 * day };

let rsa: SigningKey;
let ec: SigningKey;
let other: SigningKey;
beforeAll(async () => {
  [rsa, ec, other] = await Promise.all([makeKey("RS256"), makeKey("ES256"), makeKey("RS256")]);
});

async function serve(properties: Readonly<Record<string, string>>): Promise<TestService> {
  const kinora = await startWithAlva(bearerIni({ expectedAudience: "kinora", ...properties }));
  onTestFinished(() => kinora.close());
  return kinora;
}
const token = (kinora: TestService, key: SigningKey, changes: object = {}) =>
  sign(key, { ...goodClaims(kinora), ...changes });
const ask = async (kinora: TestService, key: SigningKey) => whoami(kinora, await token(kinora, key));
const ready = async (kinora: TestService) => (await kinora.fetch("/readyz")).status;

describe("an X.509 certificate", () => {
  test.each([
    ["of an RSA key", () => certificateOf(rsa, now), "alva"],
    ["of an EC key", () => certificateOf(ec, now), "alva"],
    ["of version 1", () => certificateOf(rsa, { ...now, version: 1 }), "alva"],
    ["that is good until 2060", () => certificateOf(rsa, { ...now, notAfter: Date.UTC(2060, 0, 1) }), "alva"],
    ["that has ended", () => certificateOf(rsa, ended), "401"],
    ["that begins tomorrow", () => certificateOf(rsa, toCome), "401"],
    ["of another key", () => certificateOf(other, now), "401"],
  ])("%s: %s [spec: bearer-static]", async (name, certificate, expected) => {
    const kinora = await serve({ x509Certificate: certificate() });
    expect(await ask(kinora, name.includes("EC") ? ec : rsa)).toBe(expected);
    // Health tells of a certificate that has ended where no key is left to verify with.
    expect(await ready(kinora)).toBe(name.includes("ended") || name.includes("tomorrow") ? 503 : 200);
  });

  test("verifies up to its last second, also what it had verified before", async () => {
    const kinora = await serve({ x509Certificate: certificateOf(rsa, { ...now, notAfter: start + 10_000 }) });
    const held = await token(kinora, rsa);
    expect(await whoami(kinora, held)).toBe("alva");
    kinora.advance(10_000);
    expect(await whoami(kinora, held)).toBe("alva");
    kinora.advance(1);
    expect(await whoami(kinora, held)).toBe("401");
    expect(await ask(kinora, rsa)).toBe("401");
  });

  test("verifies from its first second on", async () => {
    const kinora = await serve({ x509Certificate: certificateOf(rsa, toCome) });
    kinora.advance(day - 1);
    expect(await ask(kinora, rsa)).toBe("401");
    kinora.advance(1);
    expect(await ask(kinora, rsa)).toBe("alva");
    expect(await ready(kinora)).toBe(200);
  });
});

describe("several certificates and keys", () => {
  test("are tried in turn, in whatever order they stand [spec: bearer-keys-in-turn] [spec: oauth2-repeated-keys]", async () => {
    const strangers = await Promise.all(Array.from({ length: 6 }, () => makeKey("ES256")));
    const kinora = await serve({
      x509Certificate: [certificateOf(other, ended), certificateOf(rsa, now)].join(", "),
      publicKey: [...strangers.map(({ spki }) => spki), ec.spki].join(","),
    });
    for (const key of [rsa, ec, ...strangers]) expect(await ask(kinora, key)).toBe("alva");
    expect(await ask(kinora, other)).toBe("401");
    expect(await ready(kinora)).toBe(200);
  });

  test("verify a token of any key id, since they have none themselves", async () => {
    const kinora = await serve({ publicKey: `${ec.spki}, ${rsa.spki}` });
    expect(await whoami(kinora, await sign(rsa, goodClaims(kinora), { kid: "from the provider" }))).toBe("alva");
  });
});

describe("claims", () => {
  let kinora: TestService;
  const issuer = "https://id.example.org";
  beforeAll(async () => {
    kinora = await startWithAlva(
      bearerIni({
        publicKey: rsa.spki,
        expectedAudience: "kinora",
        expectedIssuer: issuer,
        tokenUser: "vidispine_user",
        requireExp: "true",
      }),
    );
  });
  afterAll(() => kinora.close());
  const claims = (changes: object) =>
    sign(rsa, { ...goodClaims(kinora), vidispine_user: "alva", sub: "x", ...changes });

  test.each([
    ["the user in the claim that is configured", {}, "alva"],
    ["another value of sub, which is not looked at", { sub: "f3c1a0" }, "alva"],
    ["no sub", { sub: undefined }, "401"],
    ["sub naming the user, and not the claim", { sub: "alva", vidispine_user: undefined }, "401"],
    ["the claim empty", { vidispine_user: "" }, "401"],
    ["the claim a list", { vidispine_user: ["alva"] }, "401"],
    ["the claim a number", { vidispine_user: 1 }, "401"],
    ["the claim in another case", { vidispine_User: "alva", vidispine_user: undefined }, "401"],
    ["an inherited name as claim", { vidispine_user: undefined, toString: "alva" }, "401"],
    ["no exp, although it is required", { exp: undefined }, "401"],
    ["another issuer", { iss: "https://id.example.com" }, "401"],
    ["the issuer with a slash behind", { iss: `${issuer}/` }, "401"],
    ["the issuer in a list", { iss: [issuer] }, "401"],
    ["no issuer", { iss: undefined }, "401"],
    ["an audience among several", { aud: ["a", "kinora", "b"] }, "alva"],
  ])(
    "with %s: %s [spec: bearer-token-user] [spec: bearer-sub] [spec: bearer-audience]",
    async (_, changes, expected) => {
      expect(await whoami(kinora, await claims(changes))).toBe(expected);
    },
  );

  test("of a user who is disabled let nobody in, until the user is enabled again", async () => {
    const held = await claims({});
    expect(await whoami(kinora, held)).toBe("alva");
    await kinora.admin("/API/user/alva", { method: "DELETE" });
    expect(await whoami(kinora, held)).toBe("401");
    await kinora.admin("/API/user/alva/enable", { method: "PUT" });
    expect(await whoami(kinora, held)).toBe("alva");
  });
});
