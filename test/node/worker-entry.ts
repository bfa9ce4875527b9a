import staticUsers from "../../examples/custom-realm/static-users.ts";
import { createWorker } from "../../src/runtime/worker.ts";

/** The Worker of the tests: the built-in configuration with a realm of one's own. */
export default createWorker({
  plugins: [staticUsers],
  securityIni: `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
staticRealm = StaticUserRealm
staticRealm.users = alice:\${env:ALICE_PASSWORD}
securityManager.realms = $serviceRealm, $staticRealm
[urls]
/livez = anon
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`,
});
