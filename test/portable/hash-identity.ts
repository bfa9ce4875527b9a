import { nobleArgon2 } from "../../src/identity/password/noble-argon2.ts";
import { createPasswordHasher } from "../../src/identity/password/password-hasher.ts";
import type { IdentityAccess } from "../../src/plugin/mod.ts";

const hasher = createPasswordHasher({ engine: nobleArgon2 });

/** The part of the service's users that checks hashes, as the service does it. */
export const hashIdentity: Pick<IdentityAccess, "verifyHash"> = {
  verifyHash: async (password, stored) => (await hasher.verify(password, stored)) === "match",
};
