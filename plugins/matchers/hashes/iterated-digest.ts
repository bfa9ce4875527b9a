import { sha224, sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { nextTick } from "@noble/hashes/utils.js";

type Digest = (bytes: Uint8Array) => Uint8Array;

const digests: Readonly<Record<string, Digest>> = {
  "SHA-224": sha224,
  "SHA-256": sha256,
  "SHA-384": sha384,
  "SHA-512": sha512,
};

/** The digests that stored hashes may name. MD5 and SHA-1 are left out: what they protect can be guessed in minutes. */
export const digestNames: readonly string[] = Object.keys(digests);

/** Most iterations that are computed for a stored hash; about six seconds in JavaScript. */
export const mostIterations = 5_000_000;

/** Iterations after which other work gets its turn: about 10 ms. */
const slice = 8192;

/** A digest applied again and again to its own result. */
export type IteratedDigest = (salt: Uint8Array, password: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/**
 * Makes the hash `digest(digest(… digest(salt + password)))` of older security frameworks: fast to compute, and so for
 * taking over existing hashes only. Up to 8,192 iterations it answers at once, without a promise.
 *
 * @param name one of {@link digestNames}, in any case
 * @param iterations fewer than one count as one
 * @returns `undefined` for another digest, or more than {@link mostIterations}
 */
export function iteratedDigest(name: string, iterations: number): IteratedDigest | undefined {
  const digest = digests[name.toUpperCase()];
  if (!digest || iterations > mostIterations) return undefined;
  return (salt, password) => {
    const first = new Uint8Array(salt.length + password.length);
    first.set(salt);
    first.set(password, salt.length);
    const rest = Math.max(1, iterations) - 1;
    const hash = digest(first);
    return rest <= slice ? repeat(digest, hash, rest) : repeatInSlices(digest, hash, rest);
  };
}

function repeat(digest: Digest, from: Uint8Array, times: number): Uint8Array {
  let hash = from;
  for (let done = 0; done < times; done++) hash = digest(hash);
  return hash;
}

async function repeatInSlices(digest: Digest, from: Uint8Array, times: number): Promise<Uint8Array> {
  let hash = from;
  for (let left = times; left > 0; left -= slice) {
    hash = repeat(digest, hash, Math.min(slice, left));
    await nextTick();
  }
  return hash;
}
