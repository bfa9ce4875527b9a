import { onTestFinished } from "vitest";
import ldapRealm from "../../realms/ldap-realm.ts";
import type { Account, RealmAnswer } from "../../src/mod.ts";
import { createRealm, createTestContext, createTestExchange, type TestContext } from "../../src/plugin/testing/mod.ts";
import type { Slapd } from "../peers/slapd.ts";
import { groups, people, technicalPassword, technicalUser } from "./ldap-entries.ts";

export const runtime = "Deno" in globalThis ? "deno" : "node";

/** Properties as `security.ini` has them. */
export type LdapTexts = Readonly<Record<string, string>>;

/** Users are searched for by a technical user, over connections that are not encrypted. */
export function searching(url: string): LdapTexts {
  return {
    url,
    useStartTLS: "false",
    userDN: people,
    usernameAttribute: "uid",
    bindDN: technicalUser,
    bindPassword: technicalPassword,
  };
}

/** Users bind by a template and read their own entries. */
export function binding(url: string): LdapTexts {
  return { url, useStartTLS: "false", userDnTemplate: `uid={0},${people}` };
}

/** The look-up of groups. */
export const withGroups: LdapTexts = { groupDN: groups };

/** A realm of one test, with its clock. */
export interface TestRealm {
  login(userName: string, password: string): Promise<RealmAnswer>;
  /** The account of a login, or nothing when there is none. */
  account(userName: string, password: string): Promise<Account | undefined>;
  health(): Promise<boolean | undefined>;
  /** Messages of the log with their reasons, oldest first. */
  log(level?: string): readonly string[];
  advance(milliseconds: number): void;
}

/** Makes a realm as `security.ini` would; it is stopped at the end of the test. */
export async function openRealm(properties: LdapTexts): Promise<TestRealm> {
  let now = Date.UTC(2026, 0, 1);
  const context: TestContext = createTestContext({ runtime, now: () => now });
  const realm = await createRealm(ldapRealm, properties, context);
  await realm.start?.();
  onTestFinished(() => realm.stop?.());
  const login = async (userName: string, password: string) =>
    realm.authenticate({ kind: "password", userName, password }, createTestExchange());
  return {
    login,
    async account(userName, password) {
      const answer = await login(userName, password);
      return typeof answer === "string" ? undefined : answer;
    },
    health: async () => (await realm.health?.())?.ok,
    log: (level) =>
      context.records
        .filter((record) => level === undefined || record.level === level)
        .map(({ message, properties: { reason = "" } }) => `${message}: ${reason}`),
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** The name that was logged in, or the realm's answer. */
export async function outcome(answer: Promise<RealmAnswer>): Promise<string> {
  const settled = await answer;
  return typeof settled === "string" ? settled : `hello ${settled.userName}`;
}

/** Every way to configure how users are found. */
export function ways({ url }: Pick<Slapd, "url">): Readonly<Record<string, LdapTexts>> {
  const { bindDN = "", bindPassword = "", ...anonymous } = searching(url);
  return {
    "searched for by a technical user": searching(url),
    "searched for anonymously": anonymous,
    "named by a template": binding(url),
    "named by a template, read by a technical user": { ...binding(url), bindDN, bindPassword },
  };
}
