import type { JWK } from "jose";
import { SaxesParser } from "saxes";
import { fetchText } from "./fetch-text.ts";
import { KeyError, keyFromJwk, type VerificationKey } from "./public-key.ts";
import { keyFromCertificate } from "./static-keys.ts";
import { strictJsonObject } from "./strict-json.ts";

/** Key sets and metadata larger than this are refused. Bytes. */
const maximumBytes = 1024 * 1024;
/** More keys than this are not looked at. */
const mostKeys = 100;

/** Keys of a provider, as they are kept for all instances. */
interface KeyDocument {
  readonly keys?: readonly JWK[];
  readonly certificates?: readonly string[];
}

/**
 * Fetches the keys behind an address: a JWKS, an OpenID discovery document that names one, or federation metadata (XML)
 * with certificates for signing. The text that it gives is read by {@link keysOf}.
 */
export async function fetchKeys(fetcher: typeof fetch, url: string): Promise<string> {
  const headers = { accept: "application/json, application/jwk-set+json, application/xml;q=0.9, text/xml;q=0.9" };
  const text = await fetchText(fetcher, url, { headers, maximumBytes });
  const document = text.trimStart().startsWith("<") ? fromFederation(text) : await fromJson(fetcher, url, text);
  if (usable(document).length === 0) throw new Error(`${new URL(url).host} gave no key that can verify tokens`);
  return JSON.stringify(document);
}

/** The keys of a document that {@link fetchKeys} gave. Those that cannot be used are left out. */
export function keysOf(text: string): readonly VerificationKey[] {
  return usable(JSON.parse(text) as KeyDocument);
}

function usable({ keys = [], certificates = [] }: KeyDocument): readonly VerificationKey[] {
  return [
    ...keys.slice(0, mostKeys).flatMap((jwk, i) => unlessUnusable(() => keyFromJwk(jwk, `key ${jwk.kid ?? i + 1}`))),
    ...certificates
      .slice(0, mostKeys)
      .flatMap((text, i) => unlessUnusable(() => keyFromCertificate(text, `certificate ${i + 1}`))),
  ];
}

/** A provider may publish keys of kinds that are not for us. */
function unlessUnusable(make: () => VerificationKey | undefined): readonly VerificationKey[] {
  try {
    const key = make();
    return key === undefined ? [] : [key];
  } catch (error) {
    if (error instanceof KeyError) return [];
    throw error;
  }
}

async function fromJson(fetcher: typeof fetch, url: string, text: string): Promise<KeyDocument> {
  const document = strictJsonObject(text);
  if (document === undefined) throw new Error(`${new URL(url).host} gave neither JSON nor XML`);
  if (Array.isArray(document.keys)) return { keys: document.keys.filter(isObject) as readonly JWK[] };
  const { jwks_uri: next } = document;
  if (typeof next !== "string" || !URL.canParse(next)) {
    throw new Error(`${new URL(url).host} gave neither a key set nor a discovery document`);
  }
  const keys = strictJsonObject(await fetchText(fetcher, next, { maximumBytes }))?.keys;
  if (!Array.isArray(keys)) throw new Error(`${new URL(next).host} gave no key set`);
  return { keys: keys.filter(isObject) as readonly JWK[] };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** The certificates for signing in SAML metadata: KeyDescriptor without `use`, or with `use="signing"`. */
function fromFederation(text: string): KeyDocument {
  const certificates = new Set<string>();
  const parser = new SaxesParser({ xmlns: true });
  let signing = false;
  let certificate: string | undefined;
  parser.on("doctype", () => {
    throw new Error("The federation metadata has a DTD");
  });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ local, attributes }) => {
    if (local === "KeyDescriptor") signing = (attributes.use?.value ?? "signing") === "signing";
    if (local === "X509Certificate" && signing) certificate = "";
  });
  parser.on("text", (part) => {
    if (certificate !== undefined) certificate += part;
  });
  parser.on("closetag", ({ local }) => {
    if (local === "KeyDescriptor") signing = false;
    if (local !== "X509Certificate" || certificate === undefined) return;
    certificates.add(certificate.replace(/\s+/g, ""));
    certificate = undefined;
  });
  parser.write(text).close();
  return { certificates: [...certificates] };
}
