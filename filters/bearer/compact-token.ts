import { strictJsonObject } from "./strict-json.ts";

/** A JSON Web Token in compact form, taken apart; nothing of it is proven yet. */
export interface CompactToken {
  readonly text: string;
  readonly algorithm: string;
  readonly keyId: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Longer tokens are not looked at. Characters. */
export const longestToken = 16_384;

/** The algorithms that are accepted: asymmetric ones only (RFC 8725, 3.1). */
const algorithms = new Set([
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
]);

/** Header parameters that bring a key along, name one elsewhere, or change what is signed. All are refused. */
const refusedParameters = ["jwk", "jku", "x5u", "x5c", "crit", "b64", "zip", "enc"];

const types = new Set(["jwt", "at+jwt", "application/jwt", "application/at+jwt"]);

/** Takes a token apart, or says why it is refused. */
export function readCompactToken(text: string): CompactToken | { readonly refused: string } {
  if (text.length > longestToken) return { refused: "the token is too long" };
  const parts = text.split(".");
  const [protectedHeader = "", payload = "", signature = ""] = parts;
  if (parts.length !== 3) return { refused: "the token is not a signed token in compact form" };
  const header = strictJsonObject(decodePart(protectedHeader) ?? "");
  const claims = strictJsonObject(decodePart(payload) ?? "");
  if (header === undefined) return { refused: "the header is not one JSON object" };
  if (claims === undefined) return { refused: "the claims are not one JSON object" };
  const bytes = decodeBytes(signature);
  if (bytes === undefined || bytes.length === 0) return { refused: "the signature cannot be read" };
  const { alg, kid, typ, cty } = header;
  if (typeof alg !== "string" || !algorithms.has(alg)) return { refused: "the algorithm is not accepted" };
  const refused = refusedParameters.find((name) => Object.hasOwn(header, name));
  if (refused !== undefined) return { refused: `the header parameter ${refused} is not accepted` };
  if (kid !== undefined && typeof kid !== "string") return { refused: "kid is not a text" };
  if (typ !== undefined && !(typeof typ === "string" && types.has(typ.toLowerCase()))) {
    return { refused: "typ is not that of an access token" };
  }
  if (cty !== undefined) return { refused: "the token contains another token" };
  // RFC 8725 and CVE-2022-21449: some implementations accept it.
  if (alg.startsWith("ES") && bytes.every((byte) => byte === 0)) return { refused: "the signature is empty" };
  return { text, algorithm: alg, keyId: kid, claims };
}

const base64url = /^[A-Za-z0-9_-]*$/;

/** Base64url without padding (RFC 7515), refusing stray bits so that a token has one spelling only. */
function decodeBytes(part: string): Uint8Array | undefined {
  if (!base64url.test(part) || part.length % 4 === 1) return undefined;
  const binary = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const again = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return again === part ? bytes : undefined;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodePart(part: string): string | undefined {
  const bytes = decodeBytes(part);
  if (bytes === undefined) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined; // not UTF-8: the caller refuses the token
  }
}
