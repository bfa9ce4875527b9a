import { Attribute, Change } from "ldapts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasSlapd, type Slapd, startSlapd } from "../peers/slapd.ts";
import { startService } from "../portable/harness.ts";
import { type LdapTexts, searching, withGroups } from "./ldap-client.ts";
import { entries, groups, people } from "./ldap-entries.ts";
import { openWay } from "./ldap-way.ts";

/** What maps the directory's entries to users. */
const creation = [
  "claims = ClaimsUserInfoProvider",
  "claims.realName = realName",
  "claims.groups = groups",
  "claims.metadata = email:mail",
  "creation = com.service.security.auth.UserCreationListener",
  "creation.infoProvider = $claims",
  "securityManager.authenticator.authenticationListeners = $creation",
];

function ini(properties: LdapTexts, more: readonly string[]): string {
  return [
    "[main]",
    "serviceRealm = com.service.security.auth.DefaultServiceRealm",
    "tokenAuth = com.service.security.auth.TokenAuthenticationFilter",
    "ldapRealm = com.service.security.auth.LdapRealm",
    ...Object.entries({ reuseSeconds: "0", ...properties }).map(([name, text]) => `ldapRealm.${name} = ${text}`),
    "securityManager.realms = $serviceRealm, $ldapRealm",
    ...more,
    "[urls]",
    "/** = noSessionCreation, tokenAuth[permissive], authcBasic",
  ].join("\n");
}

