import { defineFilter } from "../src/plugin/mod.ts";

/** `deny`: refuses every request with 403. */
export default defineFilter({
  names: ["deny", "com.service.security.auth.DenyFilter"],
  description: "Refuses every request",
  predefined: "deny",
  create: () => ({ handle: (exchange) => exchange.refuse(403, { message: "This path is closed by security.ini" }) }),
});
