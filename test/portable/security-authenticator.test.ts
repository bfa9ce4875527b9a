import { describe, expect, test } from "vitest";
import {
  type Account,
  type AuthenticationRequest,
  type AuthenticationResult,
  type AuthenticationStrategy,
  type Credentials,
  defineAuthenticationStrategy,
  defineRealm,
  type RealmAnswer,
  type SentCredentials,
} from "../../src/plugin/mod.ts";
import { createTestContext } from "../../src/plugin/testing/context.ts";
import { type Authenticator, type AuthenticatorDeps, createAuthenticator } from "../../src/security/authenticator.ts";
import { nameRealm } from "../../src/security/realm-call.ts";
import type { UserRoles } from "../../src/security/user-source.ts";
import { optionalPlugins, securityScene } from "./security-scene.ts";

type Answer = RealmAnswer | Promise<RealmAnswer>;
type Answers = Readonly<Record<string, (credentials: Credentials) => Answer>>;

const request: AuthenticationRequest = {
  remoteAddress: "192.0.2.1",
  method: "GET",
  path: "/x",
  header: () => undefined,
};
const ann: Account = { userName: "ann" };
const password = (userName = "ann", secret = "pw"): Credentials => ({ kind: "password", userName, password: secret });
const enabled = (...roles: string[]): UserRoles => ({ state: "enabled", roles: new Set(roles) });

interface Scene {
  readonly authenticator: Authenticator;
  /** Names of the realms that were really asked. */
  readonly asked: string[];
  readonly warnings: () => readonly string[];
  clock: number;
  version: number;
  user: UserRoles | Promise<UserRoles>;
}

function scene(answers: Answers, options: Partial<AuthenticatorDeps> & { reuseSeconds?: number } = {}): Scene {
  const { log, records } = createTestContext();
  const asked: string[] = [];
  const state = { clock: 1_000_000, version: 1, user: { state: "unknown", roles: new Set() } as Scene["user"] };
  const realms = Object.entries(answers).map(([name, authenticate]) =>
    nameRealm(
      name,
      {
        accepts: "password",
        reuseSeconds: options.reuseSeconds ?? 0,
        authenticate(credentials) {
          asked.push(name);
          return authenticate(credentials);
        },
      },
      log,
    ),
  );
  const authenticator = createAuthenticator({
    realms,
    listeners: [],
    users: { rolesOf: () => state.user },
    digest: (text) => text,
    securityVersion: () => state.version,
    now: () => state.clock,
    realmTimeoutMs: 10_000,
    log,
    redact: (text) => text,
    ...options,
  });
  return Object.assign(state, { authenticator, asked, warnings: () => records.map(({ message }) => message) });
}

async function outcome(of: Scene, credentials: Credentials | SentCredentials = password()): Promise<string> {
  const result = await of.authenticator.authenticate(credentials, request);
  if (result.outcome === "unavailable") return `unavailable ${result.realm}`;
  return result.outcome === "accepted" ? `accepted ${result.subject.realms.join()}` : result.outcome;
}

function subjectOf(result: AuthenticationResult) {
  if (result.outcome !== "accepted") throw new Error(`not accepted: ${result.outcome}`);
  return result.subject;
}

describe("without a strategy", () => {
  test.each<[RealmAnswer, RealmAnswer, string]>([
    [ann, ann, "accepted a,b"],
    [ann, "rejected", "accepted a"],
    ["rejected", ann, "accepted b"],
    ["not mine", ann, "accepted b"],
    ["unavailable", ann, "accepted b"],
    ["rejected", "not mine", "rejected"],
    ["not mine", "not mine", "rejected"],
    ["rejected", "unavailable", "unavailable b"],
    ["unavailable", "unavailable", "unavailable a"],
  ])("%j and %j give %s", async (a, b, expected) => {
    for (const slow of [false, true]) {
      const of = scene({ a: () => (slow ? Promise.resolve(a) : a), b: () => b });
      expect(await outcome(of)).toBe(expected);
      expect(of.asked).toEqual(["a", "b"]);
    }
  });

  test("no realm at all rejects", async () => expect(await outcome(scene({}))).toBe("rejected"));

  test("a realm is not asked about credentials that it does not accept", async () => {
    const of = scene({ a: () => ann });
    expect(await outcome(of, { kind: "bearer", token: "x" })).toBe("rejected");
    expect(of.asked).toEqual([]);
  });
});

