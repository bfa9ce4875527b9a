import { defineCredentialsMatcher } from "../../src/plugin/mod.ts";
import { hashedMatcher, hashedProperties } from "./hashed-password.ts";

/** Compares the unsalted SHA-384 digest of a password with a stored one. */
export default defineCredentialsMatcher({
  names: ["Sha384CredentialsMatcher", "org.apache.shiro.authc.credential.Sha384CredentialsMatcher"],
  description: "Compares unsalted SHA-384 digests",
  properties: hashedProperties,
  create: (properties) => hashedMatcher({ algorithm: "SHA-384", ...properties }),
});
