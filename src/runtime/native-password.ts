import type { Argon2Engine } from "../identity/password/argon2.ts";
import { nobleArgon2 } from "../identity/password/noble-argon2.ts";

/** The engine that this machine can run. */
export interface LoadedArgon2 {
  readonly engine: Argon2Engine;
  /** Why native code could not be loaded; absent when it was. One sentence for the log. */
  readonly fallback?: string;
}

/** Native computations at one time: half of libuv's default of four threads, the rest stays free for files and DNS. */
const nativeConcurrent = 2;

/**
 * Loads the native Argon2id (about 5 ms a hash, off the event loop), or the portable one where native code cannot be
 * loaded: an unsupported platform, or Deno without `--allow-ffi`.
 */
export async function loadArgon2(): Promise<LoadedArgon2> {
  try {
    const { hashRaw } = await import("@node-rs/argon2");
    const engine: Argon2Engine = {
      name: "native",
      concurrent: nativeConcurrent,
      // Algorithm and version are the module's defaults: Argon2id, 0x13.
      derive: (password, salt, cost, outputLen) =>
        hashRaw(password, {
          salt,
          memoryCost: cost.memory,
          timeCost: cost.passes,
          parallelism: cost.lanes,
          outputLen,
        }),
    };
    return { engine };
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    return {
      engine: nobleArgon2,
      fallback: `Native password hashing cannot be loaded, the slower portable one is used: ${reason}`,
    };
  }
}
