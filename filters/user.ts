import { defineFilter } from "../src/plugin/mod.ts";

/** `user`: passes callers whom an earlier filter of the chain has authenticated, 401 for others. */
export default defineFilter({
  names: ["user", "org.apache.shiro.web.filter.authc.UserFilter"],
  description: "Requires that an earlier filter has authenticated the caller",
  predefined: "user",
  create: () => ({
    handle: (exchange) => (exchange.subject ? "next" : exchange.refuse(401)),
  }),
});
