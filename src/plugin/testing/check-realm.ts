import type { AuthenticationRequest, Credentials, Plugin, Realm, RealmAnswer } from "../contract.ts";
import { assertChecks, type Check, type Checks, type Finding, startChecks } from "./check.ts";
import { createTestContext, leakIn, type TestContext, type TestContextOptions } from "./context.ts";
import { createTestExchange } from "./exchange.ts";
import { createRealm, type TestProperties } from "./instance.ts";
import { oddCredentials } from "./odd-credentials.ts";
import { checkPluginShape } from "./plugin-checks.ts";
import { answerProblem, shownAnswer } from "./realm-answer.ts";
import { late, within } from "./within.ts";

export interface RealmCheckOptions {
  /** Properties as texts of `security.ini`; other values (an object for a reference) are handed on as they are. */
  readonly properties?: TestProperties;
  /** Credentials that the realm accepts. */
  readonly good: Credentials;
  /** Credentials of a caller whom the realm knows, that are wrong. */
  readonly wrong?: Credentials;
  /** Credentials of a caller whom the realm does not know. */
  readonly unknown?: Credentials;
  /** What the realm finds around it, for example a `fetch` that plays the directory. */
  readonly context?: TestContextOptions;
  /** Milliseconds in which every answer must come. Default 5,000. */
  readonly timeoutMs?: number;
}

/**
 * Looks at a realm plugin as the server will treat it, under any test runner.
 *
 * @returns the checks in a fixed order, passed or not; {@link assertRealm} throws instead
 */
export async function checkRealm(plugin: Plugin, options: RealmCheckOptions): Promise<readonly Check[]> {
  const checks = startChecks();
  const { properties = {}, timeoutMs = 5_000 } = options;
  await checkPluginShape(checks, "realm", plugin, properties);

  const context = createTestContext(options.context);
  let realm: Realm | undefined;
  await checks.run("create makes a realm in time", async () => {
    const made = await within(timeoutMs, createRealm(plugin, properties, context));
    if (made === late) return `create has not finished after ${timeoutMs} ms`;
    realm = made;
    return undefined;
  });
  if (!realm) return checks.list;
  await checkAnswers(checks, { realm, context, options, timeoutMs });
  await checkUnreachable(checks, plugin, options, timeoutMs);
  return checks.list;
}

/**
 * As {@link checkRealm}, for a test that fails when a check does.
 *
 * @throws Error that lists the checks that failed
 */
export async function assertRealm(plugin: Plugin, options: RealmCheckOptions): Promise<void> {
  assertChecks(`The realm ${plugin.names?.[0] ?? "without a name"}`, await checkRealm(plugin, options));
}

interface Tested {
  readonly realm: Realm;
  readonly context: TestContext;
  readonly options: RealmCheckOptions;
  readonly timeoutMs: number;
}

async function checkAnswers(checks: Checks, tested: Tested): Promise<void> {
  const { realm, context, timeoutMs } = tested;
  const { good, wrong, unknown, properties = {} } = tested.options;
  const ask = (credentials: Credentials) => answerOf(realm, credentials, timeoutMs);

  await checks.run("start finishes in time", () => lifecycle(realm.start?.(), timeoutMs));
  await checks.run("accepts good credentials", async () => expectAccount(await ask(good)));
  if (wrong) await checks.run("rejects wrong credentials", async () => expectAnswer(await ask(wrong), "rejected"));
  if (unknown) {
    await checks.run("says not mine of a caller it does not know", async () =>
      expectAnswer(await ask(unknown), "not mine"),
    );
  }
  await checks.run("answers credentials of other kinds with not mine, or rejects them", async () => {
    for (const credentials of otherKinds(realm)) {
      const answer = await ask(credentials);
      const finding = expectRefusal(answer);
      if (finding) return `${finding}, to credentials of the kind ${credentials.kind}`;
    }
    return undefined;
  });
  await checks.run("survives odd credentials and accepts none of them", async () => {
    for (const credentials of oddCredentials(good)) {
      const finding = expectRefusal(await ask(credentials));
      if (finding) return `${finding}, to ${JSON.stringify(credentials).slice(0, 120)}`;
    }
    return undefined;
  });
  await checks.run("keeps callers apart that come at the same time", async () => {
    const others = [wrong, unknown].filter((one) => one !== undefined);
    const callers = Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0 ? good : (others[(at >> 1) % others.length] ?? good),
    );
    const answers = await Promise.all(callers.map(ask));
    const at = answers.findIndex((answer, index) => (callers[index] === good) !== isAccount(answer));
    const answer = answers[at];
    return answer === undefined ? undefined : `One of twenty callers got ${describe(answer)}`;
  });
  await checks.run("still accepts good credentials", async () => expectAccount(await ask(good)));
  await checks.run("health tells whether it can work", async () => healthFinding(realm, timeoutMs));
  await checks.run("stop finishes in time", () => lifecycle(realm.stop?.(), timeoutMs));
  await checks.run("writes no secret to the log", () =>
    leakIn(context.records, [
      ...secretsOf(good),
      ...secretsOf(wrong),
      ...secretsOf(unknown),
      ...secretValues(properties),
    ]),
  );
}

