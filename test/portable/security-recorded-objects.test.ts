import { expect, test } from "vitest";
import { defineFilter } from "../../src/plugin/mod.ts";
import { createRegistry } from "../../src/plugin/registry.ts";
import { createTestContext } from "../../src/plugin/testing/context.ts";
import { readAccounts } from "../../src/security/accounts.ts";
import { readIni } from "../../src/security/ini.ts";
import { readIniText } from "../../src/security/ini-text.ts";
import { makeInstances } from "../../src/security/instances.ts";
import { readMain } from "../../src/security/main-section.ts";
import { startGraph } from "../../src/security/object-graph.ts";
import { takeParts, wantedObjects } from "../../src/security/parts.ts";
import { takeSections } from "../../src/security/sections.ts";
import { createSuggest } from "../../src/security/suggest.ts";
import { expectAsRecorded } from "../conformance/as-recorded.ts";
import { type OracleNotes, oraclePlugins } from "../conformance/oracle.ts";
import authz from "../conformance/shiro-authz.jsonl?raw";
import main from "../conformance/shiro-main.jsonl?raw";
import matcher from "../conformance/shiro-matcher.jsonl?raw";
import { vectors } from "../conformance/vectors.ts";
import { hashIdentity } from "./hash-identity.ts";
import { optionalPlugins, securityScene } from "./security-scene.ts";

/** Reads everything but `[urls]`, which the recorded cases leave out. */
async function readObjects(text: string) {
  const notes: OracleNotes = { events: [], beans: new Map() };
  const registry = createRegistry([...optionalPlugins, ...oraclePlugins(notes)]);
  const { lines, problems } = readIniText(text, "security.ini");
  const suggest = createSuggest();
  const { main, users, roles } = takeSections(readIni(lines, problems), problems, suggest);
  const lookUps = { variable: () => undefined };
  const graph = startGraph({ registry, lookUps, problems, suggest }, users.length + roles.length > 0);
  const accounts = readAccounts(users, roles, problems);
  await readMain(main, graph);
  const { realms } = takeParts(graph);
  const context = (name: string) => createTestContext({ name, identity: hashIdentity });
  const options = { context, accounts, redact: (shown: string) => shown, timeoutMs: 10_000 };
  await makeInstances(wantedObjects(graph, [], realms), graph, options);
  return { failed: problems.hasErrors(), beans: notes.beans, realms: realms.map(({ name }) => name) };
}

