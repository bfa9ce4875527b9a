import { expect, test } from "vitest";
import { bundleWorker } from "../runtimes/workerd/bundle.ts";

test("a bundle for Workers has the realm's name, and nothing of what it needs sockets for", async () => {
  const script = await bundleWorker("src/runtime/worker.ts");
  expect(script).toContain("org.apache.shiro.realm.ldap.DefaultLdapRealm");
  expect(script).toContain("LDAP needs TCP connections");
  for (const part of ["InvalidCredentialsError", "BerReader", "node:tls", "node:net", "sAMAccountName="]) {
    expect(script).not.toContain(part);
  }
});
