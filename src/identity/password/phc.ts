import { fromBase64, toBase64 } from "../../plugin/binary-text.ts";
import type { Argon2Cost } from "./argon2.ts";

/** A stored Argon2id hash, taken apart. */
export interface Argon2Hash {
  readonly cost: Argon2Cost;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

/**
 * Bounds within which a stored hash is computed at all. A hash that asks for more was not made by us, and computing
 * it would be an attack on the server's memory and time.
 */
export const argon2Bounds = { memory: 262_144, passes: 16, lanes: 16, saltBytes: 64, hashBytes: 128 } as const;

const phcPattern = /^\$argon2id\$v=19\$([a-z0-9=,]{1,64})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{6,171})$/;
const costPattern = /^([mtp])=([1-9][0-9]{0,9})$/;

/**
 * Reads `$argon2id$v=19$m=…,t=…,p=…$salt$hash` (Base64 without padding); the three costs in any order, as other
 * writers of such strings order them differently.
 *
 * @returns `undefined` for any other text and for costs out of {@link argon2Bounds}
 */
export function readPhc(stored: string): Argon2Hash | undefined {
  const match = phcPattern.exec(stored);
  if (!match) return undefined;
  const [, costText = "", saltText = "", hashText = ""] = match;
  const cost = readCost(costText);
  const salt = fromBase64(saltText);
  const hash = fromBase64(hashText);
  if (!cost || !salt || !hash) return undefined;
  if (salt.length < 8 || salt.length > argon2Bounds.saltBytes) return undefined;
  if (hash.length < 4 || hash.length > argon2Bounds.hashBytes) return undefined;
  return { cost, salt, hash };
}

/** Writes the PHC string of a hash. */
export function writePhc({ cost, salt, hash }: Argon2Hash): string {
  const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.lanes}`;
  return `$argon2id$v=19$${parameters}$${toBase64(salt)}$${toBase64(hash)}`;
}

function readCost(text: string): Argon2Cost | undefined {
  const values = new Map<string, number>();
  for (const part of text.split(",")) {
    const match = costPattern.exec(part);
    if (!match?.[1] || values.has(match[1])) return undefined;
    values.set(match[1], Number(match[2]));
  }
  const memory = values.get("m");
  const passes = values.get("t");
  const lanes = values.get("p");
  if (memory === undefined || passes === undefined || lanes === undefined) return undefined;
  const computable =
    memory >= 8 * lanes &&
    memory <= argon2Bounds.memory &&
    passes <= argon2Bounds.passes &&
    lanes <= argon2Bounds.lanes;
  return computable ? { memory, passes, lanes } : undefined;
}
