import { defineRealm } from "../src/plugin/mod.ts";

/**
 * The users of the service's database: names or aliases with passwords, access keys, and tokens of this service.
 * `security.ini` must keep one object of it among its realms.
 */
export default defineRealm({
  names: ["DefaultServiceRealm", "com.service.security.auth.DefaultServiceRealm"],
  description: "The users of the service's database",
  essential: true,
  create: (_, { identity }) => ({
    accepts: ["password", "token"],
    reuseSeconds: 60,
    authenticate: (credentials, request) => identity.authenticate(credentials, request),
  }),
});
