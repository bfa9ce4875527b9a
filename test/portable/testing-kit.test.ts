import { describe, expect, test } from "vitest";
import anonymous from "../../filters/anonymous.ts";
import basicAuth from "../../filters/basic-auth.ts";
import deny from "../../filters/deny.ts";
import genericBearer from "../../filters/generic-bearer.ts";
import invalidRequest from "../../filters/invalid-request.ts";
import ip from "../../filters/ip.ts";
import permissions from "../../filters/permissions.ts";
import roles from "../../filters/roles.ts";
import tokenAuth from "../../filters/token-auth.ts";
import user from "../../filters/user.ts";
import iniRealm from "../../realms/ini-realm.ts";
import {
  type Credentials,
  defineFilter,
  defineRealm,
  type FilterOutcome,
  type Plugin,
  type Realm,
  type RealmAnswer,
} from "../../src/plugin/mod.ts";
import type { StandardResult, StandardSchema } from "../../src/plugin/standard-schema.ts";
import {
  assertFilter,
  assertRealm,
  type Check,
  checkFilter,
  checkRealm,
  type FilterCheckOptions,
  type RealmCheckOptions,
} from "../../src/plugin/testing/mod.ts";

const good: Credentials = { kind: "password", userName: "alice", password: "wonder" };
const wrong: Credentials = { kind: "password", userName: "alice", password: "nope-nope" };
const unknown: Credentials = { kind: "password", userName: "nobody", password: "wonder" };
const asked: RealmCheckOptions = { good, wrong, unknown, timeoutMs: 100 };

const failed = (checks: readonly Check[]) => checks.filter((check) => !check.passed).map((check) => check.name);

/** The right answer of a realm that knows alice. */
function answerFor(credentials: Credentials): RealmAnswer {
  if (credentials.kind !== "password" || credentials.userName !== "alice") return "not mine";
  return credentials.password === "wonder" ? { userName: "alice" } : "rejected";
}
const realmOf = (realm: object) =>
  defineRealm({
    names: ["Tested"],
    create: () => ({ accepts: "password", authenticate: answerFor, ...realm }) as Realm,
  });
/** Schemas that refuse, pass over and take over what they do not know. */
const schemas: Readonly<Record<string, StandardSchema<unknown, unknown>>> = {
  strict: schemaOf((value) =>
    Object.keys(value).length === 0 ? { value } : { issues: [{ message: "unknown property" }] },
  ),
  ignoring: schemaOf(() => ({ value: {} })),
  loose: schemaOf((value) => ({ value: { ...value } })),
};
function schemaOf(validate: (value: object) => StandardResult<unknown>): StandardSchema<unknown, unknown> {
  return { "~standard": { version: 1, vendor: "test", validate: (value) => validate(value as object) } };
}
const realmWith = (properties: StandardSchema<unknown, unknown> | undefined) =>
  defineRealm({
    names: ["Tested"],
    ...(properties && { properties }),
    create: () => ({ accepts: "password", authenticate: answerFor }),
  });

