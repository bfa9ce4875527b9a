import { compactVerify } from "jose";
import type { CompactToken } from "./compact-token.ts";
import type { VerificationKey } from "./public-key.ts";

/** What came of trying the keys. */
export type SignatureResult =
  | { readonly signedBy: VerificationKey }
  | { readonly refused: string; readonly mayBeNewer: boolean };

/** Keys that are tried for one token at most, so that a token without a key id costs a bounded number of checks. */
const mostTries = 16;

/**
 * Tries each key in turn that can have signed the token: its key id first, if the token names one and keys have ids,
 * then its type. Certificates out of their validity are passed over.
 */
export async function verifySignature(
  token: CompactToken,
  keys: readonly VerificationKey[],
  nowMs: number,
): Promise<SignatureResult> {
  const named = keys.filter(({ keyId }) => keyId === undefined || token.keyId === undefined || keyId === token.keyId);
  const fitting = named.filter(({ algorithms }) => algorithms.has(token.algorithm));
  const valid = fitting.filter((key) => isValidAt(key, nowMs)).slice(0, mostTries);
  for (const key of valid) if (await isSignedBy(token, key)) return { signedBy: key };
  // By a key that we know under this very id it is not signed; by one that the provider has made since it may be.
  const mayBeNewer = token.keyId === undefined || !keys.some(({ keyId }) => keyId === token.keyId);
  const refused =
    fitting.length === 0
      ? "no key fits the token"
      : valid.length === 0
        ? "the certificate is out of its validity"
        : "no key verifies the signature";
  return { refused, mayBeNewer };
}

/** Whether a certificate's validity covers a moment; a bare key has none to end. */
export function isValidAt({ notBefore, notAfter }: VerificationKey, nowMs: number): boolean {
  return (notBefore ?? nowMs) <= nowMs && nowMs <= (notAfter ?? nowMs);
}

async function isSignedBy(token: CompactToken, key: VerificationKey): Promise<boolean> {
  try {
    await compactVerify(token.text, await key.forAlgorithm(token.algorithm), { algorithms: [token.algorithm] });
    return true;
  } catch {
    return false; // a wrong signature, or a key that cannot be imported: either way not signed by it
  }
}