/** A property as the recorded cases write it; `undefined` for one that has its first value. */
function written(name: string, value: unknown): unknown {
  if (value === undefined || value === false || value === 0) return undefined;
  if (value instanceof Uint8Array)
    return `${name}:${[...value].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const plain = value instanceof Map || value instanceof Set ? [...value] : value;
  if (Array.isArray(plain)) return plain.length === 0 ? undefined : plain;
  return typeof plain === "object" ? "an object" : plain;
}

type Properties = Readonly<Record<string, unknown>>;

/** The set properties of each bean; the order of the setter calls is not observable here. */
function shownBeans(beans: Iterable<readonly [string, Properties]>): Readonly<Record<string, Properties>> {
  return Object.fromEntries(
    [...beans].map(([bean, properties]) => [
      bean,
      Object.fromEntries(
        Object.entries(properties).flatMap(([name, value]) => {
          const shown = written(name, value);
          return name === "order" || shown === undefined ? [] : [[name, shown]];
        }),
      ),
    ]),
  );
}

interface RecordedObjects {
  readonly beans?: Readonly<Record<string, Properties | string>>;
  readonly realms?: readonly (readonly [string, string])[];
  readonly error?: true;
}

/** The recorded beans in our terms: arrays of numbers are lists of texts, any other object is just there. */
function recordedBeans(beans: RecordedObjects["beans"] = {}): readonly (readonly [string, Properties])[] {
  return Object.entries(beans).flatMap(([bean, properties]) => {
    if (typeof properties === "string") return [];
    const translated = Object.entries(properties).map(([name, value]) => {
      if (name === "ints" && Array.isArray(value)) return [name, value.map(String)];
      return [name, name === "any" ? {} : value];
    });
    return [[bean, Object.fromEntries(translated)]];
  });
}

test.each(vectors<{ text: string }, RecordedObjects>(main).map((one) => [one.id, one] as const))(
  "builds the objects of %s",
  async (id, { in: { text }, out }) => {
    const { failed, beans, realms } = await readObjects(text.replaceAll("oracle.GraphBean$Initd", "oracle.Initd"));
    expectAsRecorded(
      id,
      failed ? "error" : { beans: shownBeans(beans), realms },
      out.error ? "error" : { beans: shownBeans(recordedBeans(out.beans)), realms: out.realms?.map(([name]) => name) },
    );
  },
);

/** Puts the name and password of two headers to the realms, whatever characters they have. */
const loginFilter = defineFilter({
  names: ["Login"],
  create: () => ({
    async handle(exchange) {
      const [userName = "", password = ""] = [exchange.header("x-user"), exchange.header("x-password")];
      const { outcome } = await exchange.authenticate({ kind: "password", userName, password });
      return outcome === "accepted" ? "next" : exchange.refuse(401);
    },
  }),
});

async function loginScene(ini: string) {
  const notes: OracleNotes = { events: [], beans: new Map() };
  const plugins = [...optionalPlugins, ...oraclePlugins(notes), { ...loginFilter, predefined: "login" }];
  const scene = await securityScene(`${ini}\n[urls]\n/** = login\n`, { plugins });
  const login = (user: string, password: string) =>
    scene.send("/x", {
      headers: [
        ["x-user", user],
        ["x-password", password],
      ],
    });
  return { loads: scene.loaded.pipeline !== undefined, login, notes };
}

interface AuthzCase {
  readonly ini: string;
  readonly user: string;
  readonly password: string;
}
type AuthzAnswers = readonly (readonly ["role" | "perm", string, boolean | string])[];

test.each(vectors<AuthzCase, { results: AuthzAnswers }>(authz).map((one) => [one.id, one] as const))(
  "gives the roles and permissions of %s",
  async (id, { in: { ini, user, password }, out }) => {
    const { login } = await loginScene(ini);
    const { subject } = await login(user, password);
    expect(subject?.userName).toBe(user);
    const answers = out.results.map(([kind, name]) => [
      kind,
      name,
      (kind === "role" ? subject?.hasRole(name) : subject?.isPermitted(name)) ?? false,
    ]);
    // Where the reference throws, nothing is granted.
    expectAsRecorded(
      id,
      answers,
      out.results.map(([kind, name, granted]) => [kind, name, granted === true]),
    );
  },
);

interface MatcherCase {
  readonly ini: string;
  readonly user: string;
  readonly passwords: readonly string[];
}
interface MatcherAnswers {
  readonly results?: readonly (readonly [password: string, result: string, user: string | null])[];
  readonly events?: readonly string[];
  readonly error?: true;
}

test.each(vectors<MatcherCase, MatcherAnswers>(matcher).map((one) => [one.id, one] as const))(
  "logs in and refuses as %s",
  async (id, { in: { ini, user, passwords }, out }) => {
    const { loads, login, notes } = await loginScene(ini);
    const results: unknown[] = [];
    for (const password of loads ? passwords : []) {
      const { status, subject } = await login(user, password);
      results.push([password, subject?.userName ?? status]);
    }
    const recorded = out.results?.map(([password, result]) => [password, result === "ok" ? user : 401]);
    const events = (out.events ?? []).map((event) => event.replace(/^(\w*:failure:.*):\w+$/, "$1"));
    expectAsRecorded(
      id,
      loads ? { results, events: notes.events } : "error",
      out.error ? "error" : { results: recorded, events },
    );
  },
);
