import { argon2idAsync } from "@noble/hashes/argon2.js";
import type { Argon2Engine } from "./argon2.ts";

/** Milliseconds of computing after which other work gets its turn. */
const sliceMs = 5;

/**
 * Argon2id in plain JavaScript, for runtimes that cannot load native code: about 140 ms for the default cost, in
 * slices of 5 ms. One at a time, because a second one would only halve the speed of the first and double the memory.
 */
export const nobleArgon2: Argon2Engine = {
  name: "javascript",
  concurrent: 1,
  derive: (password, salt, cost, length) =>
    argon2idAsync(password, salt, {
      m: cost.memory,
      t: cost.passes,
      p: cost.lanes,
      dkLen: length,
      asyncTick: sliceMs,
    }),
};
