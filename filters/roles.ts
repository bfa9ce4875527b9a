import { defineFilter } from "../src/plugin/mod.ts";

/** `roles[a, b]`: the caller must hold all of the roles; 401 without a caller, 403 when one is missing. */
export default defineFilter({
  names: ["roles", "org.apache.shiro.web.filter.authz.RolesAuthorizationFilter"],
  description: "Requires every role in the brackets",
  predefined: "roles",
  create: () => ({
    checkWords(words) {
      if (words.length === 0) return ["No role is named, so everyone would pass; write roles[name]"];
      return words.includes("") ? ["A role name is empty"] : [];
    },
    handle(exchange) {
      const subject = exchange.subject;
      if (!subject) return exchange.refuse(401);
      for (const role of exchange.words) {
        if (!subject.hasRole(role)) return exchange.refuse(403, { message: `The role ${role} is missing` });
      }
      return "next";
    },
  }),
});
