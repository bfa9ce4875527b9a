import { defineCredentialsMatcher } from "../../src/plugin/mod.ts";
import { matchesShiroHash } from "./hashes/shiro-hash.ts";

/** Compares passwords with salted hash strings: `$shiro1$…` (SHA-2), `$shiro2$argon2id$…` and `$shiro2$2y$…` (bcrypt). */
export default defineCredentialsMatcher({
  names: ["PasswordMatcher", "org.apache.shiro.authc.credential.PasswordMatcher"],
  description: "Compares salted hash strings of the forms $shiro1$ and $shiro2$",
  create: (_, { identity }) => ({
    matches: (submitted, stored) => matchesShiroHash(identity, submitted, stored),
  }),
});
