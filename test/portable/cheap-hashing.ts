import { nobleArgon2 } from "../../src/identity/password/noble-argon2.ts";
import { createPasswordHasher, type PasswordHasher } from "../../src/identity/password/password-hasher.ts";
import type { Platform } from "../../src/platform.ts";
import { platform } from "./platform.ts";

/** Costs that a test can pay many times. */
export const cheap = { memory: 64, passes: 1, lanes: 1 };

/** The service's hashing of passwords, for tests that are about something else. */
export function cheapHasher(): PasswordHasher {
  return createPasswordHasher({ engine: nobleArgon2, cost: cheap });
}

/** The runtime's platform but for what passwords cost. */
export const cheapPlatform: Platform = { ...platform, passwordHasher: async () => cheapHasher() };
