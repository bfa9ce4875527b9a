import { logOf } from "../logging/log.ts";
import type { Platform } from "../platform.ts";
import { constantTimeEqual } from "../plugin/constant-time.ts";
import type { ConfigurationAccess, IdentityAccess, PluginContext, SharedDocuments } from "../plugin/contract.ts";

/** What the contexts of all plugins share. */
export interface PluginContextDeps {
  readonly platform: Platform;
  readonly identity: IdentityAccess;
  readonly configuration: ConfigurationAccess;
  readonly shared: SharedDocuments;
  readonly digest: (text: string) => string | Promise<string>;
  readonly fetch: typeof fetch;
  readonly now: () => number;
}

/** Makes the context of each object of `security.ini`, by its name there. */
export function pluginContexts(deps: PluginContextDeps): (name: string) => PluginContext {
  const { platform, identity, configuration, shared, digest, now } = deps;
  return (name) => ({
    name,
    log: logOf("plugin", name),
    now,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    fetch: deps.fetch,
    constantTimeEqual,
    identity,
    configuration,
    shared,
    digest,
    runtime: platform.runtime,
  });
}
