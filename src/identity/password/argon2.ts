/** What an Argon2id computation costs. Two computations give the same bytes only when all three are the same. */
export interface Argon2Cost {
  /** Memory in KiB (`m` of a PHC string). */
  readonly memory: number;
  /** Passes over the memory (`t`). */
  readonly passes: number;
  /** Lanes (`p`). */
  readonly lanes: number;
}

/** What new hashes cost: 19 MiB, two passes, one lane (the OWASP minimum for Argon2id). */
export const argon2Cost: Argon2Cost = { memory: 19_456, passes: 2, lanes: 1 };

/** Bytes of salt in a new hash. */
export const saltLength = 16;
/** Bytes of hash in a new hash. */
export const hashLength = 32;

/**
 * The port to an Argon2id (RFC 9106, version 0x13) implementation. Every implementation gives the same bytes, so
 * stored hashes move freely between runtimes.
 */
export interface Argon2Engine {
  /** Name for the log and for `doctor`. */
  readonly name: string;
  /** How many computations may run at one time: threads where it has some, else one. */
  readonly concurrent: number;
  derive(password: Uint8Array, salt: Uint8Array, cost: Argon2Cost, length: number): Promise<Uint8Array>;
}
