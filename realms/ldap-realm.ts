import { defineRealm } from "../src/plugin/mod.ts";
import { ldapProperties } from "./ldap/properties.ts";

/**
 * The users of an LDAP directory: a login is a bind with the user's own password. Node and Deno only; what it needs is
 * loaded when `security.ini` names it.
 *
 * ```ini
 * ldapRealm = com.service.security.auth.LdapRealm
 * ldapRealm.url = ldaps://ldap1.example.org, ldaps://ldap2.example.org
 * ldapRealm.bindDN = cn=kinora,ou=services,dc=example,dc=org
 * ldapRealm.bindPassword = ${file:/run/secrets/ldap}
 * ldapRealm.userDN = ou=people,dc=example,dc=org
 * ldapRealm.usernameAttribute = uid
 * ldapRealm.groupDN = ou=groups,dc=example,dc=org
 * securityManager.realms = $serviceRealm, $ldapRealm
 * ```
 */
export default defineRealm({
  names: [
    "LdapRealm",
    "ldapRealm",
    "com.service.security.auth.LdapRealm",
    "org.apache.shiro.realm.ldap.DefaultLdapRealm",
    "org.apache.shiro.realm.ldap.JndiLdapRealm",
  ],
  description: "The users of an LDAP directory",
  properties: ldapProperties,
  async create(properties, context) {
    if (context.runtime !== "node" && context.runtime !== "deno") {
      throw new Error("LDAP needs TCP connections, which there are on Node and Deno only; take the object out");
    }
    const { createLdapRealm } = await import("#ldap");
    return createLdapRealm(properties, context);
  },
});
