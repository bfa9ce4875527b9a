import { defineFilter } from "../src/plugin/mod.ts";
import { isPermission } from "./parts/permission-text.ts";

/** What a method does to a resource; other methods stand for themselves. */
const actions: Readonly<Record<string, string>> = {
  DELETE: "delete",
  GET: "read",
  HEAD: "read",
  OPTIONS: "read",
  TRACE: "read",
  POST: "create",
  MKCOL: "create",
  PUT: "update",
};

/**
 * `rest[doc]`: the caller must hold the permission `doc:read`, `doc:create`, `doc:update` or `doc:delete`, whichever
 * the method stands for; 401 without a caller, 403 when it is missing.
 */
export default defineFilter({
  names: ["rest", "org.apache.shiro.web.filter.authz.HttpMethodPermissionFilter"],
  description: "Requires the permission in the brackets for the action that the method stands for",
  predefined: "rest",
  create: () => ({
    checkWords(words) {
      if (words.length === 0) return ["No permission is named, so everyone would pass; write rest[domain]"];
      return words.filter((word) => !isPermission(word)).map((word) => `"${word}" is not a permission`);
    },
    handle(exchange) {
      const subject = exchange.subject;
      if (!subject) return exchange.refuse(401);
      const action = actions[exchange.method.toUpperCase()] ?? exchange.method;
      for (const word of exchange.words) {
        const permission = `${word}:${action}`;
        if (!subject.isPermitted(permission)) {
          return exchange.refuse(403, { message: `The permission ${permission} is missing` });
        }
      }
      return "next";
    },
  }),
});
