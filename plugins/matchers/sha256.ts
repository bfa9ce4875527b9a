import { defineCredentialsMatcher } from "../../src/plugin/mod.ts";
import { hashedMatcher, hashedProperties } from "./hashed-password.ts";

/** Compares the unsalted SHA-256 digest of a password with a stored one. */
export default defineCredentialsMatcher({
  names: ["Sha256CredentialsMatcher", "org.apache.shiro.authc.credential.Sha256CredentialsMatcher"],
  description: "Compares unsalted SHA-256 digests",
  properties: hashedProperties,
  create: (properties) => hashedMatcher({ algorithm: "SHA-256", ...properties }),
});
