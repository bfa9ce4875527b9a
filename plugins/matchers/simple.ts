import { defineCredentialsMatcher } from "../../src/plugin/mod.ts";

/** Compares passwords as they stand. */
export default defineCredentialsMatcher({
  names: ["SimpleCredentialsMatcher", "org.apache.shiro.authc.credential.SimpleCredentialsMatcher"],
  description: "Compares passwords as they stand",
  create: (_, { constantTimeEqual }) => ({ matches: (submitted, stored) => constantTimeEqual(submitted, stored) }),
});
