import { defineFilter } from "../src/plugin/mod.ts";
import { isPermission } from "./parts/permission-text.ts";

/** `perms[a:read, b]`: the caller must hold all of the permissions; 401 without a caller, 403 when one is missing. */
export default defineFilter({
  names: ["perms", "org.apache.shiro.web.filter.authz.PermissionsAuthorizationFilter"],
  description: "Requires every permission in the brackets",
  predefined: "perms",
  create: () => ({
    checkWords(words) {
      if (words.length === 0) return ["No permission is named, so everyone would pass; write perms[domain:action]"];
      return words.filter((word) => !isPermission(word)).map((word) => `"${word}" is not a permission`);
    },
    handle(exchange) {
      const subject = exchange.subject;
      if (!subject) return exchange.refuse(401);
      for (const permission of exchange.words) {
        if (!subject.isPermitted(permission)) {
          return exchange.refuse(403, { message: `The permission ${permission} is missing` });
        }
      }
      return "next";
    },
  }),
});
