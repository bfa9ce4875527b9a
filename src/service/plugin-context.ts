import { logOf } from "../logging/log.ts";
import type { Platform } from "../platform.ts";
import type { ConfigurationAccess, IdentityAccess, PluginContext } from "../plugin/contract.ts";
import { constantTimeEqual } from "../security/constant-time.ts";

/** What the contexts of all plugins share. */
export interface PluginContextDeps {
  readonly platform: Platform;
  readonly identity: IdentityAccess;
  readonly configuration: ConfigurationAccess;
  readonly fetch: typeof fetch;
  readonly now: () => number;
}

/** Makes the context of each object of `security.ini`, by its name there. */
export function pluginContexts(deps: PluginContextDeps): (name: string) => PluginContext {
  const { platform, identity, configuration, now } = deps;
  return (name) => ({
    name,
    log: logOf("plugin", name),
    now,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    fetch: deps.fetch,
    constantTimeEqual,
    identity,
    configuration,
    runtime: platform.runtime,
  });
}
