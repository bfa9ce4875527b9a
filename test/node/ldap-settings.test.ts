import { readFile } from "node:fs/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { escapeFilterValue, fillTemplate } from "../../realms/ldap/escape.ts";
import { ldapProperties } from "../../realms/ldap/properties.ts";
import { readSettings } from "../../realms/ldap/settings.ts";
import ldapRealm from "../../realms/ldap-realm.ts";
import type { PropertyDeclaration } from "../../src/plugin/mod.ts";
import { createRealm, createTestContext } from "../../src/plugin/testing/mod.ts";
import { startService } from "../portable/harness.ts";
import { type LdapTexts, runtime } from "./ldap-client.ts";

const good = { url: "ldap://directory.example", userDnTemplate: "uid={0},ou=people" };
const searched = { url: "ldap://directory.example", userDN: "ou=people" };

const create = (properties: LdapTexts, where: "node" | "deno" | "workerd" | "other" = runtime) =>
  createRealm(ldapRealm, properties, createTestContext({ runtime: where }));

describe("a realm is not made of", () => {
  test.each<[string, LdapTexts, string]>([
    ["no address", { userDN: "ou=people" }, "Property url must be set"],
    ["an address of something else", { ...good, url: "http://directory.example" }, "url takes addresses like"],
    ["an address without a host", { ...good, url: "ldap://" }, "url takes addresses like"],
    ["a host without a scheme", { ...good, url: "directory.example" }, "url takes addresses like"],
    ["a wrong address among others", { ...good, url: "ldap://a, b" }, "url takes addresses like"],
    ["an address with a base", { ...good, url: "ldap://directory.example/ou=people" }, "scheme, host and port alone"],
    [
      "an address with a password",
      { ...good, url: "ldap://a:secret@directory.example" },
      "scheme, host and port alone",
    ],
    ["no place of users", { url: good.url }, "Set one of userDnTemplate"],
    ["two places of users", { ...good, userDN: "ou=people" }, "Set one of userDnTemplate"],
    ["a template without a place", { ...good, userDnTemplate: "uid=alice,ou=people" }, "userDnTemplate must be a"],
    ["a template that is the name alone", { ...good, userDnTemplate: "{0}" }, "userDnTemplate must be a"],
    ["a template of another form", { ...good, userDnTemplate: "{0}@example.org" }, "userDnTemplate must be a"],
    ["a template with a name as attribute", { ...good, userDnTemplate: "{0}=x,ou=people" }, "userDnTemplate must be a"],
    ["bindDN without a password", { ...searched, bindDN: "cn=kinora" }, "Set bindDN and bindPassword together"],
    ["an empty bindPassword", { ...searched, bindDN: "cn=kinora", bindPassword: "" }, "Set bindDN and bindPassword"],
    ["a password without bindDN", { ...searched, bindPassword: "secret" }, "Set bindDN and bindPassword together"],
    ["a mechanism as bindDN", { ...searched, bindDN: "EXTERNAL", bindPassword: "x" }, "bindDN must be a"],
    ["a filter for groups without groups", { ...good, groupSearchFilter: "(cn=*)" }, "groupSearchFilter needs groupDN"],
    ["roles by group without groups", { ...good, groupRoles: "a:_user" }, "groupRoles needs groupDN"],
    ["a user filter that is none", { ...searched, userSearchFilter: "((" }, "userSearchFilter is no search filter"],
    ["an open user filter", { ...searched, userSearchFilter: "(a=b" }, "userSearchFilter is no search filter"],
    ["a group filter that is none", { ...good, groupDN: "ou=x", groupSearchFilter: "(=)" }, "groupSearchFilter is no"],
    ["an authority for nothing", { ...good, caFile: "x", verifyCertificate: "false" }, "caFile has no use"],
    ["an odd attribute", { ...good, attributes: "mail, a b" }, "a b cannot be the name of an attribute"],
    ["an odd name attribute", { ...good, usernameAttribute: "uid)(x" }, "uid)(x cannot be the name of an attribute"],
    ["an attribute of its own", { ...good, attributes: "groups" }, "attributes cannot have groups"],
    ["too long a reuse", { ...good, reuseSeconds: "61" }, "reuseSeconds must be from 0 to 60"],
    ["no connections", { ...good, poolSize: "0" }, "poolSize must be from 1 to 100"],
    ["too many connections", { ...good, poolSize: "101" }, "poolSize must be from 1 to 100"],
    ["no time to connect", { ...good, connectTimeoutSeconds: "0" }, "connectTimeoutSeconds must be from 0.01 to 60"],
    ["too much time", { ...good, operationTimeoutSeconds: "60.5" }, "operationTimeoutSeconds must be from 0.01 to 60"],
    ["another format of names", { ...good, usernameFormat: "upper" }, "must be one of lower"],
    ["a property that there is not", { ...good, cacheLifetime: "1" }, "There is no property cacheLifetime"],
  ])("%s", async (_, properties, sentence) => {
    await expect(create(properties)).rejects.toThrow(sentence);
  });

  test("several wrong properties, and all are told", async () => {
    const wrong = create({ ...good, url: "x", poolSize: "0", reuseSeconds: "-1" });
    await expect(wrong).rejects.toThrow(/url takes.*; reuseSeconds must.*; poolSize must/);
  });

  test.each(["workerd", "other"] as const)("anything on %s, where there are no sockets", async (where) => {
    await expect(create(good, where)).rejects.toThrow("LDAP needs TCP connections");
  });
});

