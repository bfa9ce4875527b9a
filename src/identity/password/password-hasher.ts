import { KinoraError } from "../../errors.ts";
import { equalBytes } from "../../plugin/binary-text.ts";
import { type Argon2Cost, type Argon2Engine, argon2Cost, hashLength, saltLength } from "./argon2.ts";
import { type Argon2Hash, readPhc, writePhc } from "./phc.ts";
import { createTurnstile } from "./turnstile.ts";

/** Makes and checks password hashes. Passwords count as the UTF-8 bytes that were given: nothing is normalised. */
export interface PasswordHasher {
  /** Name of the implementation, for the log and for `doctor`. */
  readonly engine: string;
  /**
   * Makes the PHC string to store, with a random salt of 16 bytes.
   *
   * @throws KinoraError `invalid-value` for a password of more than 1,024 bytes, `unavailable` when too many wait
   */
  hash(password: string): Promise<string>;
  /**
   * Compares a password with a stored PHC string. `undefined` (an unknown user), a text that is not a hash of ours and
   * a password over the limit are mismatches that take as long as a wrong password.
   *
   * @throws KinoraError `unavailable` when too many wait
   */
  verify(password: string, stored: string | undefined): Promise<"match" | "mismatch">;
  /** Whether a matching password should be hashed again because the stored hash has other costs than new ones. */
  needsRehash(stored: string): boolean;
}

export interface PasswordHasherOptions {
  readonly engine: Argon2Engine;
  /** Costs of new hashes. Default: 19 MiB, 2 passes, 1 lane. */
  readonly cost?: Argon2Cost;
  /** Computations that run at one time. Default: what the engine says. */
  readonly concurrent?: number;
  /** Computations that may wait for their turn; further ones are refused. Default 256. */
  readonly waiting?: number;
  /** Cryptographically strong random bytes. Default: Web Crypto. */
  readonly randomBytes?: (length: number) => Uint8Array;
}

/** Bytes of the longest password. Longer ones are refused, so that hashing costs the same for all. */
export const longestPassword = 1024;

/** Seconds after which a caller that was refused for load may try again. */
const retryAfterSeconds = "2";

const utf8 = new TextEncoder();

/** Makes a hasher on an engine. */
export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const { engine, cost = argon2Cost, waiting = 256 } = options;
  const randomBytes = options.randomBytes ?? ((length) => crypto.getRandomValues(new Uint8Array(length)));
  const turnstile = createTurnstile(options.concurrent ?? engine.concurrent, waiting);
  const decoy: Argon2Hash = { cost, salt: new Uint8Array(saltLength), hash: new Uint8Array(hashLength) };

  async function derive(password: Uint8Array, like: Argon2Hash): Promise<Uint8Array> {
    const done = turnstile.run(() => engine.derive(password, like.salt, like.cost, like.hash.length));
    if (!done) {
      throw new KinoraError("unavailable", {
        explanation: "Too many passwords are being checked at the moment",
        headers: { "Retry-After": retryAfterSeconds },
      });
    }
    return done;
  }

  return {
    engine: engine.name,

    async hash(password) {
      const bytes = utf8.encode(password);
      if (bytes.length > longestPassword) {
        throw new KinoraError("invalid-value", {
          explanation: `A password has at most ${longestPassword} bytes in UTF-8, this one has ${bytes.length}`,
        });
      }
      const salt = randomBytes(saltLength);
      return writePhc({ cost, salt, hash: await derive(bytes, { cost, salt, hash: decoy.hash }) });
    },

    async verify(password, stored) {
      const bytes = utf8.encode(password);
      const known = stored === undefined ? undefined : readPhc(stored);
      const fits = bytes.length <= longestPassword;
      const computed = await derive(fits ? bytes : bytes.subarray(0, longestPassword), known ?? decoy);
      const equal = equalBytes(computed, (known ?? decoy).hash);
      return equal && fits && known !== undefined ? "match" : "mismatch";
    },

    needsRehash(stored) {
      const known = readPhc(stored);
      return (
        known === undefined ||
        known.cost.memory !== cost.memory ||
        known.cost.passes !== cost.passes ||
        known.cost.lanes !== cost.lanes ||
        known.salt.length !== saltLength ||
        known.hash.length !== hashLength
      );
    },
  };
}