describe("checkRealm", () => {
  test("passes a realm that does all right", async () => {
    const checks = await checkRealm(realmOf({}), asked);
    expect(failed(checks)).toEqual([]);
    expect(checks.length).toBeGreaterThan(10);
    await assertRealm(realmOf({}), asked);
  });

  test("passes the realm of security.ini", async () => {
    const accounts = { users: new Map([["alice", { password: "wonder", roles: ["r"] }]]), roles: new Map() };
    await assertRealm(iniRealm, { ...asked, context: { accounts } });
  });

  const leaking = defineRealm({
    names: ["Leaking"],
    create: (_, { log }) => ({
      accepts: "password",
      authenticate(credentials) {
        log.debug("asked", { nested: [new Map([["given", credentials]])] });
        return answerFor(credentials);
      },
    }),
  });
  let calls = 0;
  const cases: readonly (readonly [string, Plugin, readonly string[]])[] = [
    [
      "is a filter",
      defineFilter({ names: ["F"], create: () => ({ handle: () => "next" }) }) as Plugin,
      ["is a plugin of the kind realm", "create makes a realm in time"],
    ],
    [
      "is no plugin",
      { kind: "realm" } as unknown as Plugin,
      ["is a plugin of the kind realm", "create makes a realm in time"],
    ],
    [
      "throws in create",
      defineRealm({
        names: ["R"],
        create: () => {
          throw new Error("boom");
        },
      }),
      ["create makes a realm in time"],
    ],
    [
      "never finishes create",
      defineRealm({ names: ["R"], create: () => new Promise<never>(() => {}) }),
      ["create makes a realm in time"],
    ],
    [
      "makes something else",
      defineRealm({ names: ["R"], create: () => ({}) as Realm }),
      ["create makes a realm in time"],
    ],
    ["takes any property", realmWith(schemas.loose), ["refuses a property that it does not have"]],
    ["passes over properties", realmWith(schemas.ignoring), []],
    ["has a strict schema", realmWith(schemas.strict), []],
    ["never finishes start", realmOf({ start: () => new Promise(() => {}) }), ["start finishes in time"]],
    [
      "throws in stop",
      realmOf({
        stop: () => {
          throw new Error("boom");
        },
      }),
      ["stop finishes in time"],
    ],
    ["has no health in its health", realmOf({ health: () => ({}) }), ["health tells whether it can work"]],
    [
      "takes a wrong password",
      realmOf({
        authenticate: (given: Credentials) =>
          given.kind === "password" && given.userName === "alice" ? { userName: "alice" } : "not mine",
      }),
      [
        "rejects wrong credentials",
        "survives odd credentials and accepts none of them",
        "keeps callers apart that come at the same time",
      ],
    ],
    [
      "rejects whom it does not know",
      realmOf({
        authenticate: (given: Credentials) => {
          const answer = answerFor(given);
          return answer === "not mine" ? "rejected" : answer;
        },
      }),
      ["says not mine of a caller it does not know"],
    ],
    [
      "throws on names of Object.prototype",
      realmOf({
        authenticate: (given: Credentials) => {
          if (given.kind === "password" && given.userName in {}) throw new Error("boom");
          return answerFor(given);
        },
      }),
      ["survives odd credentials and accepts none of them"],
    ],
    [
      "accepts an empty password",
      realmOf({
        authenticate: (given: Credentials) =>
          given.kind === "password" && given.password === "" ? { userName: "x" } : answerFor(given),
      }),
      ["survives odd credentials and accepts none of them"],
    ],
    [
      "answers something else",
      realmOf({
        authenticate: (given: Credentials) => (answerFor(given) === "rejected" ? undefined : answerFor(given)),
      }),
      ["rejects wrong credentials", "survives odd credentials and accepts none of them"],
    ],
    [
      "mixes callers up",
      realmOf({
        authenticate: async (given: Credentials) => {
          const mine = ++calls;
          await Promise.resolve();
          return mine === calls ? answerFor(given) : "rejected";
        },
      }),
      ["keeps callers apart that come at the same time"],
    ],
    [
      "is used up",
      (() => {
        let left = 1;
        return realmOf({
          authenticate: (given: Credentials) =>
            answerFor(given) !== "rejected" && typeof answerFor(given) === "object" && left-- <= 0
              ? "rejected"
              : answerFor(given),
        });
      })(),
      ["keeps callers apart that come at the same time", "still accepts good credentials"],
    ],
    ["logs passwords", leaking, ["writes no secret to the log"]],
  ];
  test.each(cases)("finds a realm that %s", async (_, plugin, expected) => {
    expect(failed(await checkRealm(plugin, asked))).toEqual(expected);
  });

  test("finds a realm that throws when its directory cannot be reached, and passes one that says unavailable", async () => {
    const asking = (whenDown: () => RealmAnswer) =>
      defineRealm({
        names: ["Asking"],
        create: (_, { fetch }) => ({
          accepts: "password",
          async authenticate(credentials) {
            const answer = await fetch("https://directory.test/").catch(() => undefined);
            return answer ? answerFor(credentials) : whenDown();
          },
        }),
      });
    const context = { fetch: () => Promise.resolve(new Response("ok")) };
    expect(
      failed(
        await checkRealm(
          asking(() => "unavailable"),
          { ...asked, context },
        ),
      ),
    ).toEqual([]);
    const broken = asking(() => {
      throw new Error("boom");
    });
    expect(failed(await checkRealm(broken, { ...asked, context }))).toEqual([
      "says unavailable when what it asks cannot be reached",
    ]);
  });

  test("assertRealm throws one error that lists what was found", async () => {
    const broken = realmOf({ health: () => ({}), start: () => Promise.reject(new Error("boom")) });
    await expect(assertRealm(broken, asked)).rejects.toThrow(
      /The realm Tested fails 2 of \d+ checks\n- start finishes in time: It threw Error: boom\n- health/,
    );
  });
});

