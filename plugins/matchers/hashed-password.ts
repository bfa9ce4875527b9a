import {
  type CredentialsMatcher,
  equalBytes,
  fromBase64,
  fromHex,
  type PropertyDeclaration,
} from "../../src/plugin/mod.ts";
import { digestNames, iteratedDigest, mostIterations } from "./hashes/iterated-digest.ts";

/** The properties that all matchers of unsalted digests share. */
export const hashedProperties = {
  hashIterations: {
    type: "integer",
    default: 1,
    description: "How often the digest is applied; fewer than one counts as one",
  },
  storedCredentialsHexEncoded: {
    type: "boolean",
    default: true,
    description: "Whether stored hashes are hexadecimal; `false` is Base64",
  },
} as const satisfies Readonly<Record<string, PropertyDeclaration>>;

interface HashedOptions {
  readonly algorithm: string;
  readonly hashIterations: number;
  readonly storedCredentialsHexEncoded: boolean;
}

const utf8 = new TextEncoder();
const noSalt = new Uint8Array(0);

/**
 * Makes a matcher for unsalted digests.
 *
 * @throws Error for a digest that is not known, or too many iterations
 */
export function hashedMatcher(options: HashedOptions): CredentialsMatcher {
  const { algorithm, hashIterations, storedCredentialsHexEncoded } = options;
  const digest = iteratedDigest(algorithm, hashIterations);
  if (!digest) {
    throw new Error(
      hashIterations > mostIterations
        ? `hashIterations is ${hashIterations}, the most is ${mostIterations}`
        : `The digest "${algorithm}" is not offered, only ${digestNames.join(", ")}`,
    );
  }
  const read = storedCredentialsHexEncoded ? fromHex : fromBase64;
  return {
    matches(submitted, stored) {
      const expected = read(stored);
      const computed = digest(noSalt, utf8.encode(submitted));
      const equal = (hash: Uint8Array) => expected !== undefined && equalBytes(hash, expected);
      return computed instanceof Uint8Array ? equal(computed) : computed.then(equal);
    },
  };
}
