import type {
  AuthenticationListener,
  AuthenticationStrategy,
  Filter,
  Plugin,
  PluginContext,
  PluginLog,
  Realm,
} from "../plugin/contract.ts";
import { createRegistry, type PluginModule } from "../plugin/registry.ts";
import { readAccounts } from "./accounts.ts";
import { createAuthenticator } from "./authenticator.ts";
import { canonicalTarget } from "./canonical-path.ts";
import { compileChains } from "./chain.ts";
import { planChains } from "./chain-plan.ts";
import { createChainTable } from "./chain-table.ts";
import { describeChains, describeObject } from "./describe.ts";
import { checkEssentials } from "./essentials.ts";
import { explainChain } from "./explain.ts";
import { readIni } from "./ini.ts";
import { readIniText } from "./ini-text.ts";
import { type Instances, makeInstances } from "./instances.ts";
import { createLives } from "./lifecycle.ts";
import type { Lockout } from "./lockout.ts";
import { readMain } from "./main-section.ts";
import { startGraph } from "./object-graph.ts";
import { takeParts, wantedObjects } from "./parts.ts";
import { warnOfPassedOver } from "./passed-over.ts";
import { createRun, type SecurityPipeline } from "./pipeline.ts";
import type { Problem } from "./problem.ts";
import { nameRealm } from "./realm-call.ts";
import { createRedact } from "./redact.ts";
import { takeSections } from "./sections.ts";
import { createSuggest } from "./suggest.ts";
import type { UserSource } from "./user-source.ts";

/** What the framework takes from the service. */
export interface PipelineDeps {
  /** Built-in plugins and those handed to `createService`. */
  readonly plugins: readonly Plugin[];
  /** Modules of the ext folder. */
  readonly modules?: readonly PluginModule[];
  /** The context of one object; the framework adds `accounts` and redacts what it logs. */
  readonly context: (name: string) => PluginContext;
  readonly users: UserSource;
  readonly lockout?: Lockout;
  /** A digest under a key of this process; synchronous where the runtime can. */
  readonly digest: (text: string) => string | Promise<string>;
  /** Moves when a user, key, group, token or authentication configuration changes. */
  readonly securityVersion: (time?: number) => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Environment variables, for `${NAME}`. */
  readonly variables: (name: string) => string | undefined;
  /** Files, for `${file:PATH}`. Absent where there is no file system. */
  readonly readFile?: ((path: string) => Promise<string | undefined>) | undefined;
  readonly log: PluginLog;
  /** Milliseconds for making all objects, and for each one's start. Default 10,000. */
  readonly startTimeoutMs?: number;
  /** Milliseconds for one answer of a realm. Default 10,000. */
  readonly realmTimeoutMs?: number;
}

/** A loaded configuration: the pipeline is there when there is no error. */
export interface LoadedSecurity {
  readonly pipeline?: SecurityPipeline;
  readonly problems: readonly Problem[];
}

const defaultTimeoutMs = 10_000;

/**
 * Loads a `security.ini` (its text, or its bytes as UTF-8). All that is wrong comes back in one run, in the order of the
 * file; nothing is started.
 */
export async function loadSecurity(
  text: string | Uint8Array,
  source: string,
  deps: PipelineDeps,
): Promise<LoadedSecurity> {
  const { lines, problems } = readIniText(text, source);
  if (lines.length === 0) return { problems: problems.list() };
  const registry = createRegistry(deps.plugins, deps.modules);
  for (const message of registry.faults) {
    problems.error({ line: 1, column: 1 }, { code: "plugin-names", message, fix: "Correct the plugin" });
  }
  const suggest = createSuggest();
  const { main, users, roles, urls } = takeSections(readIni(lines, problems), problems, suggest);
  const accounts = readAccounts(users, roles, problems);
  const lookUps = { variable: deps.variables, readFile: deps.readFile };
  const graph = startGraph({ registry, lookUps, problems, suggest }, users.length + roles.length > 0);
  await readMain(main, graph);
  const plans = planChains(urls, graph);
  const parts = takeParts(graph);
  checkEssentials(graph, parts.realms, plans, problems);

  const redact = createRedact(graph.secrets);
  const timeoutMs = deps.startTimeoutMs ?? defaultTimeoutMs;
  const wanted = wantedObjects(graph, plans, parts.realms);
  const instances = await makeInstances(wanted, graph, { context: deps.context, accounts, redact, timeoutMs });
  const chains = compileChains(plans, instances, problems);
  warnOfPassedOver(parts.listeners, plans, instances, problems);
  if (problems.hasErrors()) return { problems: problems.list() };

  const { log } = deps;
  const authenticator = createAuthenticator({
    realms: parts.realms.map((object) =>
      nameRealm(object.name, instances.get(object) as Realm, deps.context(object.name).log),
    ),
    strategy: parts.strategy && (instances.get(parts.strategy) as AuthenticationStrategy),
    listeners: parts.listeners.map((object) => ({
      name: object.name,
      listener: instances.get(object) as AuthenticationListener,
    })),
    users: deps.users,
    lockout: deps.lockout,
    digest: deps.digest,
    securityVersion: deps.securityVersion,
    now: deps.now,
    realmTimeoutMs: deps.realmTimeoutMs ?? defaultTimeoutMs,
    log,
    redact,
  });
  const pipeline: SecurityPipeline = {
    run: createRun(createChainTable(chains), authenticator),
    authenticate: (credentials, request) => authenticator.authenticate(credentials, request),
    explain: (target, method) => explainChain(plans, canonicalTarget(target), method),
    ...createLives(instances, { timeoutMs, log, redact, problems }),
    configurable: (name) => filtersOf(instances).find((filter) => filter.configurable?.name === name)?.configurable,
    describe: () => ({
      realms: parts.realms.map(describeObject),
      strategy: parts.strategy?.name ?? "at least one successful",
      listeners: parts.listeners.map(describeObject),
      chains: describeChains(plans),
    }),
  };
  return { pipeline, problems: problems.list() };
}

function filtersOf(instances: Instances): readonly Filter[] {
  return [...instances].flatMap(([{ kind }, instance]) => (kind === "filter" ? [instance as Filter] : []));
}