describe("checkFilter", () => {
  const authorization = (value: string) => ({ headers: { Authorization: value } });
  const accept = (credentials: Credentials) => {
    const answer = answerFor(credentials);
    return typeof answer === "object" ? answer : undefined;
  };
  const caller = { userName: "alice", roles: ["admin"], permissions: ["a:b"] };
  const builtIn: readonly (readonly [string, Plugin, FilterCheckOptions])[] = [
    ["anon", anonymous, { passes: [{}] }],
    [
      "authcBasic",
      basicAuth,
      {
        passes: [{ ...authorization(`Basic ${btoa("alice:wonder")}`), accept }],
        refuses: [{}, authorization(`Basic ${btoa("alice:nope")}`)],
        secrets: ["wonder", btoa("alice:wonder")],
      },
    ],
    [
      "tokenAuth",
      tokenAuth,
      {
        refuses: [{}, authorization("token t0k3n")],
        passes: [{ ...authorization("token t0k3n"), permissive: true }],
        secrets: ["t0k3n"],
      },
    ],
    ["authcBearer", genericBearer, { refuses: [{}] }],
    ["deny", deny, { refuses: [{}, { caller }] }],
    ["user", user, { refuses: [{}], passes: [{ caller }] }],
    ["roles", roles, { words: ["admin"], refuses: [{}], passes: [{ caller }] }],
    ["perms", permissions, { words: ["a:b"], refuses: [{}], passes: [{ caller }] }],
    ["ip", ip, { properties: { authorizedIps: "192.0.2.1" }, passes: [{}], refuses: [{ remoteAddress: "192.0.2.2" }] }],
    ["invalidRequest", invalidRequest, { passes: [{}], refuses: [{ target: "/a;b" }] }],
  ];
  test.each(builtIn)("passes the built-in filter %s", async (_, plugin, options) => {
    await assertFilter(plugin, options);
  });

  const filterOf = (handle: (exchange: never) => unknown) =>
    defineFilter({ names: ["Tested"], create: () => ({ handle: handle as () => FilterOutcome }) });
  const broken: readonly (readonly [string, Plugin, FilterCheckOptions, readonly string[]])[] = [
    [
      "throws",
      filterOf(() => {
        throw new Error("boom");
      }),
      { passes: [{}] },
      [
        "passes on request 0",
        "survives odd requests, and takes none for an authenticated caller",
        "lets no caller in whom the realms reject, at once or later",
      ],
    ],
    [
      "never answers",
      filterOf(() => new Promise(() => {})),
      { passes: [{}] },
      [
        "passes on request 0",
        "survives odd requests, and takes none for an authenticated caller",
        "lets no caller in whom the realms reject, at once or later",
      ],
    ],
    [
      "gives something else",
      filterOf(() => true),
      {},
      ["survives odd requests, and takes none for an authenticated caller"],
    ],
    [
      "refuses without a challenge",
      filterOf(() => new Response(null, { status: 401 })),
      {},
      ["survives odd requests, and takes none for an authenticated caller"],
    ],
    ["lets everyone in", filterOf(() => "next"), { refuses: [{}] }, ["refuses request 0"]],
    ["takes no words", filterOf(() => "next"), { words: ["a"] }, ["accepts its words in brackets"]],
    [
      "takes its own word for a caller",
      filterOf((exchange: { establish(account: object): unknown }) => {
        exchange.establish({ userName: "x" });
        return "next";
      }),
      {},
      ["survives odd requests, and takes none for an authenticated caller"],
    ],
  ];
  test.each(broken)("finds a filter that %s", async (_, plugin, options, expected) => {
    expect(failed(await checkFilter(plugin, { ...options, timeoutMs: 50 }))).toEqual(expected);
  });

  test("finds secrets in the log", async () => {
    const logging = defineFilter({
      names: ["Logging"],
      create: (_, { log }) => ({
        handle(exchange) {
          log.info("got a request", { key: exchange.header("x-api-key") });
          return "next";
        },
      }),
    });
    const options = { passes: [{ headers: { "X-Api-Key": "k3y-k3y" } }], secrets: ["k3y-k3y"] };
    expect(failed(await checkFilter(logging, options))).toEqual(["writes no secret to the log"]);
  });
});
