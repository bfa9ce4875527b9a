import fc from "fast-check";
import { Attribute, Change } from "ldapts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import ldapRealm from "../../realms/ldap-realm.ts";
import { assertRealm } from "../../src/plugin/testing/mod.ts";
import { hasSlapd, type Slapd, startSlapd } from "../peers/slapd.ts";
import { openRealm, outcome, runtime, searching, ways, withGroups } from "./ldap-client.ts";
import { entries, groups, oddNames, people } from "./ldap-entries.ts";
import { openWay } from "./ldap-way.ts";

describe.skipIf(!hasSlapd)("a login by a real directory", () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd(entries);
  });
  afterAll(() => slapd?.stop());

  describe.each(Object.keys(ways({ url: "" })))("of users %s", (way) => {
    const open = (more = {}) => openRealm({ ...ways(slapd)[way], ...more });
    /** Without a technical user a template does not tell an unknown user from a wrong password. */
    const unknown = way === "named by a template" ? "rejected" : "not mine";

    test("lets in with the right password alone", async () => {
      const realm = await open();
      expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
      expect(await outcome(realm.login("alice", "builder"))).toBe("rejected");
      expect(await outcome(realm.login("alice", "wonder "))).toBe("rejected");
      expect(await outcome(realm.login("locked", "wonder"))).toBe("rejected");
      expect(await outcome(realm.login("nobody", "wonder"))).toBe(unknown);
      expect(realm.log("error")).toEqual([]);
    });

    test("gives the name as the directory has it, however it was typed", async () => {
      const realm = await open();
      for (const typed of ["Bob", "bob", "BOB"]) {
        expect(await outcome(realm.login(typed, "builder"))).toBe("hello Bob");
      }
      const lower = await open({ usernameFormat: "lower" });
      expect(await outcome(lower.login("BOB", "builder"))).toBe("hello bob");
    });

    test("gives always the same of several names", async () => {
      const realm = await open();
      expect(await outcome(realm.login("zoe", "several"))).toBe("hello anna");
    });

    test.each(oddNames)("takes %j for the name that it is", async (name) => {
      const realm = await open();
      expect(await outcome(realm.login(name, "odd"))).toBe(`hello ${name}`);
      expect(await outcome(realm.login(name, "wrong"))).toBe("rejected");
    });

    test("never lets in a name that is excepted", async () => {
      expect(await outcome((await open()).login("admin", "directory"))).toBe("not mine");
      expect(await outcome((await open()).login("ADMIN", "directory"))).toBe("not mine");
      expect(await outcome((await open({ exceptUsers: "bob" })).login("admin", "directory"))).toBe("hello admin");
      expect(await outcome((await open({ exceptUsers: "BOB" })).login("Bob", "builder"))).toBe("not mine");
      expect(await outcome((await open({ exceptUsers: "anna" })).login("zoe", "several"))).toBe("not mine");
    });

    test("finds groups, roles and attributes", async () => {
      const realm = await open({
        ...withGroups,
        attributes: "mail, TELEPHONENUMBER, pager, jpegPhoto",
        groupRoles: `Editors:"_item_read, _item_write", "CN=desk, ${groups}":_import, others:_administrator`,
      });
      const account = await realm.account("alice", "wonder");
      expect(account?.roles).toEqual(expect.arrayContaining(["_user", "_item_read", "_item_write", "_import"]));
      expect(account?.roles).toHaveLength(4);
      expect({ ...account?.attributes, groups: [...(account?.attributes?.groups ?? [])].sort() }).toEqual({
        dn: expect.stringMatching(/,ou=people,dc=example,dc=org$/),
        realName: "alice Example",
        mail: ["alice@example.org"],
        TELEPHONENUMBER: ["1", "2"],
        pager: [],
        // Only text is given.
        jpegPhoto: [],
        groups: ["desk", "editors"],
      });
      const other = await realm.account("zoe", "several");
      expect(other).toMatchObject({ roles: ["_user", "_administrator"], attributes: { mail: [], groups: ["others"] } });
    });
  });

  test("asks for nothing when the name or the password can be no good one", async () => {
    const way = await openWay(slapd.port);
    onTestFinished(() => way.close());
    const realm = await openRealm(searching(way.url));
    for (const password of ["", "wonder\0", "\0", "\ud800", "x".repeat(1025)]) {
      expect(await realm.login("alice", password)).toBe("rejected");
    }
    for (const name of ["", " ", " alice", "alice ", "alice\0", "\0", "a\nb", "\ud800", "x".repeat(256), "admin"]) {
      expect(await realm.login(name, "wonder")).toBe("not mine");
    }
    expect(way.made).toBe(0);
    expect(await outcome(realm.login("alice", "x".repeat(1024)))).toBe("rejected");
    expect(await outcome(realm.login("x".repeat(255), "wonder"))).toBe("not mine");
    expect(way.made).toBeGreaterThan(0);
  });

  test("takes nobody when two entries have the name, and says so", async () => {
    const realm = await openRealm(searching(slapd.url));
    expect(await outcome(realm.login("twin", "one"))).toBe("not mine");
    expect(realm.log("warn")).toEqual([expect.stringMatching(/^More than one entry/)]);
  });

  test.each([
    "*",
    "a*",
    "*)(uid=*",
    "alice)(objectClass=*",
    "alice)(|(uid=*",
    "\\61lice",
    `alice,${people}`,
    "alice+cn=alice Example",
    "admin,dc=example",
    "alice\\,ou=people",
    "nobody)(|(objectClass=*)",
    "{0}",
    "{1}",
    "__proto__",
  ])("takes %j for a name and no more", async (name) => {
    for (const properties of Object.values(ways(slapd))) {
      const realm = await openRealm(properties);
      for (const password of ["wonder", "odd", "directory", "*"]) {
        expect(await outcome(realm.login(name, password))).toMatch(/^(not mine|rejected)$/);
      }
      expect(realm.log("error")).toEqual([]);
    }
  });

  test("of any text as name and password lets nobody in, and leaves the directory able to answer", async () => {
    const realms = await Promise.all(Object.values(ways(slapd)).map(openRealm));
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'alice*()\\,=+<>;#"& |!\0') }),
      fc.string({ unit: "binary", maxLength: 300 }),
    );
    await fc.assert(
      fc.asyncProperty(text, text, async (name, password) => {
        for (const realm of realms) {
          expect(await outcome(realm.login(name, password))).toMatch(/^(not mine|rejected)$/);
        }
      }),
      { numRuns: 150 },
    );
    for (const realm of realms) expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
  });

  test("takes any name that a filter with a place for it finds", async () => {
    const realm = await openRealm({ ...searching(slapd.url), userSearchFilter: "(|(uid={0})(mail={0}))" });
    expect(await outcome(realm.login("alice@example.org", "wonder"))).toBe("hello alice");
    expect(await outcome(realm.login("*@example.org", "wonder"))).toBe("not mine");
  });

  test("takes only entries that the filters allow", async () => {
    const realm = await openRealm({
      ...searching(slapd.url),
      ...withGroups,
      userSearchFilter: "mail=*",
      groupSearchFilter: "objectClass=posixGroup",
    });
    expect(await outcome(realm.login("Bob", "builder"))).toBe("not mine");
    expect((await realm.account("alice", "wonder"))?.attributes?.groups).toEqual(["desk"]);
  });

  test("does not follow referrals", async () => {
    const realm = await openRealm({ ...searching(slapd.url), userDN: "ou=elsewhere,dc=example,dc=org" });
    expect(await realm.login("alice", "wonder")).toBe("unavailable");
    expect(realm.log("error")).toEqual([expect.stringMatching(/referrals are not followed/)]);
  });

  test.each([
    ["a wrong bindPassword", { bindPassword: "wrong" }, /refuses bindDN with bindPassword/],
    ["a userDN that is not there", { userDN: "ou=nowhere,dc=example,dc=org" }, /result 32/],
    ["a groupDN that is not there", { groupDN: "ou=nowhere,dc=example,dc=org" }, /result 32/],
    [
      "an attribute that users do not have",
      { usernameAttribute: "mail", userSearchFilter: "(uid={0})" },
      /cannot read mail/,
    ],
  ])("cannot tell with %s, and says why", async (_, wrong, reason) => {
    const realm = await openRealm({ ...searching(slapd.url), ...wrong });
    expect(await realm.login("Bob", "builder")).toBe("unavailable");
    expect(realm.log("error")).toEqual([expect.stringMatching(reason)]);
  });

  test("learns of a changed password and of changed groups", async () => {
    const realm = await openRealm({ ...searching(slapd.url), ...withGroups });
    const dn = `uid=fay,${people}`;
    await slapd.asRoot(async (root) => {
      await root.add(dn, { objectClass: "inetOrgPerson", uid: "fay", cn: "Fay", sn: "Fay", userPassword: "first" });
    });
    expect((await realm.account("fay", "first"))?.attributes).toMatchObject({ realName: "Fay", groups: [] });
    await slapd.asRoot(async (root) => {
      const replaced = (type: string, value: string, operation: "add" | "replace" = "replace") =>
        new Change({ operation, modification: new Attribute({ type, values: [value] }) });
      await root.modify(dn, replaced("userPassword", "second"));
      await root.modify(`cn=editors,${groups}`, replaced("member", dn, "add"));
    });
    expect(await realm.login("fay", "first")).toBe("rejected");
    expect((await realm.account("fay", "second"))?.attributes?.groups).toEqual(["editors"]);
  });

  test("keeps what every realm keeps", async () => {
    for (const properties of Object.values(ways(slapd))) {
      await assertRealm(ldapRealm, {
        properties: { ...properties, ...withGroups },
        good: { kind: "password", userName: "alice", password: "wonder" },
        wrong: { kind: "password", userName: "Bob", password: "wrong password" },
        context: { runtime },
      });
    }
    await assertRealm(ldapRealm, {
      properties: searching(slapd.url),
      good: { kind: "password", userName: "alice", password: "wonder" },
      unknown: { kind: "password", userName: "nobody", password: "no password" },
      context: { runtime },
    });
  });

  test("by two hundred at once needs few connections, and keeps callers apart", async () => {
    const way = await openWay(slapd.port);
    onTestFinished(() => way.close());
    const realm = await openRealm({
      ...searching(way.url),
      ...withGroups,
      poolSize: "3",
      operationTimeoutSeconds: "30",
    });
    const callers = Array.from({ length: 200 }, (_, at) => {
      const [name, password, expected] = [
        ["alice", "wonder", "hello alice"],
        ["Bob", "builder", "hello Bob"],
        ["alice", "builder", "rejected"],
        ["nobody", "wonder", "not mine"],
      ][at % 4] as [string, string, string];
      return { name, password, expected };
    });
    const outcomes = await Promise.all(callers.map(({ name, password }) => outcome(realm.login(name, password))));
    expect(outcomes).toEqual(callers.map(({ expected }) => expected));
    expect(way.most).toBeLessThanOrEqual(6);
    expect(way.made).toBeLessThanOrEqual(6);
  });

  test("says that it works", async () => {
    for (const properties of Object.values(ways(slapd))) {
      expect(await (await openRealm(properties)).health()).toBe(true);
    }
    expect(await (await openRealm({ ...searching(slapd.url), bindPassword: "wrong" })).health()).toBe(false);
  });
});
