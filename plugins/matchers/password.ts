import { nobleArgon2 } from "../../src/identity/password/noble-argon2.ts";
import { createPasswordHasher } from "../../src/identity/password/password-hasher.ts";
import { matchesShiroHash } from "../../src/identity/password/shiro-hash.ts";
import { defineCredentialsMatcher } from "../../src/plugin/mod.ts";

/** Compares passwords with salted hash strings: `$shiro1$…` (SHA-2), `$shiro2$argon2id$…` and `$shiro2$2y$…` (bcrypt). */
export default defineCredentialsMatcher({
  names: ["PasswordMatcher", "org.apache.shiro.authc.credential.PasswordMatcher"],
  description: "Compares salted hash strings of the forms $shiro1$ and $shiro2$",
  create() {
    const hasher = createPasswordHasher({ engine: nobleArgon2 });
    return { matches: (submitted, stored) => matchesShiroHash(hasher, submitted, stored) };
  },
});
