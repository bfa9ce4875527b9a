import { type DerElement, derElements } from "./der.ts";
import { KeyError, keyFromSpki, type VerificationKey } from "./public-key.ts";

const sequence = 0x30;
const utcTime = 0x17;
const generalizedTime = 0x18;
const explicitVersion = 0xa0;

/** The key of an X.509 certificate (Base64 of its DER, or PEM), with the certificate's validity. @throws KeyError */
export function keyFromCertificate(text: string, name: string): VerificationKey {
  const certificate = onlySequence(decode(text, name));
  const body = certificate?.[0]?.tag === sequence ? derElements(certificate[0].content) : undefined;
  const fields = body?.filter(({ tag }) => tag !== explicitVersion);
  // serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo
  const [, , , validity, , spki] = fields ?? [];
  const times = validity?.tag === sequence ? derElements(validity.content) : undefined;
  const notBefore = timeOf(times?.[0]);
  const notAfter = timeOf(times?.[1]);
  if (spki === undefined || notBefore === undefined || notAfter === undefined) {
    throw new KeyError(`${name} is not an X.509 certificate`);
  }
  return keyFromSpki(spki.whole, name, { notBefore, notAfter });
}

/** A public key (Base64 of its SubjectPublicKeyInfo, or PEM). @throws KeyError */
export function keyFromText(text: string, name: string): VerificationKey {
  return keyFromSpki(decode(text, name), name);
}

function decode(text: string, name: string): Uint8Array {
  const bare = text.replace(/-----(?:BEGIN|END) [A-Z ]+-----/g, "").replace(/\s+/g, "");
  try {
    return Uint8Array.from(atob(bare), (character) => character.charCodeAt(0));
  } catch {
    throw new KeyError(`${name} is not Base64`);
  }
}

function onlySequence(bytes: Uint8Array): readonly DerElement[] | undefined {
  const [outer, ...more] = derElements(bytes) ?? [];
  return outer?.tag === sequence && more.length === 0 ? derElements(outer.content) : undefined;
}

/** UTCTime and GeneralizedTime as RFC 5280 (4.1.2.5) allows them: in UTC, with seconds. */
function timeOf(element: DerElement | undefined): number | undefined {
  if (element === undefined || (element.tag !== utcTime && element.tag !== generalizedTime)) return undefined;
  const text = String.fromCharCode(...element.content);
  const [, year = "", ...rest] = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/.exec(text) ?? [];
  if (rest.length !== 5) return undefined;
  const century = year.length === 4 ? "" : Number(year) < 50 ? "20" : "19";
  const [month, day, hour, minute, second] = rest;
  const time = Date.parse(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}
