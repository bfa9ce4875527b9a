import { builtInPlugins } from "../plugins/built-in.ts";
import { mount, type RouteDescription } from "./http/dispatcher.ts";
import { versionRoutes } from "./http/version.ts";
import { createIdentityAccess } from "./identity/access.ts";
import { ensureFirstStart } from "./identity/first-start.ts";
import { identityRoutes } from "./identity/identity-routes.ts";
import { createLockout } from "./identity/lockout.ts";
import { runAs } from "./identity/run-as.ts";
import { defaultTokenIntervals } from "./identity/token-intervals.ts";
import { createUserSource } from "./identity/user-source.ts";
import { logOf } from "./logging/log.ts";
import { healthRoutes } from "./operations/health-routes.ts";
import type { Platform } from "./platform.ts";
import type { Plugin } from "./plugin/contract.ts";
import { loadSecurity, type PipelineDeps } from "./security/load.ts";
import type { SecurityPipeline } from "./security/pipeline.ts";
import type { Problem } from "./security/problem.ts";
import { createAnswering } from "./service/answering.ts";
import type { Connection } from "./service/connection.ts";
import { loadExt } from "./service/ext-plugins.ts";
import { databaseUrl, findSecurityIni } from "./service/instance-files.ts";
import { pluginContexts } from "./service/plugin-context.ts";
import { requestIds } from "./service/request-ids.ts";
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
  /** Given each promise that no request waits for; on Workers `waitUntil` belongs here. */
  readonly background?: (work: Promise<void>) => void;
}

/** A running service. */
export interface Service {
  /** Answers a request. Never rejects. `connection` is what the runtime knows beside the request. */
  fetch(request: Request, connection?: Connection): Response | Promise<Response>;
  /** Lets requests under way finish what they hold, stops the plugins and closes the database. */
  close(): Promise<void>;
  /** What the start did. */
  readonly started: StartReport;
  /** Every route with its parameters and role. */
  readonly routes: readonly RouteDescription[];
}

/** What a start did that an operator wants to be told. */
export interface StartReport {
  readonly migration: MigrationReport;
  /** The password of the user `admin` when this start made the user and the password up. Show it once. */
  readonly generatedAdminPassword?: string;
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
export async function createServiceOn(platform: Platform, options: ServiceOptions = {}): Promise<Service> {
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

async function serviceOver(store: Store, composition: Composition): Promise<Service> {
  const { platform, settings, now, migration } = composition;
  const { adminPassword, schemaNamespace: namespace } = settings;
  const hasher = await platform.passwordHasher();
  const first = await ensureFirstStart(store, { hasher, ...(adminPassword === undefined ? {} : { adminPassword }) });

  const tokenIntervals = () => defaultTokenIntervals;
  const users = createUserSource(store);
  const lockout = createLockout({ now, failuresPerMinute: () => 10 });
  const access = createIdentityAccess({ store, hasher, tokenIntervals });
  const { pipeline, warnings } = await startSecurity(composition, {
    users,
    lockout,
    digest: platform.keyedDigest(),
    securityVersion: () => store.versions.current("security"),
    context: pluginContexts({
      platform,
      identity: access,
      configuration: { current: () => undefined },
      fetch: globalThis.fetch,
      now,
    }),
  });

  const identity = { store, hasher, tokenIntervals, access, lockout };
  const dispatcher = mount(
    [
      versionRoutes({ version: kinoraVersion, site: settings.site }),
      healthRoutes({ store, health: () => pipeline.health() }),
      ...identityRoutes(identity),
    ],
    {
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
    },
  );
  const fetch = createAnswering({
    pipeline,
    dispatcher,
    runAs: (subject, header) => runAs(subject, header, users),
    namespace,
    nextRequestId: requestIds((length) => crypto.getRandomValues(new Uint8Array(length))),
    onDefect,
  });
  return {
    fetch,
    close: async () => {
      await pipeline.stop();
      await store.close();
    },
    started: {
      migration,
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
): Promise<{ readonly pipeline: SecurityPipeline; readonly warnings: readonly Problem[] }> {
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
  await pipeline.start();
  return { pipeline, warnings: problems };
}

const defects = logOf("http");

function onDefect(cause: unknown, { requestId, method, path }: { requestId: string; method: string; path: string }) {
  defects.error("A request failed by a defect", { requestId, method, path, error: cause });
}

/** The options that are settings. */
function settingsOf(options: ServiceOptions): Partial<Settings> {
  const { plugins: _plugins, securityIni: _ini, database: _database, now: _now, background: _work, ...rest } = options;
  return rest;
}