describe("a realm", () => {
  test.each<[string, LdapTexts]>([
    ["least", good],
    ["a search", searched],
    ["an IPv6 address", { ...good, url: "ldaps://[::1]:10636" }],
    ["the edges", { ...good, reuseSeconds: "60", poolSize: "100", connectTimeoutSeconds: "0.01" }],
    ["names of Shiro", { userDnTemplate: good.userDnTemplate, "contextFactory.url": good.url }],
  ])("is made of %s", async (_, properties) => {
    expect((await create(properties)).accepts).toBe("password");
  });

  test("remembers answers for a minute unless told otherwise", async () => {
    expect((await create(good)).reuseSeconds).toBe(60);
    expect((await create({ ...good, reuseSeconds: "0" })).reuseSeconds).toBe(0);
  });

  test("does not connect before the first login", async () => {
    const realm = await create({ ...good, url: "ldap://127.0.0.1:1" });
    await realm.start?.();
    await realm.stop?.();
  });

  test.each<[string, LdapTexts, readonly string[]]>([
    ["encrypted", {}, []],
    ["not encrypted", { useStartTLS: "false" }, ["Passwords are sent to a directory server without encryption"]],
    ["not verified", { verifyCertificate: "false" }, ["The certificate of a directory server is not checked"]],
    ["not encrypted on this machine", { url: "ldap://127.0.0.1", useStartTLS: "false" }, []],
  ])("says at its start what is unsafe: %s", async (_, properties, messages) => {
    const context = createTestContext({ runtime });
    const realm = await createRealm(ldapRealm, { ...good, ...properties }, context);
    await realm.start?.();
    expect(context.records.map(({ message }) => message)).toEqual(messages);
  });
});

describe("settings", () => {
  const whole = {
    ...{ url: ["ldap://a", "ldap://b:10389", "ldaps://c"], useStartTLS: true, verifyCertificate: true },
    ...{ userSearchFilter: "(objectClass=*)", realNameAttribute: "cn", groupnameAttribute: "cn", attributes: [] },
    ...{ groupRoles: new Map(), roles: ["_user"], exceptUsers: ["Admin"], reuseSeconds: 60 },
    ...{ poolSize: 5, connectTimeoutSeconds: 3, operationTimeoutSeconds: 5, groupDN: "ou=groups" },
    ...{ caFile: undefined, usernameFormat: undefined, bindDN: undefined, bindPassword: undefined },
    ...{ userDnTemplate: undefined, usernameAttribute: undefined, groupSearchFilter: undefined },
    userDN: "ou=people",
  };
  const filterOf = (more: object) => {
    const { users } = readSettings({ ...whole, ...more } as never);
    return "filter" in users ? fillTemplate(users.filter, ["al*"], escapeFilterValue) : undefined;
  };
  const groupFilterOf = (groupSearchFilter?: string) => {
    const { groups } = readSettings({ ...whole, groupSearchFilter } as never);
    return fillTemplate(groups?.filter ?? "", ["uid=al(,ou=people", "al"], escapeFilterValue);
  };

  test("have the ports and encryption of their schemes", () => {
    expect(readSettings(whole).servers.map(({ host, port, encryption }) => [host, port, encryption])).toEqual([
      ["a", 389, "StartTLS"],
      ["b", 10389, "StartTLS"],
      ["c", 636, "TLS"],
    ]);
  });

  test.each([
    ["nothing", {}, "(&(objectClass=*)(sAMAccountName=al\\2a))"],
    ["an attribute", { usernameAttribute: "uid" }, "(&(objectClass=*)(uid=al\\2a))"],
    ["a filter", { userSearchFilter: "objectClass=person" }, "(&(objectClass=person)(sAMAccountName=al\\2a))"],
    ["a filter with a place", { userSearchFilter: "(|(uid={0})(mail={0}))" }, "(|(uid=al\\2a)(mail=al\\2a))"],
  ])("search for users with %s", (_, more, filter) => {
    expect(filterOf(more)).toBe(filter);
  });

  test.each([
    [undefined, "(|(member=uid=al\\28,ou=people)(uniqueMember=uid=al\\28,ou=people)(memberUid=al))"],
    ["(cn=a*)", "(&(cn=a*)(|(member=uid=al\\28,ou=people)(uniqueMember=uid=al\\28,ou=people)(memberUid=al)))"],
    ["(member:1.2.840.113556.1.4.1941:={0})", "(member:1.2.840.113556.1.4.1941:=uid=al\\28,ou=people)"],
    ["memberUid={1}", "memberUid=al"],
  ])("search for groups with %s", (filter, filled) => {
    expect(groupFilterOf(filter)).toBe(filled);
  });

  test.each([
    ["uid={0},ou=people", "uid"],
    ["CN={0}+ou=x,ou=people", "CN"],
    ["cn=user {0},ou=people", "cn"],
    ["ou=x, uid = {0}", "uid"],
  ])("take the attribute of the name from the template %s", (userDnTemplate, attribute) => {
    expect(readSettings({ ...whole, userDN: undefined, userDnTemplate }).usernameAttribute).toBe(attribute);
  });
});

/** Starts a service with lines of `[main]`. */
async function startWith(lines: readonly string[]): Promise<void> {
  const ini = ["[main]", ...lines, "[urls]", "/** = tokenAuth[permissive], authcBasic"];
  await (await startService({ ini: ini.join("\n") })).close();
}

describe("the page for operators", async () => {
  const page = await readFile(new URL("../../docs/ldap.md", import.meta.url), "utf8");
  const blocks = [...page.matchAll(/```ini\n([\s\S]*?)```/g)].map(([, block = ""]) => block);

  test("shows how it is done", () => {
    expect(blocks.length).toBeGreaterThan(3);
  });

  test.each(blocks)("has lines with which a service starts: example %#", async (block) => {
    vi.stubEnv("KINORA_LDAP_PASSWORD", "secret of the directory");
    onTestFinished(() => void vi.unstubAllEnvs());
    await startWith(block.split("\n").filter((line) => !line.startsWith("ldapRealm.caFile")));
  });

  test("names the defaults and bounds as they are", () => {
    const shown = [...page.matchAll(/`(\w+)`\s\((?:default `)?(\w+)/g)].filter(
      ([, name = ""]) => name in ldapProperties,
    );
    expect(shown.length).toBeGreaterThan(4);
    for (const [, name = "", value] of shown) {
      const declared: PropertyDeclaration = ldapProperties[name as keyof typeof ldapProperties];
      expect([name, value]).toEqual([name, String(declared.default)]);
    }
  });
});

describe("security.ini names the realm", () => {
  const start = (lines: readonly string[]) =>
    startWith([
      "serviceRealm = com.service.security.auth.DefaultServiceRealm",
      ...lines,
      "securityManager.realms = $serviceRealm, $directory",
    ]);

  test.each([
    "LdapRealm",
    "ldapRealm",
    "com.service.security.auth.LdapRealm",
    "com.vidispine.security.auth.LdapRealm",
    "org.apache.shiro.realm.ldap.DefaultLdapRealm",
    "org.apache.shiro.realm.ldap.JndiLdapRealm",
  ])("%s, with the properties that Shiro's has", async (name) => {
    await start([
      `directory = ${name}`,
      "directory.userDnTemplate = uid={0},ou=people,dc=example,dc=org",
      "directory.contextFactory.url = ldap://127.0.0.1:1",
      "directory.contextFactory.systemUsername = cn=kinora,dc=example,dc=org",
      "directory.contextFactory.systemPassword = secret of the directory",
    ]);
  });

  test("and a wrong property stops the start with its line, and without the password", async () => {
    const started = start([
      "directory = LdapRealm",
      "directory.url = ldap://127.0.0.1",
      "directory.bindPassword = secret of the directory",
      "directory.userDN = ou=people,dc=example,dc=org",
    ]);
    await expect(started).rejects.toThrow(/Set bindDN and bindPassword together/);
    await expect(started).rejects.toThrow(/:3:/);
    await expect(started).rejects.not.toThrow(/secret of the directory/);
  });
});
