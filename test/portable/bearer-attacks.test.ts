import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setUpLogging } from "../../src/logging/set-up.ts";
import { settingsWith } from "../../src/settings.ts";
import {
  base64url,
  bearerIni,
  goodClaims,
  makeKey,
  type SigningKey,
  sign,
  signHmac,
  signTexts,
  startWithAlva,
  whoami,
} from "./bearer-tokens.ts";
import type { TestService } from "./harness.ts";

let kinora: TestService;
let rsa: SigningKey;
let ec: SigningKey;
let strange: SigningKey;
let strangeEc: SigningKey;

/** What the service has logged, down to the last detail. */
let lines: readonly string[] = [];
function logTo(write: (lines: string) => void): void {
  const settings = settingsWith({ logLevel: "debug", logFormat: "json", accessLog: false });
  setUpLogging(settings, { write, terminal: false, colours: false });
}

beforeAll(async () => {
  logTo((written) => {
    lines = [...lines, ...written.trimEnd().split("\n")];
  });
  [rsa, ec, strange, strangeEc] = await Promise.all([
    makeKey("RS256"),
    makeKey("ES256"),
    makeKey("RS256"),
    makeKey("ES256"),
  ]);
  kinora = await startWithAlva(bearerIni({ publicKey: `${rsa.spki},${ec.spki}`, expectedAudience: "kinora" }));
});
afterAll(async () => {
  await kinora.close();
  logTo(() => undefined);
});

const claims = (changes: Record<string, unknown> = {}) => ({ ...goodClaims(kinora), ...changes });
const without = (name: string) => {
  const { [name]: _gone, ...rest } = claims();
  return rest;
};
const seconds = () => Math.floor(kinora.now() / 1000);
const unsigned = (alg: unknown, signature = "") =>
  `${base64url(JSON.stringify({ alg, typ: "JWT" }))}.${base64url(JSON.stringify(claims()))}.${signature}`;
const derOf = (spki: string) => Uint8Array.from(atob(spki), (character) => character.charCodeAt(0));
const pemOf = (spki: string) =>
  new TextEncoder().encode(
    `-----BEGIN PUBLIC KEY-----\n${spki.replace(/(.{64})/g, "$1\n")}\n-----END PUBLIC KEY-----\n`,
  );
const hmac = (secret: Uint8Array) =>
  signHmac(secret, JSON.stringify({ alg: "HS256", typ: "JWT" }), JSON.stringify(claims()));
const withHeader = (header: Record<string, unknown>) => sign(rsa, claims(), header);
const withClaims = (changes: Record<string, unknown>) => sign(rsa, claims(changes));
const parts = async (change: (header: string, payload: string, signature: string) => string) => {
  const [header = "", payload = "", signature = ""] = (await sign(rsa, claims())).split(".");
  return change(header, payload, signature);
};

type Attack = readonly [name: string, token: () => string | Promise<string>];

