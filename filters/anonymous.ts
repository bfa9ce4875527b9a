import { defineFilter } from "../src/plugin/mod.ts";

/** `anon`: lets every caller pass; filters behind it in the chain still count. */
export default defineFilter({
  names: ["anon", "org.apache.shiro.web.filter.authc.AnonymousFilter"],
  description: "Lets every caller pass, with or without credentials",
  predefined: "anon",
  create: () => ({ handle: () => "next" }),
});
