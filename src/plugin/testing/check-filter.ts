import type { Filter, FilterOutcome, Plugin } from "../contract.ts";
import { assertChecks, type Check, type Checks, type Finding, startChecks } from "./check.ts";
import { createTestContext, leakIn, type TestContext, type TestContextOptions } from "./context.ts";
import { createTestExchange, type TestExchange, type TestExchangeOptions } from "./exchange.ts";
import { createFilter, type TestProperties } from "./instance.ts";
import { oddAuthorizations } from "./odd-credentials.ts";
import { checkPluginShape } from "./plugin-checks.ts";
import { late, within } from "./within.ts";

export interface FilterCheckOptions {
  /** Properties as texts of `security.ini`; other values (an object for a reference) are handed on as they are. */
  readonly properties?: TestProperties;
  /** Words in brackets that the filter must accept. Default: none. */
  readonly words?: readonly string[];
  /** Requests that must pass. */
  readonly passes?: readonly TestExchangeOptions[];
  /** Requests that must be refused. */
  readonly refuses?: readonly TestExchangeOptions[];
  /** Texts that must not appear in the log, for example the keys in the requests. */
  readonly secrets?: readonly string[];
  /** What the filter finds around it. */
  readonly context?: TestContextOptions;
  /** Milliseconds in which every answer must come. Default 5,000. */
  readonly timeoutMs?: number;
}

/**
 * Looks at a filter plugin as the server will treat it, under any test runner.
 *
 * @returns the checks in a fixed order, passed or not; {@link assertFilter} throws instead
 */
export async function checkFilter(plugin: Plugin, options: FilterCheckOptions = {}): Promise<readonly Check[]> {
  const checks = startChecks();
  const { properties = {}, timeoutMs = 5_000 } = options;
  await checkPluginShape(checks, "filter", plugin, properties);

  const context = createTestContext(options.context);
  let filter: Filter | undefined;
  await checks.run("create makes a filter in time", async () => {
    const made = await within(timeoutMs, createFilter(plugin, properties, context));
    if (made === late) return `create has not finished after ${timeoutMs} ms`;
    filter = made;
    return undefined;
  });
  if (filter) await checkRequests(checks, { filter, context, options, timeoutMs });
  return checks.list;
}

/**
 * As {@link checkFilter}, for a test that fails when a check does.
 *
 * @throws Error that lists the checks that failed
 */
export async function assertFilter(plugin: Plugin, options: FilterCheckOptions = {}): Promise<void> {
  assertChecks(`The filter ${plugin.names?.[0] ?? "without a name"}`, await checkFilter(plugin, options));
}

interface Tested {
  readonly filter: Filter;
  readonly context: TestContext;
  readonly options: FilterCheckOptions;
  readonly timeoutMs: number;
}

async function checkRequests(checks: Checks, tested: Tested): Promise<void> {
  const { filter, context, options, timeoutMs } = tested;
  const { words = [], passes = [], refuses = [], secrets = [] } = options;
  const send = (request: TestExchangeOptions) =>
    outcomeOf(filter, createTestExchange({ words, ...request }), timeoutMs);

  await checks.run("start finishes in time", async () =>
    (await within(timeoutMs, filter.start?.())) === late ? `It has not finished after ${timeoutMs} ms` : undefined,
  );
  await checks.run("accepts its words in brackets", () => wordFinding(filter, words));
  for (const [at, request] of passes.entries()) {
    await checks.run(`passes on request ${at}`, async () => {
      const got = await send(request);
      if (got.finding !== undefined) return got.finding;
      return got.outcome === "next" ? undefined : `It answered ${got.outcome.status}`;
    });
  }
  for (const [at, request] of refuses.entries()) {
    await checks.run(`refuses request ${at}`, async () => {
      const got = await send(request);
      if (got.finding !== undefined) return got.finding;
      if (got.outcome === "next") return "It passed the request on";
      return got.outcome.status < 300 ? `It answered ${got.outcome.status}, which is no refusal` : undefined;
    });
  }
  await checks.run("survives odd requests, and takes none for an authenticated caller", async () => {
    for (const request of oddRequests()) {
      const got = await send(request);
      const finding = got.finding ?? (got.exchange.subject ? "It let in a caller without good credentials" : undefined);
      if (finding !== undefined) return `${finding}, to ${JSON.stringify(request).slice(0, 120)}`;
    }
    return undefined;
  });
  await checks.run("lets no caller in whom the realms reject, at once or later", async () => {
    for (const request of [...passes, ...refuses].flatMap((one) => [one, { ...one, slow: true }])) {
      const { exchange, finding } = await send({ ...request, accept: () => undefined });
      if (finding !== undefined) return finding;
      if (exchange.subject && !request.caller && exchange.established.length === 0)
        return "A rejected caller is let in";
    }
    return undefined;
  });
  await checks.run("stop finishes in time", async () =>
    (await within(timeoutMs, filter.stop?.())) === late ? `It has not finished after ${timeoutMs} ms` : undefined,
  );
  await checks.run("writes no secret to the log", () => leakIn(context.records, secrets));
}

interface Outcome {
  readonly exchange: TestExchange;
  readonly outcome: FilterOutcome;
  readonly finding?: Finding;
}

/** Sends a request, and looks at the form of the outcome. */
async function outcomeOf(filter: Filter, exchange: TestExchange, timeoutMs: number): Promise<Outcome> {
  const outcome: FilterOutcome | typeof late = await within(timeoutMs, filter.handle(exchange));
  if (outcome === late) return { exchange, outcome: "next", finding: `It has not answered after ${timeoutMs} ms` };
  if (outcome === "next") return { exchange, outcome };
  if (!(outcome instanceof Response)) {
    return { exchange, outcome: "next", finding: `It gave ${typeof outcome}, which is neither "next" nor a Response` };
  }
  if (outcome.bodyUsed) return { exchange, outcome, finding: "The body of its answer has been read already" };
  if (outcome.status === 401 && !outcome.headers.has("WWW-Authenticate")) {
    return { exchange, outcome, finding: "Its 401 has no WWW-Authenticate; use exchange.refuse" };
  }
  return { exchange, outcome };
}

function wordFinding(filter: Filter, words: readonly string[]): Finding {
  if (!filter.checkWords) return words.length === 0 ? undefined : "It has no checkWords, so it takes no words";
  const wrong = filter.checkWords(words);
  return wrong.length === 0 ? undefined : wrong.join("; ");
}

function oddRequests(): readonly TestExchangeOptions[] {
  return [
    {},
    { remoteAddress: undefined },
    { method: "OPTIONS" },
    { method: "FOO" },
    { target: "/a%20b/c?x=1&x=2&=&%" },
    { target: `/${"x".repeat(8_000)}` },
    ...oddAuthorizations.map((value) => ({ headers: { Authorization: value } })),
    ...oddAuthorizations.map((value) => ({ headers: { Authorization: value }, permissive: true, slow: true })),
  ];
}
