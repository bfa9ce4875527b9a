import { defineCredentialsMatcher } from "../../src/plugin/mod.ts";
import { hashedMatcher, hashedProperties } from "./hashed-password.ts";

/** Compares the unsalted SHA-512 digest of a password with a stored one. */
export default defineCredentialsMatcher({
  names: ["Sha512CredentialsMatcher", "org.apache.shiro.authc.credential.Sha512CredentialsMatcher"],
  description: "Compares unsalted SHA-512 digests",
  properties: hashedProperties,
  create: (properties) => hashedMatcher({ algorithm: "SHA-512", ...properties }),
});
