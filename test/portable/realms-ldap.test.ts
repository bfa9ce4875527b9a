import { expect, test } from "vitest";
import { startService } from "./harness.ts";

const ini = [
  "[main]",
  "serviceRealm = com.service.security.auth.DefaultServiceRealm",
  "ldapRealm = com.service.security.auth.LdapRealm",
  "ldapRealm.url = ldaps://directory.example",
  "ldapRealm.userDnTemplate = uid={0},ou=people,dc=example,dc=org",
  "securityManager.realms = $serviceRealm, $ldapRealm",
  "[urls]",
  "/** = tokenAuth[permissive], authcBasic",
].join("\n");

const hasSockets = globalThis.navigator?.userAgent !== "Cloudflare-Workers";

test("a service with an LDAP realm starts without its directory; a Worker does not, and says why and where", async () => {
  const started = startService({ ini });
  if (!hasSockets) {
    await expect(started).rejects.toThrow(/LDAP needs TCP connections, which there are on Node and Deno only/);
    await expect(started).rejects.toThrow(/:3:/);
    return;
  }
  const kinora = await started;
  try {
    expect((await kinora.admin("/API/whoami")).status).toBe(200);
  } finally {
    await kinora.close();
  }
});
