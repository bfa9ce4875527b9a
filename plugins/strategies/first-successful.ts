import { defineAuthenticationStrategy } from "../../src/plugin/mod.ts";
import { askAll } from "./ask-all.ts";

/**
 * Accepts when at least one realm accepts; only the account of the first one counts. The realms behind it are still
 * asked unless `stopAfterFirstSuccess` is set.
 */
export default defineAuthenticationStrategy({
  names: ["FirstSuccessfulStrategy", "org.apache.shiro.authc.pam.FirstSuccessfulStrategy"],
  description: "Accepts when at least one realm accepts; only the first account counts",
  properties: {
    stopAfterFirstSuccess: {
      type: "boolean",
      default: false,
      description: "Does not ask the realms behind the first that accepts",
    },
  },
  create: ({ stopAfterFirstSuccess }) => ({
    decide: (attempts) => askAll(attempts, { keepFirst: true, stopAtFirst: stopAfterFirstSuccess }),
  }),
});