describe.skipIf(!hasSlapd)("a service with a directory beside its own users", () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd(entries);
  });
  afterAll(() => slapd?.stop());

  async function serve(more: readonly string[] = creation, properties: LdapTexts = {}) {
    const text = ini({ ...searching(slapd.url), ...withGroups, attributes: "mail", ...properties }, more);
    const kinora = await startService({ ini: text });
    onTestFinished(() => kinora.close());
    return {
      ...kinora,
      login: async (user: string, password: string) => (await kinora.as(user, password)("/API/whoami")).status,
      async user(name: string) {
        const answer = await kinora.admin(`/API/user/${name}`, { headers: { accept: "application/json" } });
        return answer.status === 200 ? answer.json() : answer.status;
      },
      put: async (path: string) => expect((await kinora.admin(path, { method: "PUT" })).status).toBe(200),
    };
  }

  /** Makes an entry that a test changes. */
  async function addPerson(uid: string, ...groupNames: readonly string[]): Promise<void> {
    await slapd.asRoot(async (root) => {
      const dn = `uid=${uid},${people}`;
      await root.add(dn, {
        objectClass: "inetOrgPerson",
        uid,
        cn: `${uid} L`,
        sn: "L",
        userPassword: "pass",
        mail: "m@x",
      });
      for (const group of groupNames) await changeGroup(root, group, "add", dn);
    });
  }
  type Root = Parameters<Parameters<Slapd["asRoot"]>[0]>[0];
  const changeGroup = (root: Root, group: string, operation: "add" | "delete", dn: string) =>
    root.modify(
      `cn=${group},${groups}`,
      new Change({ operation, modification: new Attribute({ type: "member", values: [dn] }) }),
    );

  test("lets in users of both, and rejects what both reject [spec: several-realms] [spec: rejected-by-all]", async () => {
    const { admin, login, as } = await serve([]);
    expect((await admin("/API/whoami")).status).toBe(200);
    expect(await login("alice", "wonder")).toBe(200);
    expect(await (await as("ALICE", "wonder")("/API/whoami")).text()).toBe("alice");
    for (const [user, password] of [
      ["alice", "wrong"],
      ["nobody", "wonder"],
      ["admin", "directory"],
      ["alice", ""],
      ["*", "wonder"],
    ] as const) {
      const refused = await as(user, password)("/API/whoami");
      expect([user, refused.status, refused.headers.get("www-authenticate")]).toEqual([
        user,
        401,
        expect.stringMatching(/^Basic /),
      ]);
    }
  });

  test("makes a user with name, metadata and the groups that exist [spec: user-creation] [spec: user-info-provider]", async () => {
    const { login, user, put } = await serve();
    await put("/API/group/editors");
    expect(await user("alice")).toBe(404);
    expect(await login("alice", "wrong")).toBe(401);
    expect(await user("alice")).toBe(404);
    expect(await login("Alice", "wonder")).toBe(200);
    expect(await user("alice")).toMatchObject({
      userName: "alice",
      realName: "alice Example",
      disabled: false,
      groupList: { group: [{ groupName: "editors" }] },
      metadata: { field: [{ key: "email", value: "alice@example.org" }] },
    });
    expect(await user("Alice")).toBe(404);
    expect(await user("Bob")).toBe(404);
  });

  test("joins and leaves groups as the directory says, and leaves others alone [spec: user-creation]", async () => {
    const { login, user, put } = await serve();
    await addPerson("gina", "editors");
    for (const group of ["editors", "others", "own"]) await put(`/API/group/${group}`);
    expect(await login("gina", "pass")).toBe(200);
    await put("/API/group/own/user/gina");
    await slapd.asRoot(async (root) => {
      await changeGroup(root, "editors", "delete", `uid=gina,${people}`);
      await changeGroup(root, "others", "add", `uid=gina,${people}`);
    });
    expect(await login("gina", "pass")).toBe(200);
    expect(await user("gina")).toMatchObject({ groupList: { group: [{ groupName: "others" }, { groupName: "own" }] } });
  });

  test("gives roles by group for the requests of the login", async () => {
    const { as } = await serve([], { groupRoles: "editors:_user_read" });
    expect((await as("alice", "wonder")("/API/user")).status).toBe(200);
    expect((await as("zoe", "several")("/API/user")).status).toBe(403);
  });

  test.each([false, true])("enables a disabled user at login: %s [spec: enable-user-on-login]", async (enable) => {
    const { admin, login, user } = await serve([...creation, `creation.enableUserOnLogin = ${enable}`]);
    expect(await login("alice", "wonder")).toBe(200);
    expect((await admin("/API/user/alice", { method: "DELETE" })).status).toBe(200);
    // Another spelling is no way around it.
    expect(await login("ALICE", "wonder")).toBe(enable ? 200 : 401);
    expect(await login("alice", "wonder")).toBe(enable ? 200 : 401);
    expect(await user("alice")).toMatchObject({ disabled: !enable });
  });

  test("answers 503 while the directory cannot tell, except to those whom it knows itself", async () => {
    const way = await openWay(slapd.port);
    onTestFinished(() => way.close());
    const { admin, as, login, advance } = await serve(creation, { url: way.url, operationTimeoutSeconds: "0.3" });
    expect(await login("alice", "wonder")).toBe(200);
    way.mode = "stall";
    const answer = await as("alice", "wonder")("/API/whoami");
    expect([answer.status, answer.headers.has("retry-after")]).toEqual([503, true]);
    expect((await admin("/API/whoami")).status).toBe(200);
    way.mode = "pass";
    advance(1_000);
    expect(await login("alice", "wonder")).toBe(200);
  });

  test("asks the directory once a minute when it may remember", async () => {
    const way = await openWay(slapd.port);
    onTestFinished(() => way.close());
    const { login, advance } = await serve([], { url: way.url, reuseSeconds: "60" });
    expect(await login("alice", "wonder")).toBe(200);
    way.mode = "sever";
    expect(await login("alice", "wonder")).toBe(200);
    advance(59_999);
    expect(await login("alice", "wonder")).toBe(200);
    advance(1);
    expect(await login("alice", "wonder")).toBe(503);
  });

  test("makes one user out of many first logins at once", async () => {
    const { login, user, put } = await serve();
    await addPerson("hugo", "editors");
    await put("/API/group/editors");
    const statuses = await Promise.all(Array.from({ length: 20 }, () => login("hugo", "pass")));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await user("hugo")).toMatchObject({ groupList: { group: [{ groupName: "editors" }] } });
  });
});
