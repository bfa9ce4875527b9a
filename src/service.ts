import { builtInPlugins } from "../plugins/built-in.ts";
import { openAssets } from "./assets/assets.ts";
import { type Answer, respond } from "./http/answer.ts";
import { mount, type RouteDescription } from "./http/dispatcher.ts";
import { versionRoutes } from "./http/version.ts";
import { createIdentityAccess } from "./identity/access.ts";
import { createAuditTrail } from "./identity/audit-trail.ts";
import { ensureFirstStart } from "./identity/first-start.ts";
import { identityRoutes } from "./identity/identity-routes.ts";
import { createLockout } from "./identity/lockout.ts";
import { runAs } from "./identity/run-as.ts";
import { createUserSource, membershipNames } from "./identity/user-source.ts";
import { logOf } from "./logging/log.ts";
import { createConfiguration } from "./operations/configuration.ts";
import { configurationTables } from "./operations/configuration-tables.ts";
import { createCorsSource } from "./operations/cors-source.ts";
import { healthRoutes } from "./operations/health-routes.ts";
import { plannedRoutes } from "./operations/planned-routes.ts";
import { createSharedDocuments } from "./operations/shared-documents.ts";
import { siteRoutes } from "./operations/site-routes.ts";
import { tokenIntervalsOf } from "./operations/token-properties.ts";
import { createUpkeep } from "./operations/upkeep.ts";
import type { Platform } from "./platform.ts";
import type { Plugin } from "./plugin/contract.ts";
import { credentialDigest } from "./security/credential-digest.ts";
import { NotStarted } from "./security/lifecycle.ts";
import { loadSecurity, type PipelineDeps } from "./security/load.ts";
import type { SecurityPipeline } from "./security/pipeline.ts";
import type { Problem } from "./security/problem.ts";
import { createAnswering } from "./service/answering.ts";
import { authConfigurationOf } from "./service/auth-configuration.ts";
import { createBackground, keepTicking } from "./service/background.ts";
import type { Connection } from "./service/connection.ts";
import { loadExt } from "./service/ext-plugins.ts";
import { databaseUrl, findSecurityIni } from "./service/instance-files.ts";
import { pluginContexts } from "./service/plugin-context.ts";
import { requestIds } from "./service/request-ids.ts";
import { FetchRequest, type ServerRequest } from "./service/server-request.ts";
import { StartError, startProblemOf } from "./service/start-error.ts";
import { type Settings, settingsWith } from "./settings.ts";
import type { Database } from "./store/database.ts";
import { type MigrationReport, migrate } from "./store/migration.ts";
import { openStore, type Store } from "./store/store.ts";
import { kinoraVersion } from "./version.ts";

/** How a service is made: any setting by its name, and what only a program can hand over. */
export interface ServiceOptions extends Partial<Settings> {
  /** Plugins beside the built-in ones and those of the ext folder. The only way where code cannot be loaded. */
  readonly plugins?: readonly Plugin[];
  /** The text of `security.ini`, in place of the file. */
  readonly securityIni?: string;
  /** An open database, in place of `databaseUrl`; closed with the service. */
  readonly database?: Database;
  /** Milliseconds since the epoch. Default: the clock of the machine. */
  readonly now?: () => number;
  /** How other systems are reached. Default: the runtime's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Given each promise that no request waits for; on Workers `waitUntil` belongs here. */
  readonly background?: (work: Promise<void>) => void;
  /** Whether a timer calls `tick`. Default: on Node and Deno. */
  readonly ticking?: boolean;
}

/** A running service. */
export interface Service {
  /** Answers a request. Never rejects. `connection` is what the runtime knows beside the request. */
  fetch(request: Request, connection?: Connection): Response | Promise<Response>;
  /**
   * Does what is due in the background. Returns the milliseconds after which to come back. Called by a timer on Node and
   * Deno unless `ticking` is false; by `scheduled()` on Workers.
   */
  tick(): Promise<number>;
  /** Lets requests under way finish what they hold, stops the plugins and closes the database. */
  close(): Promise<void>;
  /** What the start did. */
  readonly started: StartReport;
  /** Every route with its parameters and role. */
  readonly routes: readonly RouteDescription[];
}