describe("a realm that fails", () => {
  test.each<[string, () => Answer]>([
    [
      "throws",
      () => {
        throw new Error("down");
      },
    ],
    ["rejects", () => Promise.reject(new Error("down"))],
    ["never answers", () => new Promise(() => {})],
    ["answers nothing", () => undefined as unknown as RealmAnswer],
    ["answers an account without a name", () => ({ userName: "" })],
    ["answers an account with wrong roles", () => ({ userName: "ann", roles: "admin" }) as unknown as Account],
    ["answers a word that is no answer", () => "ok" as RealmAnswer],
    ["answers true", () => true as unknown as RealmAnswer],
  ])("that %s is unavailable, and others are still asked", async (_, failing) => {
    const alone = scene({ a: failing }, { realmTimeoutMs: 1 });
    expect(await outcome(alone)).toBe("unavailable a");
    expect(alone.warnings().length).toBeGreaterThan(1);
    expect(await outcome(scene({ a: failing, b: () => ann }, { realmTimeoutMs: 1 }))).toBe("accepted b");
  });
});

describe("the subject", () => {
  test("has the roles of the realms that accepted and those of the enabled user, and no others", async () => {
    const of = scene({
      a: () => ({ userName: "ann", roles: ["ra"], permissions: ["doc:read"] }),
      b: () => "rejected",
      c: () => ({ userName: "ann", roles: ["rc"], permissions: ["zone:*", ":"] }),
    });
    of.user = enabled("db");
    const subject = subjectOf(await of.authenticator.authenticate(password(), request));
    expect(subject).toMatchObject({
      userName: "ann",
      callerName: "ann",
      method: "password",
      realms: ["a", "c"],
      known: true,
    });
    expect(["ra", "rc", "db", "rb", "_administrator"].map(subject.hasRole)).toEqual([true, true, true, false, false]);
    expect(["doc:read:1", "zone:x", "doc:write", "", ":"].map(subject.isPermitted)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(Object.isFrozen(subject)).toBe(true);
  });

  test("of a user that the database does not know has the realm's roles", async () => {
    const subject = subjectOf(
      await scene({ a: () => ({ userName: "x", roles: ["r"] }) }).authenticator.authenticate(password(), request),
    );
    expect([subject.known, subject.hasRole("r")]).toEqual([false, true]);
  });

  test("an administrator holds every role and every permission", async () => {
    const of = scene({ a: () => ann });
    of.user = enabled("_administrator");
    const subject = subjectOf(await of.authenticator.authenticate(password(), request));
    expect([subject.hasRole("_item_read"), subject.isPermitted("a:b:c"), subject.isPermitted("")]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("a disabled user is never one, whoever accepts", async () => {
    const of = scene({ a: () => ann }, { reuseSeconds: 60 });
    expect(await outcome(of)).toBe("accepted a");
    of.version++;
    of.user = Promise.resolve({ state: "disabled", roles: new Set(["x"]) });
    expect(await outcome(of)).toBe("rejected");
    expect((await of.authenticator.establish(ann, "filter", false)).outcome).toBe("rejected");
  });

  test("of an account that a filter has proven must exist only where the filter says so", async () => {
    const of = scene({});
    expect((await of.authenticator.establish(ann, "filter", true)).outcome).toBe("rejected");
    const subject = subjectOf(await of.authenticator.establish({ ...ann, method: "bearer" }, "filter", false));
    expect(subject).toMatchObject({ userName: "ann", realms: ["filter"], method: "bearer", known: false });
    of.user = Promise.resolve(enabled("r"));
    expect(subjectOf(await of.authenticator.establish(ann, "filter", true)).hasRole("r")).toBe(true);
  });

  test("a database that cannot be asked lets nobody in", async () => {
    const of = scene({ a: () => ann });
    of.user = Promise.reject(new Error("database is down"));
    await expect(Promise.resolve(of.authenticator.authenticate(password(), request))).rejects.toThrow("down");
  });
});

describe("answers that are reused", () => {
  test("an accepted attempt for as long as the realm says, without a promise", async () => {
    const of = scene({ a: () => Promise.resolve(ann), b: () => "not mine" }, { reuseSeconds: 60 });
    const first = await of.authenticator.authenticate(password(), request);
    of.clock += 59_999;
    expect(of.authenticator.authenticate(password(), request)).toBe(first);
    expect(of.asked).toEqual(["a", "b"]);
    of.clock += 1;
    expect(await outcome(of)).toBe("accepted a");
    expect(of.asked).toEqual(["a", "b", "a", "b"]);
  });

  test("each for its own credentials", async () => {
    const of = scene(
      { a: (credentials) => ("password" in credentials && credentials.password === "pw" ? ann : "rejected") },
      { reuseSeconds: 60 },
    );
    expect(await outcome(of)).toBe("accepted a");
    expect(await outcome(of, password("ann", "PW"))).toBe("rejected");
    expect(await outcome(of, password("annp", "w"))).toBe("rejected");
    expect(of.asked).toHaveLength(3);
  });

  test("no rejected attempt, no realm that could not tell", async () => {
    const rejecting = scene({ a: () => "rejected" }, { reuseSeconds: 60 });
    await outcome(rejecting);
    await outcome(rejecting);
    expect(rejecting.asked).toEqual(["a", "a"]);
    const other = scene({ a: () => "unavailable", b: () => "rejected", c: () => ann }, { reuseSeconds: 60 });
    await outcome(other);
    await outcome(other);
    expect(other.asked).toEqual(["a", "b", "c", "a", "b"]);
  });

  test("nothing after the security version has moved, also when it moves while a realm is asked", async () => {
    const of = scene({ a: () => ann }, { reuseSeconds: 60 });
    await outcome(of);
    of.version++;
    await outcome(of);
    expect(of.asked).toHaveLength(2);

    let finish: (answer: RealmAnswer) => void = () => {};
    const slow = scene(
      {
        a: () =>
          new Promise((resolve) => {
            finish = resolve;
          }),
      },
      { reuseSeconds: 60 },
    );
    const attempt = slow.authenticator.authenticate(password(), request);
    slow.version++;
    finish(ann);
    await attempt;
    void slow.authenticator.authenticate(password(), request);
    expect(slow.asked).toHaveLength(2);
  });

  test("no longer than the account is good", async () => {
    const of = scene({ a: () => ({ ...ann, expires: 1_010_000 }) }, { reuseSeconds: 60 });
    await outcome(of);
    of.clock = 1_009_999;
    await outcome(of);
    expect(of.asked).toHaveLength(1);
    of.clock = 1_010_000;
    await outcome(of);
    expect(of.asked).toHaveLength(2);
  });

  test("only of realms that allow it", async () => {
    const of = scene({ a: () => ann });
    await outcome(of);
    await outcome(of);
    expect(of.asked).toHaveLength(2);
  });

  test("with the same subject, until the version says that its roles may have changed", async () => {
    const of = scene({ a: () => ann }, { reuseSeconds: 60 });
    of.user = enabled("old");
    const first = subjectOf(await of.authenticator.authenticate(password(), request));
    expect(subjectOf(await of.authenticator.authenticate(password(), request))).toBe(first);
    of.user = enabled("new");
    of.version++;
    const subject = subjectOf(await of.authenticator.authenticate(password(), request));
    expect([subject.hasRole("old"), subject.hasRole("new"), of.asked.length]).toEqual([false, true, 2]);
  });

  test("never of a user that is disabled while a realm still accepts it", async () => {
    const of = scene({ a: () => ann }, { reuseSeconds: 60 });
    of.user = { state: "disabled", roles: new Set() };
    expect(await outcome(of)).toBe("rejected");
    of.user = enabled();
    expect(await outcome(of)).toBe("accepted a");
  });

  test("are dropped when there are too many, the oldest first", async () => {
    const of = scene({ a: () => ann }, { reuseSeconds: 60 });
    for (let user = 0; user <= 10_000; user++) await of.authenticator.authenticate(password(`u${user}`), request);
    of.asked.length = 0;
    await outcome(of, password("u10000"));
    await outcome(of, password("u0"));
    expect(of.asked).toHaveLength(1);
  });

  test("never of custom credentials, whose value is the plugins' matter", async () => {
    const asked: unknown[] = [];
    const realm = nameRealm(
      "a",
      {
        accepts: "custom",
        reuseSeconds: 60,
        authenticate(credentials) {
          asked.push(credentials);
          return ann;
        },
      },
      createTestContext().log,
    );
    const of = scene({}, { realms: [realm] });
    const custom: Credentials = { kind: "custom", scheme: "s", value: {} };
    await outcome(of, custom);
    await outcome(of, custom);
    expect(asked).toHaveLength(2);
  });

  test("by a digest that may come by a promise", async () => {
    const of = scene({ a: () => ann }, { reuseSeconds: 60, digest: (text) => Promise.resolve(`digest of ${text}`) });
    await outcome(of);
    await outcome(of);
    expect(of.asked).toHaveLength(1);
  });
});

describe("listeners", () => {
  function listening(
    answer: RealmAnswer,
    failing: { onSuccess?: boolean; onFailure?: boolean; slow?: boolean } = {},
    reuseSeconds = 0,
  ) {
    const heard: string[] = [];
    const hear = (name: string, fails: boolean | undefined) => {
      heard.push(name);
      if (!fails) return failing.slow ? Promise.resolve() : undefined;
      if (failing.slow) return Promise.reject(new Error("deaf"));
      throw new Error("deaf");
    };
    const listeners = ["l1", "l2"].map((name, index) => ({
      name,
      listener: {
        onSuccess: () => hear(`${name} success`, index === 0 && failing.onSuccess),
        onFailure: () => hear(`${name} failure`, index === 0 && failing.onFailure),
      },
    }));
    return { heard, of: scene({ a: () => answer }, { listeners, reuseSeconds }) };
  }

  test.each([false, true])("hear of each attempt in order (slow: %s)", async (slow) => {
    const good = listening(ann, { slow });
    expect(await outcome(good.of)).toBe("accepted a");
    expect(good.heard).toEqual(["l1 success", "l2 success"]);
    const bad = listening("rejected", { slow });
    expect(await outcome(bad.of)).toBe("rejected");
    expect(bad.heard).toEqual(["l1 failure", "l2 failure"]);
  });

  test.each([false, true])(
    "a failing onSuccess fails the attempt, a failing onFailure nothing (slow: %s)",
    async (slow) => {
      const good = listening(ann, { onSuccess: true, slow }, 60);
      expect(await outcome(good.of)).toBe("unavailable l1");
      expect(await outcome(good.of)).toBe("unavailable l1");
      expect(good.heard).toEqual(["l1 success", "l1 success"]);
      const bad = listening("rejected", { onFailure: true, slow });
      expect(await outcome(bad.of)).toBe("rejected");
      expect(bad.heard).toEqual(["l1 failure", "l2 failure"]);
      expect(bad.of.warnings()).toContain("An authentication listener failed");
    },
  );

  test("do not hear of an attempt whose answers are all reused", async () => {
    const { heard, of } = listening(ann, {}, 60);
    await outcome(of);
    await outcome(of);
    expect(heard).toHaveLength(2);
  });

  test("may create or enable the user whose roles then count", async () => {
    const listener = {
      onSuccess: () => {
        of.user = enabled("created");
      },
    };
    const of: Scene = scene({ a: () => ann }, { listeners: [{ name: "l", listener }] });
    of.user = { state: "disabled", roles: new Set() };
    expect(subjectOf(await of.authenticator.authenticate(password(), request)).hasRole("created")).toBe(true);
  });
});

describe("a strategy", () => {
  const accounts = new Map([["a", ann]]);
  test.each<[string, AuthenticationStrategy["decide"], string]>([
    ["decides", () => ({ accepted: true, accounts }), "accepted a"],
    ["decides by a promise", () => Promise.resolve({ accepted: false, accounts }), "rejected"],
    ["accepts nobody", () => ({ accepted: true, accounts: new Map() }), "rejected"],
    [
      "throws",
      () => {
        throw new Error("broken");
      },
      "unavailable authenticationStrategy",
    ],
    ["rejects", () => Promise.reject(new Error("broken")), "unavailable authenticationStrategy"],
    ["decides nothing", () => undefined as never, "unavailable authenticationStrategy"],
    [
      "makes up accounts",
      () => ({ accepted: true, accounts: new Map([["a", {} as Account]]) }),
      "unavailable authenticationStrategy",
    ],
  ])("that %s", async (_, decide, expected) => {
    expect(await outcome(scene({ a: () => ann }, { strategy: { decide } }))).toBe(expected);
  });

  test("asks a realm once, however often it asks", async () => {
    const of = scene(
      { a: () => ann },
      {
        strategy: {
          decide([attempt]) {
            attempt?.ask();
            const answer = attempt?.ask();
            return { accepted: true, accounts: new Map([["a", answer as Account]]) };
          },
        },
      },
    );
    expect(await outcome(of)).toBe("accepted a");
    expect(of.asked).toEqual(["a"]);
  });

  test("is set in the file, and hears which realms cannot judge", async () => {
    const unableSeen: unknown[] = [];
    const strategy = defineAuthenticationStrategy({
      names: ["Mine"],
      create: () => ({
        decide(_, unable) {
          unableSeen.push(unable);
          return { accepted: false, accounts: new Map() };
        },
      }),
    });
    const bearer = defineRealm({ names: ["B"], create: () => ({ accepts: "bearer", authenticate: () => "not mine" }) });
    const { send } = await securityScene(
      "[main]\ns = Mine\nb = B\nsecurityManager.authenticator.authenticationStrategy = $s\n[users]\nann = pw\n[urls]\n/** = authcBasic\n",
      { plugins: [...optionalPlugins, strategy, bearer] },
    );
    expect((await send("/x", { basic: ["ann", "pw"] })).status).toBe(401);
    expect(unableSeen).toEqual([["b"]]);
  });
});

describe("the lockout", () => {
  test("is asked before any realm, and told how attempts end", async () => {
    const told: string[] = [];
    let wait: number | undefined;
    const lockout = {
      isCalm: () => false,
      check: () => wait,
      failed: (_: AuthenticationRequest, name: string | undefined) => void told.push(`failed ${name}`),
      succeeded: (_: AuthenticationRequest, name: string | undefined) => void told.push(`succeeded ${name}`),
    };
    let answer: RealmAnswer = ann;
    const of = scene({ a: () => Promise.resolve(answer) }, { lockout });
    await outcome(of);
    answer = "rejected";
    await outcome(of);
    answer = "unavailable";
    await outcome(of);
    expect(told).toEqual(["succeeded ann", "failed ann"]);
    wait = 30;
    expect(of.authenticator.authenticate(password(), request)).toEqual({ outcome: "locked", retryAfterSeconds: 30 });
    expect(of.asked).toHaveLength(3);
  });

  test("holds for reused answers too, and is not asked about them while nothing fails", async () => {
    let wait: number | undefined;
    const calls: string[] = [];
    const lockout = {
      isCalm: () => wait === undefined,
      check: () => {
        calls.push("check");
        return wait;
      },
      failed: () => {},
      succeeded: () => {},
    };
    const of = scene({ a: () => ann }, { lockout, reuseSeconds: 60 });
    expect(await outcome(of)).toBe("accepted a");
    expect(calls.splice(0)).toEqual(["check"]);
    expect(await outcome(of)).toBe("accepted a");
    expect(calls).toEqual([]);
    wait = 1;
    expect(await outcome(of)).toBe("locked");
  });
});

describe("credentials as they were sent", () => {
  const sent = (text: string, read: () => Credentials | undefined, scheme = "Basic"): SentCredentials => ({
    scheme,
    text,
    read,
  });

  test("are read once, and known again by their text", async () => {
    let reads = 0;
    const of = scene({ a: () => ann }, { reuseSeconds: 60 });
    const credentials = sent("YW5u", () => {
      reads += 1;
      return password();
    });
    for (let request = 0; request < 3; request++) expect(await outcome(of, credentials)).toBe("accepted a");
    expect([reads, of.asked.length]).toEqual([1, 1]);
  });

  test("that are none are rejected, and no realm is asked", async () => {
    const of = scene({ a: () => ann }, { reuseSeconds: 60 });
    expect(
      await outcome(
        of,
        sent("?", () => undefined),
      ),
    ).toBe("rejected");
    expect(of.asked).toEqual([]);
  });

  test("of another scheme are others", async () => {
    const of = scene({ a: () => ann }, { reuseSeconds: 60 });
    await outcome(
      of,
      sent("x", () => password()),
    );
    for (const [text, scheme] of [
      ["x", "Other"],
      ["cx", "Basi"],
    ] as const) {
      const other = sent(text, () => undefined, scheme);
      expect(await outcome(of, other)).toBe("rejected");
    }
  });
});

describe("an account that a filter has proven", () => {
  test("gives the same subject again while it is frozen and its user is the same", async () => {
    const of = scene({});
    of.user = enabled("old");
    const account = Object.freeze({ userName: "ann" });
    const first = subjectOf(await of.authenticator.establish(account, "filter", true));
    expect(subjectOf(await of.authenticator.establish(account, "filter", true))).toBe(first);
    expect(subjectOf(await of.authenticator.establish(account, "other", true)).realms).toEqual(["other"]);
    of.user = enabled("new");
    expect(subjectOf(await of.authenticator.establish(account, "filter", true)).hasRole("old")).toBe(false);
    of.user = { state: "disabled", roles: new Set() };
    expect((await of.authenticator.establish(account, "filter", true)).outcome).toBe("rejected");
  });

  test("is looked at anew when it can change", async () => {
    const of = scene({});
    of.user = enabled();
    const account = { userName: "ann", roles: ["a"] };
    expect(subjectOf(await of.authenticator.establish(account, "filter", true)).hasRole("a")).toBe(true);
    account.roles = ["b"];
    expect(subjectOf(await of.authenticator.establish(account, "filter", true)).hasRole("a")).toBe(false);
  });
});
