import { base64, type SigningKey } from "./bearer-tokens.ts";

type Bytes = readonly number[];

/** One DER element (X.690). */
function der(tag: number, ...contents: readonly Bytes[]): Bytes {
  const content = contents.flat();
  const { length } = content;
  if (length < 0x80) return [tag, length, ...content];
  const size = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return [tag, 0x80 + size.length, ...size, ...content];
}
const sequence = (...contents: readonly Bytes[]) => der(0x30, ...contents);
const ascii = (text: string): Bytes => Array.from(text, (character) => character.charCodeAt(0));
const bitString = (bytes: Iterable<number>) => der(0x03, [0, ...bytes]);

/** sha256WithRSAEncryption, or ecdsa-with-SHA256. */
const signatureAlgorithm = ({ algorithm }: SigningKey): Bytes =>
  algorithm === "ES256"
    ? sequence(der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
    : sequence(der(0x06, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]), der(0x05));

const name = sequence(der(0x31, sequence(der(0x06, [0x55, 0x04, 0x03]), der(0x0c, ascii("issuer.example.org")))));

/** RFC 5280, 4.1.2.5: UTCTime until 2049, GeneralizedTime from then on. */
function time(epoch: number): Bytes {
  const digits = new Date(epoch).toISOString().replace(/\D/g, "").slice(0, 14);
  return digits < "2050" ? der(0x17, ascii(`${digits.slice(2)}Z`)) : der(0x18, ascii(`${digits}Z`));
}

export interface CertificateOptions {
  /** Epoch milliseconds. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** X.509 version 1 has no version element. Default 3. */
  readonly version?: 1 | 3;
}

/**
 * A self-issued X.509 certificate of a key as the Base64 of its DER. Its own signature is none: what is configured or
 * downloaded is trusted as it is, and nobody looks at it.
 */
export function certificateOf(key: SigningKey, { notBefore, notAfter, version = 3 }: CertificateOptions): string {
  const spki = Array.from(atob(key.spki), (character) => character.charCodeAt(0));
  const algorithm = signatureAlgorithm(key);
  const body = sequence(
    version === 1 ? [] : der(0xa0, der(0x02, [2])),
    der(0x02, [0x1b, 0x2c]),
    algorithm,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    spki,
  );
  const certificate = sequence(body, algorithm, bitString(new Uint8Array(64).fill(7)));
  return base64(Uint8Array.from(certificate));
}

/** Federation metadata as an identity provider publishes it, with certificates for signing. */
export function federationMetadata(
  signing: readonly string[],
  { encryption = [] as readonly string[], prefix = "", doctype = "" } = {},
): string {
  const element = (certificate: string, use: string) => `
    <${prefix}KeyDescriptor${use}><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>
      <X509Certificate>${certificate.replace(/(.{64})/g, "$1\n")}</X509Certificate>
    </X509Data></KeyInfo></${prefix}KeyDescriptor>`;
  const namespace = `xmlns${prefix === "" ? "" : `:${prefix.replace(":", "")}`}="urn:oasis:names:tc:SAML:2.0:metadata"`;
  return `<?xml version="1.0" encoding="utf-8"?>${doctype}
<${prefix}EntityDescriptor ${namespace} entityID="https://issuer.example.org/">
  <${prefix}RoleDescriptor>${[
    ...signing.map((one, i) => element(one, i % 2 === 0 ? ' use="signing"' : "")),
    ...encryption.map((one) => element(one, ' use="encryption"')),
  ].join("")}
  </${prefix}RoleDescriptor>
</${prefix}EntityDescriptor>`;
}
