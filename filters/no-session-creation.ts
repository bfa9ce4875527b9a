import { defineFilter } from "../src/plugin/mod.ts";

/** `noSessionCreation`: accepted so that chains can be taken over as they are; this service never has sessions. */
export default defineFilter({
  names: ["noSessionCreation", "org.apache.shiro.web.filter.session.NoSessionCreationFilter"],
  description: "Does nothing: this service never has sessions",
  predefined: "noSessionCreation",
  create: () => ({ handle: () => "next" }),
});
