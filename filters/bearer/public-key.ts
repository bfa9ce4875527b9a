import { importJWK, importSPKI, type JWK } from "jose";
import { type DerElement, derElements } from "./der.ts";

/** A key that may have signed a token. */
export interface VerificationKey {
  /** For the log: `x509Certificate 1`. */
  readonly name: string;
  readonly keyId: string | undefined;
  /** The algorithms that fit the key's type, and its `alg` when it has one. */
  readonly algorithms: ReadonlySet<string>;
  /** Epoch milliseconds between which the key may be used. */
  readonly notBefore: number | undefined;
  readonly notAfter: number | undefined;
  /** The key for an algorithm that fits. */
  forAlgorithm(algorithm: string): Promise<CryptoKey>;
}

/** A text that is no usable key, and why. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}

const rsa = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];
const smallestModulus = 2048;

/** Algorithms by the object identifiers (hex of their DER) of key type and curve. */
const keyTypes: Readonly<Record<string, readonly string[]>> = {
  "2a864886f70d010101": rsa,
  "2a8648ce3d0201 2a8648ce3d030107": ["ES256"],
  "2a8648ce3d0201 2b81040022": ["ES384"],
  "2a8648ce3d0201 2b81040023": ["ES512"],
  "2b6570": ["EdDSA", "Ed25519"],
};

const sequence = 0x30;
const integer = 0x02;
const bitString = 0x03;
const objectIdentifier = 0x06;

/** A public key from its SubjectPublicKeyInfo. @throws KeyError */
export function keyFromSpki(
  spki: Uint8Array,
  name: string,
  validity: { readonly notBefore?: number; readonly notAfter?: number } = {},
): VerificationKey {
  const [outer, ...after] = derElements(spki) ?? [];
  const [algorithm, key, ...rest] = elementsOf(outer);
  if (after.length > 0 || rest.length > 0 || key?.tag !== bitString) {
    throw new KeyError(`${name} is not a public key (SubjectPublicKeyInfo)`);
  }
  const oids = elementsOf(algorithm).filter(({ tag }) => tag === objectIdentifier);
  const algorithms = keyTypes[oids.map(({ content }) => hex(content)).join(" ")];
  if (algorithms === undefined) throw new KeyError(`${name} is of a type that is not supported`);
  // A bit string begins with the number of bits that its last byte leaves unused.
  if (algorithms === rsa) requireStrength(modulusIn(key.content.subarray(1)), name);
  const pem = `-----BEGIN PUBLIC KEY-----\n${base64(spki)}\n-----END PUBLIC KEY-----`;
  return {
    name,
    keyId: undefined,
    algorithms: new Set(algorithms),
    notBefore: validity.notBefore,
    notAfter: validity.notAfter,
    forAlgorithm: remembered((wanted) => importSPKI(pem, wanted)),
  };
}

/** A public key from a JWK; `undefined` for one that does not sign tokens. @throws KeyError */
export function keyFromJwk(jwk: JWK, name: string): VerificationKey | undefined {
  if (jwk.use !== undefined && jwk.use !== "sig") return undefined;
  if (jwk.key_ops !== undefined && !jwk.key_ops.includes("verify")) return undefined;
  const fitting = jwkAlgorithms(jwk);
  if (fitting === undefined) return undefined;
  if (jwk.d !== undefined) throw new KeyError(`${name} is a private key`);
  const algorithms = jwk.alg === undefined ? fitting : fitting.filter((one) => one === jwk.alg);
  const { kty, n, e, crv, x, y } = jwk;
  if (fitting === rsa) requireStrength(base64urlBytes(n), name);
  return {
    name,
    keyId: jwk.kid,
    algorithms: new Set(algorithms),
    notBefore: undefined,
    notAfter: undefined,
    forAlgorithm: remembered(async (wanted) => {
      const key = await importJWK({ kty, n, e, crv, x, y } as JWK, wanted);
      if (key instanceof Uint8Array) throw new KeyError(`${name} is a secret key`);
      return key as CryptoKey;
    }),
  };
}

function jwkAlgorithms({ kty, crv }: JWK): readonly string[] | undefined {
  if (kty === "RSA") return rsa;
  const byCurve: Readonly<Record<string, readonly string[]>> = {
    "P-256": ["ES256"],
    "P-384": ["ES384"],
    "P-521": ["ES512"],
    Ed25519: ["EdDSA", "Ed25519"],
  };
  return kty === "EC" || kty === "OKP" ? byCurve[crv ?? ""] : undefined;
}

function elementsOf(element: DerElement | undefined): readonly DerElement[] {
  return (element?.tag === sequence && derElements(element.content)) || [];
}

/** The modulus in an RSAPublicKey (RFC 8017, A.1.1). */
function modulusIn(bytes: Uint8Array): Uint8Array | undefined {
  const [modulus] = elementsOf(derElements(bytes)?.[0]);
  return modulus?.tag === integer ? modulus.content : undefined;
}

function requireStrength(modulus: Uint8Array | undefined, name: string): void {
  const first = modulus?.findIndex((byte) => byte !== 0) ?? -1;
  if (modulus === undefined || first < 0) throw new KeyError(`${name} is not an RSA key`);
  const bits = (modulus.length - first) * 8 - Math.clz32(modulus[first] ?? 0) + 24;
  if (bits < smallestModulus) throw new KeyError(`${name} has ${bits} bits; RSA keys need ${smallestModulus}`);
}

/** Imports once for each algorithm; the algorithms are a closed set. */
function remembered(load: (algorithm: string) => Promise<CryptoKey>): (algorithm: string) => Promise<CryptoKey> {
  const keys = new Map<string, CryptoKey>();
  return async (algorithm) => {
    const known = keys.get(algorithm);
    if (known !== undefined) return known;
    const key = await load(algorithm);
    keys.set(algorithm, key);
    return key;
  };
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function base64urlBytes(text: unknown): Uint8Array | undefined {
  if (typeof text !== "string" || !/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
}
