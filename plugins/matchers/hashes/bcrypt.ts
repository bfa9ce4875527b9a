import { nextTick } from "@noble/hashes/utils.js";
import { equalBytes } from "../../../src/plugin/mod.ts";
import { type BlowfishState, encipher, startState } from "./blowfish.ts";

/** Highest cost that is computed; one more doubles the time, and this one takes about two seconds in JavaScript. */
export const highestBcryptCost = 14;

/** Bytes of a password that count, the closing zero included. */
const countedBytes = 72;
/** Rounds after which other work gets its turn: about 5 ms. */
const slice = 32;
const alphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const pattern = /^\$2[aby]\$([0-9]{2})\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/;

/**
 * Checks a password against a bcrypt hash (N. Provos and D. Mazières, 1999), for taking over existing hashes; new ones
 * are Argon2id.
 *
 * @param stored `$2a$`, `$2b$` or `$2y$` with a cost of 4 to {@link highestBcryptCost}; anything else never matches
 */
export async function matchesBcrypt(password: Uint8Array, stored: string): Promise<boolean> {
  const match = pattern.exec(stored);
  const cost = Number(match?.[1]);
  if (!match?.[2] || !match[3] || cost < 4 || cost > highestBcryptCost) return false;
  const expected = decode(match[3], 23);
  const computed = await hash(password, decode(match[2], 16), cost);
  return equalBytes(computed, expected);
}

async function hash(password: Uint8Array, salt: Uint8Array, cost: number): Promise<Uint8Array> {
  const key = wordsOf(Uint8Array.of(...password.subarray(0, countedBytes), 0).subarray(0, countedBytes), 18);
  const saltWords = wordsOf(salt, 4);
  const saltAsKey = wordsOf(salt, 18);
  const noSalt = new Int32Array(4);
  const state = startState();
  expandKey(state, saltWords, key);
  const rounds = 2 ** cost;
  for (let round = 0; round < rounds; round++) {
    expandKey(state, noSalt, key);
    expandKey(state, noSalt, saltAsKey);
    if (round % slice === slice - 1) await nextTick();
  }
  const text = wordsOf(new TextEncoder().encode("OrpheanBeholderScryDoubt"), 6);
  for (let at = 0; at < text.length; at += 2) {
    for (let time = 0; time < 64; time++) encipher(state, text, at);
  }
  // The last byte of the result has never been part of the hash.
  return Uint8Array.from({ length: 23 }, (_, at) => ((text[at >> 2] ?? 0) >>> (24 - (at & 3) * 8)) & 0xff);
}

/** Mixes a key, and a salt, into the state. */
function expandKey(state: BlowfishState, salt: Int32Array, key: Int32Array): void {
  const { subkeys, boxes } = state;
  for (let at = 0; at < subkeys.length; at++) subkeys[at] = (subkeys[at] as number) ^ (key[at] as number);
  const block = new Int32Array(2);
  let saltAt = 0;
  for (const table of [subkeys, boxes]) {
    for (let at = 0; at < table.length; at += 2) {
      block[0] = (block[0] as number) ^ (salt[saltAt] as number);
      block[1] = (block[1] as number) ^ (salt[saltAt + 1] as number);
      saltAt ^= 2;
      encipher(state, block, 0);
      table[at] = block[0] as number;
      table[at + 1] = block[1] as number;
    }
  }
}

/** Reads bytes again and again as big-endian words. */
function wordsOf(bytes: Uint8Array, count: number): Int32Array {
  const byte = (at: number) => bytes[at % bytes.length] ?? 0;
  return Int32Array.from(
    { length: count },
    (_, at) => (byte(at * 4) << 24) | (byte(at * 4 + 1) << 16) | (byte(at * 4 + 2) << 8) | byte(at * 4 + 3),
  );
}

/** Reads the Base64 of bcrypt, which has an alphabet of its own. */
function decode(text: string, length: number): Uint8Array {
  const digit = (at: number) => Math.max(0, alphabet.indexOf(text.charAt(at)));
  return Uint8Array.from({ length }, (_, at) => {
    const first = Math.floor((at * 8) / 6);
    const pair = (digit(first) << 6) | digit(first + 1);
    return (pair >> (4 - ((at * 8) % 6))) & 0xff;
  });
}
