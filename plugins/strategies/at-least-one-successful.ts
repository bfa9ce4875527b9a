import { defineAuthenticationStrategy } from "../../src/plugin/mod.ts";
import { askAll } from "./ask-all.ts";

/**
 * Accepts when at least one realm accepts; every realm is asked and all accounts count. What the service does when
 * `securityManager.authenticator.authenticationStrategy` is not set.
 */
export default defineAuthenticationStrategy({
  names: ["AtLeastOneSuccessfulStrategy", "org.apache.shiro.authc.pam.AtLeastOneSuccessfulStrategy"],
  description: "Asks every realm and accepts when at least one accepts",
  create: () => ({ decide: (attempts) => askAll(attempts, { keepFirst: false, stopAtFirst: false }) }),
});