/** A service as the servers of the runtimes use it. */
export interface ServerService extends Service {
  /** As `fetch`, without a `Request` and a `Response` where the server needs none. Never rejects. */
  answer(request: ServerRequest): Answer | Promise<Answer>;
}

/** What a start did that an operator wants to be told. */
export interface StartReport {
  readonly migration: MigrationReport;
  /** The password of the user `admin` when this start made the user and the password up. Show it once. */
  readonly generatedAdminPassword?: string;
  /** Where the `security.ini` in force came from: its path, or that it is the built-in one. */
  readonly securityIni: string;
  /** Doubtful lines of `security.ini`. */
  readonly warnings: readonly Problem[];
}

/**
 * Makes a service on a platform: opens and migrates the database, creates what a first start creates, loads
 * `security.ini` and the plugins, mounts the routes.
 *
 * @throws StartError with every problem of `security.ini` and the plugins
 * @throws KinoraError `unavailable` when the database cannot be used
 */
export async function createServiceOn(platform: Platform, options: ServiceOptions = {}): Promise<ServerService> {
  const settings = settingsWith(settingsOf(options));
  const { now = Date.now } = options;
  const database =
    options.database ?? (await platform.openDatabase(databaseUrl(settings), { authToken: settings.databaseAuthToken }));
  try {
    const migration = await migrate(database, { now });
    const store = await openStore({
      database,
      now,
      site: settings.site,
      log: logOf("store"),
      ...(options.background === undefined ? {} : { background: options.background }),
    });
    return await serviceOver(store, { platform, settings, options, now, migration });
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface Composition {
  readonly platform: Platform;
  readonly settings: Settings;
  readonly options: ServiceOptions;
  readonly now: () => number;
  readonly migration: MigrationReport;
}

async function serviceOver(store: Store, composition: Composition): Promise<ServerService> {
  const { platform, settings, options, now, migration } = composition;
  const { adminPassword, schemaNamespace: namespace } = settings;
  const hasher = await platform.passwordHasher();
  const first = await ensureFirstStart(store, { hasher, ...(adminPassword === undefined ? {} : { adminPassword }) });

  const configuration = createConfiguration(store, (error) => log.warn("The configuration cannot be read", { error }));
  await configuration.refresh();
  const tokenIntervals = () => tokenIntervalsOf(configuration);
  const users = createUserSource(store);
  const lockout = createLockout({
    now,
    failuresPerMinute: () => configuration.property("loginFailuresPerMinute"),
  });
  const digest = credentialDigest(platform.keyedDigest());
  const access = createIdentityAccess({ store, hasher, tokenIntervals, digest });
  const audit = createAuditTrail({
    store,
    includeReads: () => configuration.property("auditTrailIncludeReads"),
    includeBody: () => configuration.property("auditTrailIncludeBody"),
    failed: (error, dropped) => log.error("The audit trail cannot be written", { error, dropped }),
  });
  const shared = createSharedDocuments(store, logOf("shared-documents"));
  const { pipeline, warnings, securityIni } = await startSecurity(composition, {
    users,
    lockout,
    digest,
    securityVersion: (time) => store.versions.current("security", time),
    context: pluginContexts({
      platform,
      identity: access,
      configuration,
      shared,
      digest,
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      now,
    }),
  });

  const assets = await openAssets({
    store,
    namespace,
    memberOf: membershipNames(users),
    collectionsInOrder: () => configuration.property("indexCollectionItemOrder"),
    groupStyle: () => configuration.property("metadataGroupSearchStyle"),
    removesExpiredLocks: () => configuration.property("autoRemoveExpiredDeletionLocks"),
    libraryRetentionDays: () => configuration.property("libraryRetentionDays"),
  });
  const tables = [
    versionRoutes({ version: kinoraVersion, site: settings.site }),
    healthRoutes({ store, health: () => pipeline.health() }),
    ...identityRoutes({ store, hasher, tokenIntervals, authenticate: pipeline.authenticate }),
    ...configurationTables({ store, ...authConfigurationOf(pipeline) }),
    ...assets.routes,
    siteRoutes(),
  ];
  const dispatcher = mount([...tables, plannedRoutes(tables)], {
    namespace,
    limits: {
      size: settings.maxBodyBytes,
      depth: settings.maxXmlDepth,
      attributes: settings.maxXmlAttributes,
      nodes: settings.maxXmlNodes,
    },
    now,
    change: (actor) => store.change(actor),
    baseUrl: settings.baseUrl,
    onDefect,
  });
  const answer = createAnswering({
    pipeline,
    dispatcher,
    runAs: (subject, header) => runAs(subject, header, users),
    cors: createCorsSource(configuration),
    audit,
    refresh: () => configuration.refresh(),
    namespace,
    nextRequestId: requestIds((length) => crypto.getRandomValues(new Uint8Array(length))),
    onDefect,
  });
  const upkeep = createUpkeep({ store, audit, configuration });
  const background = createBackground([
    { name: "upkeep", run: () => upkeep.tick() },
    { name: "shared documents", run: () => shared.tick() },
    { name: "assets", run: () => assets.tick() },
  ]);
  const stopTicking = ticks(composition) ? keepTicking(background) : () => Promise.resolve();
  return {
    answer,
    fetch: (request, connection) => respond(answer(new FetchRequest(request, connection))),
    tick: () => background.tick(),
    close: async () => {
      await stopTicking();
      await audit.flush().catch((error: unknown) => log.error("The audit trail cannot be written", { error }));
      await pipeline.stop();
      await store.close();
    },
    started: {
      migration,
      securityIni,
      warnings,
      ...(first.generatedPassword === undefined ? {} : { generatedAdminPassword: first.generatedPassword }),
    },
    routes: dispatcher.routes,
  };
}

type SecurityParts = Pick<PipelineDeps, "users" | "lockout" | "digest" | "securityVersion" | "context">;

/** Loads `security.ini` with the plugins and starts it. */
async function startSecurity(
  { platform, settings, options, now }: Composition,
  parts: SecurityParts,
): Promise<{ readonly pipeline: SecurityPipeline } & Pick<StartReport, "securityIni" | "warnings">> {
  const startTimeoutMs = settings.startTimeoutSeconds * 1000;
  const plugins = [...builtInPlugins, ...(options.plugins ?? [])];
  const ext = await loadExt(platform, settings, plugins);
  const ini =
    options.securityIni === undefined
      ? await findSecurityIni(platform, settings)
      : { text: options.securityIni, source: "security.ini" };
  const { pipeline, problems } = await loadSecurity(ini.text, ini.source, {
    ...parts,
    plugins,
    modules: ext.modules,
    now,
    variables: (name) => platform.variable(name),
    readFile: platform.readText,
    log: logOf("security"),
    startTimeoutMs,
  });
  const errors = problems.filter(({ severity }) => severity === "error");
  if (pipeline === undefined || ext.problems.length > 0) {
    throw new StartError([...ext.problems, ...errors.map(startProblemOf)]);
  }
  await pipeline.start().catch((error: unknown) => {
    throw error instanceof NotStarted ? new StartError(error.problems.map(startProblemOf)) : error;
  });
  return { pipeline, securityIni: ini.source, warnings: problems };
}

function ticks({ options, platform }: Composition): boolean {
  return options.ticking ?? (platform.runtime === "node" || platform.runtime === "deno");
}

const log = logOf("service");
const defects = logOf("http");

function onDefect(cause: unknown, { requestId, method, path }: { requestId: string; method: string; path: string }) {
  defects.error("A request failed by a defect", { requestId, method, path, error: cause });
}

/** The options that are settings. */
function settingsOf(options: ServiceOptions): Partial<Settings> {
  const {
    plugins: _plugins,
    securityIni: _ini,
    database: _database,
    now: _now,
    background: _work,
    ticking: _ticking,
    fetch: _fetch,
    ...rest
  } = options;
  return rest;
}
