import { platform } from "#platform";
import { builtInPlugins } from "../../plugins/built-in.ts";
import type { IdentityAccess, SharedDocuments } from "../plugin/contract.ts";
import { type LoadedSecurity, loadSecurity } from "../security/load.ts";
import { loadExt } from "../service/ext-plugins.ts";
import { pluginContexts } from "../service/plugin-context.ts";
import type { StartProblem } from "../service/start-error.ts";
import type { Settings } from "../settings.ts";

/** A `security.ini` as the start would load it. */
export interface CheckedSecurity extends LoadedSecurity {
  /** What is wrong in the ext folder. */
  readonly extProblems: readonly StartProblem[];
}

/** Loads a `security.ini` with the plugins of the instance, as far as that goes without a database; starts nothing. */
export async function checkSecurity(text: string, source: string, settings: Settings): Promise<CheckedSecurity> {
  const { modules, problems } = await loadExt(platform, settings, builtInPlugins);
  const loaded = await loadSecurity(text, source, {
    plugins: builtInPlugins,
    modules,
    context: pluginContexts({
      platform,
      identity: noIdentity,
      configuration: { current: () => undefined },
      shared: noDocuments,
      digest: (text) => text,
      fetch: () => Promise.reject(new Error("A check sends nothing")),
      now: Date.now,
    }),
    users: { rolesOf: () => ({ state: "unknown", roles: new Set() }) },
    digest: (credentials) => credentials,
    securityVersion: () => 0,
    now: Date.now,
    variables: (name) => platform.variable(name),
    readFile: platform.readText,
    log: silent,
    startTimeoutMs: settings.startTimeoutSeconds * 1000,
  });
  return { ...loaded, extProblems: problems };
}

/** Plugins are made, but no request comes. */
const noIdentity: IdentityAccess = {
  authenticate: () => "unavailable",
  userState: () => Promise.resolve("unknown"),
  verifyHash: () => Promise.resolve(false),
  provisionUser: () => Promise.resolve(),
};

/** Nothing is fetched. */
const noDocuments: SharedDocuments = {
  keep: () => ({
    current: undefined,
    failure: undefined,
    ready: () => Promise.resolve(),
    refresh: () => Promise.resolve(),
    release: () => undefined,
  }),
};

const nothing = () => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };
