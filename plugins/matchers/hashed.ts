import { defineCredentialsMatcher } from "../../src/plugin/mod.ts";
import { hashedMatcher, hashedProperties } from "./hashed-password.ts";

/** Compares the unsalted digest of a password with a stored one. */
export default defineCredentialsMatcher({
  names: ["HashedCredentialsMatcher", "org.apache.shiro.authc.credential.HashedCredentialsMatcher"],
  description: "Compares unsalted digests of the SHA-2 family",
  properties: {
    hashAlgorithmName: { type: "string", required: true, description: "SHA-224, SHA-256, SHA-384 or SHA-512" },
    ...hashedProperties,
  },
  create: ({ hashAlgorithmName, ...rest }) => hashedMatcher({ algorithm: hashAlgorithmName, ...rest }),
});
