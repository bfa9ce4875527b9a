import { defineFilter } from "../src/plugin/mod.ts";

/** `noAccess`: refuses every request with 403. The reference's name for what `deny` does. */
export default defineFilter({
  names: ["noAccess", "org.apache.shiro.web.filter.authz.NoAccessFilter"],
  description: "Refuses every request",
  predefined: "noAccess",
  create: () => ({ handle: (exchange) => exchange.refuse(403, { message: "This path is closed by security.ini" }) }),
});