const attacks: readonly Attack[] = [
  // No signature at all
  ["alg none", () => unsigned("none")],
  ["alg None", () => unsigned("None")],
  ["alg NONE", () => unsigned("NONE")],
  ["alg nOnE", () => unsigned("nOnE")],
  ["alg none with a blank", () => unsigned("none ")],
  ["alg none with a signature", () => unsigned("none", base64url("signature"))],
  ["alg empty", () => unsigned("")],
  ["alg null", () => unsigned(null)],
  ["alg missing", () => unsigned(undefined)],
  ["alg a number", () => unsigned(256)],
  ["alg a list", () => unsigned(["RS256"])],
  ["alg an object", () => unsigned({ RS256: true })],
  ["RS256 without a signature", () => unsigned("RS256")],
  ["a signature of one byte", () => unsigned("RS256", "AA")],
  // Another algorithm over the public key
  ["HS256 with the public key's DER as secret", () => hmac(derOf(rsa.spki))],
  ["HS256 with the public key's Base64 as secret", () => hmac(new TextEncoder().encode(rsa.spki))],
  ["HS256 with the public key's PEM as secret", () => hmac(pemOf(rsa.spki))],
  ["HS256 with the EC key's DER as secret", () => hmac(derOf(ec.spki))],
  ["HS256 with a zero byte as secret", () => hmac(new Uint8Array(1))],
  ["HS512 in the header", () => unsigned("HS512", base64url("x".repeat(64)))],
  ["ES256 in the header of an RSA signature", () => withHeader({ alg: "ES256" })],
  ["RS512 in the header of an RS256 signature", () => withHeader({ alg: "RS512" })],
  ["PS256 in the header of an RS256 signature", () => withHeader({ alg: "PS256" })],
  ["RS256 in the header of an ECDSA signature", () => sign(ec, claims(), { alg: "RS256" })],
  ["ES384 over a P-256 key", () => sign(ec, claims(), { alg: "ES384" })],
  ["ES256K", () => sign(ec, claims(), { alg: "ES256K" })],
  ["rs256 in lower case", () => withHeader({ alg: "rs256" })],
  ["RSA-OAEP", () => withHeader({ alg: "RSA-OAEP" })],
  ["an ECDSA signature of zeros", () => unsigned("ES256", base64url(new Uint8Array(64)))],
  ["an ECDSA signature of r zero", () => unsigned("ES256", base64url(new Uint8Array(64).fill(1, 32)))],
  ["an ECDSA signature of ones", () => unsigned("ES256", base64url(new Uint8Array(64).fill(255)))],
  ["an RSA signature of zeros", () => unsigned("RS256", base64url(new Uint8Array(256)))],
  ["an ECDSA signature in DER", () => unsigned("ES256", base64url(new Uint8Array([48, 6, 2, 1, 1, 2, 1, 1])))],
  // Keys that the token brings along
  ["an embedded key", async () => sign(strange, claims(), { jwk: strange.jwk })],
  ["an embedded EC key", async () => sign(strangeEc, claims(), { jwk: strangeEc.jwk })],
  ["the service's own key embedded", () => withHeader({ jwk: rsa.jwk })],
  ["jku", () => withHeader({ jku: "https://attacker.example/keys" })],
  ["x5u", () => withHeader({ x5u: "https://attacker.example/certificate" })],
  ["x5c", () => withHeader({ x5c: ["MIIB"] })],
  ["a key that is not known", () => sign(strange, claims())],
  ["an EC key that is not known", () => sign(strangeEc, claims())],
  // Header parameters
  ["crit with an unknown name", () => withHeader({ crit: ["exp2"], exp2: 1 })],
  ["crit empty", () => withHeader({ crit: [] })],
  ["crit no list", () => withHeader({ crit: "b64" })],
  ["b64 false with crit", () => withHeader({ b64: false, crit: ["b64"] })],
  ["b64 false without crit", () => withHeader({ b64: false })],
  ["zip", () => withHeader({ zip: "DEF" })],
  ["enc", () => withHeader({ enc: "A256GCM" })],
  ["a nested token", () => withHeader({ cty: "JWT" })],
  ["typ of a logout token", () => withHeader({ typ: "logout+jwt" })],
  ["typ of a DPoP proof", () => withHeader({ typ: "dpop+jwt" })],
  ["typ a number", () => withHeader({ typ: 1 })],
  ["kid a number", () => withHeader({ kid: 1 })],
  ["kid an object", () => withHeader({ kid: {} })],
  ["kid with a path, signed by a stranger", () => sign(strange, claims(), { kid: "../../../../dev/null" })],
  ["kid with SQL, signed by a stranger", () => sign(strange, claims(), { kid: "x' union select 'secret' --" })],
  ["kid with a line break, signed by a stranger", () => sign(strange, claims(), { kid: "x\r\nX-Admin: 1" })],
  [
    "alg twice in the header",
    () => signTexts(rsa, '{"alg":"none","typ":"JWT","alg":"RS256"}', JSON.stringify(claims())),
  ],
  [
    "alg twice in the header, once escaped",
    () => signTexts(rsa, '{"\\u0061lg":"none","alg":"RS256"}', JSON.stringify(claims())),
  ],
  ["a header that is a list", () => signTexts(rsa, '["RS256"]', JSON.stringify(claims()))],
  ["a header that is null", () => signTexts(rsa, "null", JSON.stringify(claims()))],
  ["a header that is no JSON", () => signTexts(rsa, "alg=RS256", JSON.stringify(claims()))],
  // Claims
  ["sub twice", () => signTexts(rsa, '{"alg":"RS256"}', JSON.stringify(claims()).replace("{", '{"sub":"admin",'))],
  ["aud twice", () => signTexts(rsa, '{"alg":"RS256"}', JSON.stringify(claims()).replace("{", '{"aud":"other",'))],
  ["claims that are a list", () => signTexts(rsa, '{"alg":"RS256"}', "[]")],
  ["claims that are a text", () => signTexts(rsa, '{"alg":"RS256"}', '"alva"')],
  ["claims that are no JSON", () => signTexts(rsa, '{"alg":"RS256"}', "sub=alva")],
  ["claims with something behind", () => signTexts(rsa, '{"alg":"RS256"}', `${JSON.stringify(claims())}{}`)],
  ["claims that are not UTF-8", () => parts((header, _, signature) => `${header}._w.${signature}`)],
  ["no sub", () => sign(rsa, without("sub"))],
  ["sub empty", () => withClaims({ sub: "" })],
  ["sub null", () => withClaims({ sub: null })],
  ["sub a number", () => withClaims({ sub: 7 })],
  ["sub a list", () => withClaims({ sub: ["alva"] })],
  ["no aud", () => sign(rsa, without("aud"))],
  ["aud in another case", () => withClaims({ aud: "Kinora" })],
  ["aud with more behind", () => withClaims({ aud: "kinora.example" })],
  ["aud with more in front", () => withClaims({ aud: "not-kinora" })],
  ["aud with a slash behind", () => withClaims({ aud: "kinora/" })],
  ["aud with a blank", () => withClaims({ aud: "kinora " })],
  ["aud of several words", () => withClaims({ aud: "kinora other" })],
  ["aud a list of others", () => withClaims({ aud: ["kino", "kinora2"] })],
  ["aud an empty list", () => withClaims({ aud: [] })],
  ["aud a nested list", () => withClaims({ aud: [["kinora"]] })],
  ["aud an object", () => withClaims({ aud: { kinora: true } })],
  ["aud a list with an object", () => withClaims({ aud: ["kinora", {}] })],
  ["aud true", () => withClaims({ aud: true })],
  ["expired", () => withClaims({ exp: seconds() - 31 })],
  ["expired long ago", () => withClaims({ exp: 1 })],
  ["exp a text", () => withClaims({ exp: String(seconds() + 300) })],
  ["exp null", () => withClaims({ exp: null })],
  ["exp a list", () => withClaims({ exp: [seconds() + 300] })],
  ["exp negative", () => withClaims({ exp: -1 })],
  [
    "exp beyond numbers",
    () => signTexts(rsa, '{"alg":"RS256"}', JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e999')),
  ],
  ["not valid yet", () => withClaims({ nbf: seconds() + 31 })],
  ["nbf a text", () => withClaims({ nbf: "now" })],
  ["issued in the future", () => withClaims({ iat: seconds() + 3600 })],
  ["iat a text", () => withClaims({ iat: "yesterday" })],
  ["a user that does not exist", () => withClaims({ sub: "nobody" })],
  ["a user in another case", () => withClaims({ sub: "ALVA" })],
  ["a user with a NUL", () => withClaims({ sub: "alva\u0000" })],
  // Form
  ["a token of 20,000 characters", () => withClaims({ filler: "x".repeat(20_000) })],
  ["two parts", () => parts((header, payload) => `${header}.${payload}`)],
  ["four parts", () => parts((header, payload, signature) => `${header}.${payload}.${signature}.x`)],
  [
    "five parts, as an encrypted token has",
    () => parts((header, payload, signature) => `${header}.x.x.${payload}.${signature}`),
  ],
  [
    "JSON serialisation",
    () => parts((header, payload, signature) => JSON.stringify({ protected: header, payload, signature })),
  ],
  ["padding", () => parts((header, payload, signature) => `${header}=.${payload}.${signature}==`)],
  ["Base64 instead of Base64url", () => parts((header, payload, signature) => `${header}.${payload}+/.${signature}`)],
  [
    "a changed payload",
    () =>
      parts((header, _, signature) => `${header}.${base64url(JSON.stringify(claims({ sub: "admin" })))}.${signature}`),
  ],
  ["a changed signature", () => parts((header, payload, signature) => `${header}.${payload}.A${signature.slice(1)}B`)],
  ["dots alone", () => ".."],
  ["nothing readable", () => "not-a-token"],
];

describe("bearer tokens that are refused", () => {
  it("knows at least 80 attacks", () => {
    expect(attacks.length).toBeGreaterThanOrEqual(80);
    expect(new Set(attacks.map(([name]) => name)).size).toBe(attacks.length);
  });

  it.each(attacks)("refuses %s, with one line in the log that has nothing of the token", async (_, make) => {
    const token = await make();
    lines = [];
    expect(await whoami(kinora, token)).toBe("401");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        time: expect.any(String),
        level: "info",
        logger: "kinora.plugin.oauth2Auth",
        message: "A bearer token is refused",
        reason: expect.stringMatching(/^[\w ,.-]{10,80}$/),
        from: "192.0.2.1",
      },
    ]);
    for (const part of token.split(/[.\s"]/)) if (part.length > 8) expect(lines[0]).not.toContain(part);
  });

  it("accepts what is good, so that the refusals above mean something [spec: bearer] [spec: bearer-static] [spec: bearer-sub]", async () => {
    expect(await whoami(kinora, await sign(rsa, claims()))).toBe("alva");
    expect(await whoami(kinora, await sign(ec, claims()))).toBe("alva");
    expect(await whoami(kinora, await sign(rsa, claims({ aud: ["other", "kinora"] })))).toBe("alva");
    expect(await whoami(kinora, await sign(rsa, without("exp")))).toBe("alva");
    expect(await whoami(kinora, await sign(rsa, claims({ exp: seconds() - 29 }), { typ: "at+jwt" }))).toBe("alva");
  });

  it("tries each key in turn and stops reusing a verdict when the token ends [spec: bearer-keys-in-turn]", async () => {
    const token = await sign(ec, claims({ exp: seconds() + 60 }));
    expect(await whoami(kinora, token)).toBe("alva");
    kinora.advance(91_000);
    expect(await whoami(kinora, token)).toBe("401");
  });

  it("answers with the challenge of the last filter and an error document", async () => {
    const answer = await kinora.fetch("/API/whoami", {
      headers: { authorization: "Bearer not-a-token", accept: "application/json" },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="serviceRealm"');
    expect(await answer.json()).toMatchObject({ notAuthorized: {}, notFound: null });
  });
});