/** A realm that asks over the network must say that it cannot tell, when nothing can be reached. */
async function checkUnreachable(
  checks: Checks,
  plugin: Plugin,
  options: RealmCheckOptions,
  timeoutMs: number,
): Promise<void> {
  let asked = 0;
  const fetch: typeof globalThis.fetch = () => {
    asked += 1;
    return Promise.reject(new TypeError("fetch failed"));
  };
  await checks.run("says unavailable when what it asks cannot be reached", async () => {
    const realm = await createRealm(plugin, options.properties, createTestContext({ ...options.context, fetch }));
    const answer = await answerOf(realm, options.good, timeoutMs);
    return asked === 0 ? undefined : expectAnswer(answer, "unavailable");
  });
}

type Answered = RealmAnswer | { readonly finding: string };

/** Asks a realm, and looks at the form of its answer. */
async function answerOf(realm: Realm, credentials: Credentials, timeoutMs: number): Promise<Answered> {
  const request: AuthenticationRequest = createTestExchange();
  try {
    const answer = await within(timeoutMs, realm.authenticate(credentials, request));
    if (answer === late) return { finding: `It has not answered after ${timeoutMs} ms` };
    const finding = answerProblem(answer);
    return finding === undefined ? answer : { finding };
  } catch (error) {
    return { finding: `It threw ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}` };
  }
}

function isAccount(answer: Answered): boolean {
  return typeof answer === "object" && "userName" in answer;
}

function describe(answer: Answered): string {
  return typeof answer === "object" && "finding" in answer ? `no answer: ${answer.finding}` : shownAnswer(answer);
}

function expectAccount(answer: Answered): Finding {
  if (typeof answer === "object" && "finding" in answer) return answer.finding;
  return isAccount(answer) ? undefined : `It answered ${shownAnswer(answer)}`;
}

function expectAnswer(answer: Answered, expected: RealmAnswer): Finding {
  if (typeof answer === "object" && "finding" in answer) return answer.finding;
  return answer === expected ? undefined : `It answered ${shownAnswer(answer)}`;
}

function expectRefusal(answer: Answered): Finding {
  if (typeof answer === "object" && "finding" in answer) return answer.finding;
  return isAccount(answer) ? `It answered ${shownAnswer(answer)}` : undefined;
}

/** Credentials that the realm has not said it can judge. */
function otherKinds(realm: Realm): readonly Credentials[] {
  const accepts: readonly string[] = typeof realm.accepts === "string" ? [realm.accepts] : realm.accepts;
  const all: readonly Credentials[] = [
    { kind: "password", userName: "nobody", password: "nothing" },
    { kind: "token", token: "nothing" },
    { kind: "bearer", token: "nothing" },
    { kind: "custom", scheme: "nothing", value: undefined },
  ];
  return all.filter((credentials) => !accepts.includes(credentials.kind));
}

async function lifecycle(done: void | Promise<void>, timeoutMs: number): Promise<Finding> {
  return (await within(timeoutMs, done)) === late ? `It has not finished after ${timeoutMs} ms` : undefined;
}

async function healthFinding(realm: Realm, timeoutMs: number): Promise<Finding> {
  if (!realm.health) return undefined;
  const health = await within(timeoutMs, realm.health());
  if (health === late) return `It has not answered after ${timeoutMs} ms`;
  return typeof health?.ok === "boolean" ? undefined : "Its answer has no ok that is true or false";
}

function secretsOf(credentials: Credentials | undefined): readonly string[] {
  if (!credentials) return [];
  switch (credentials.kind) {
    case "password":
      return [credentials.password];
    case "custom":
      return typeof credentials.value === "string" ? [credentials.value] : [];
    default:
      return [credentials.token];
  }
}

/** Texts of properties whose names say that they are secret. */
function secretValues(properties: TestProperties): readonly string[] {
  return Object.entries(properties)
    .filter(([name]) => /(?:password|secret|token)s?$/i.test(name))
    .map(([, value]) => String(value));
}
