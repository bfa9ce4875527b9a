import { basic, startService, type TestService } from "./harness.ts";

/** A key pair with the public key as `security.ini` takes it. */
export interface SigningKey {
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
  readonly spki: string;
  readonly jwk: JsonWebKey;
}

const parameters = {
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", publicExponent: new Uint8Array([1, 0, 1]) },
  PS256: { name: "RSA-PSS", hash: "SHA-256", publicExponent: new Uint8Array([1, 0, 1]) },
  ES256: { name: "ECDSA", namedCurve: "P-256" },
} as const;

export type SigningAlgorithm = keyof typeof parameters;

const pairs = { publicKey: true, privateKey: true };

/** Makes a key pair. */
export async function makeKey(algorithm: SigningAlgorithm, modulusLength = 2048): Promise<SigningKey> {
  const wanted = { ...parameters[algorithm], ...(algorithm === "ES256" ? {} : { modulusLength }) };
  const made = (await crypto.subtle.generateKey(wanted, pairs.publicKey, ["sign", "verify"])) as CryptoKeyPair;
  const spki = (await crypto.subtle.exportKey("spki", made.publicKey)) as ArrayBuffer;
  const jwk = (await crypto.subtle.exportKey("jwk", made.publicKey)) as JsonWebKey;
  return { algorithm, privateKey: made.privateKey, spki: base64(new Uint8Array(spki)), jwk };
}

export function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

export function base64url(value: string | Uint8Array): string {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const signing = {
  RS256: { name: "RSASSA-PKCS1-v1_5" },
  PS256: { name: "RSA-PSS", saltLength: 32 },
  ES256: { name: "ECDSA", hash: "SHA-256" },
} as const;

/** Signs a header and claims as they stand, in whatever text they are. */
export async function signTexts(key: SigningKey, header: string, claims: string): Promise<string> {
  const input = `${base64url(header)}.${base64url(claims)}`;
  const signature = await crypto.subtle.sign(
    signing[key.algorithm as SigningAlgorithm],
    key.privateKey,
    new TextEncoder().encode(input),
  );
  return `${input}.${base64url(new Uint8Array(signature))}`;
}

export function sign(key: SigningKey, claims: object, header: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return signTexts(key, JSON.stringify({ alg: key.algorithm, typ: "JWT", ...header }), JSON.stringify(claims));
}

/** An HMAC over a token's first two parts with any bytes as the secret. */
export async function signHmac(secret: Uint8Array, header: string, claims: string): Promise<string> {
  const input = `${base64url(header)}.${base64url(claims)}`;
  const imported = new Uint8Array(secret);
  const key = await crypto.subtle.importKey("raw", imported, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return `${input}.${base64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(input))))}`;
}

/** The specification's chain with properties of the bearer filter. */
export function bearerIni(properties: Readonly<Record<string, string>>): string {
  const lines = Object.entries(properties).map(([name, value]) => `oauth2Auth.${name} = ${value}`);
  return `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
oauth2Auth = com.service.security.auth.BearerAuthenticationFilter
${lines.join("\n")}
securityManager.realms = $serviceRealm
authcBasic.applicationName = serviceRealm
[urls]
/** = noSessionCreation, tokenAuth[permissive], oauth2Auth[permissive], authcBasic
`;
}

/** The claims of a token that a service with the audience `kinora` accepts for `alva`. */
export function goodClaims(kinora: Pick<TestService, "now">): Record<string, unknown> {
  const now = Math.floor(kinora.now() / 1000);
  return { sub: "alva", aud: "kinora", iss: "https://id.example.org", iat: now - 5, exp: now + 300 };
}

/** A service with the user `alva`. */
export async function startWithAlva(
  ini: string,
  options: { readonly fetch?: typeof fetch } = {},
): Promise<TestService> {
  const kinora = await startService({ ini, ...options });
  await kinora.admin("/API/user/alva", { method: "PUT" });
  return kinora;
}

/** Status and name of a call of /whoami with an Authorization header. */
export async function whoami(kinora: TestService, token: string): Promise<string> {
  const answer = await kinora.fetch("/API/whoami", { headers: { authorization: `Bearer ${token}` } });
  return answer.status === 200 ? answer.text() : String(answer.status);
}

export { basic };
