import type { OAuth2Configuration } from "../operations/auth-configuration.ts";
import type { AuthConfigurationDeps } from "../operations/auth-configuration-routes.ts";
import { authDocument } from "../operations/auth-configuration-routes.ts";
import type { SecurityPipeline } from "../security/pipeline.ts";

/** What `/configuration/auth` knows of the bearer filter in `security.ini`. Without one, changing it is allowed. */
export function authConfigurationOf(pipeline: SecurityPipeline): Omit<AuthConfigurationDeps, "store"> {
  const configurable = pipeline.configurable(authDocument);
  return {
    configured: () => ({
      allowConfigUpdate: configurable?.allowUpdate ?? true,
      document: (configurable?.configured ?? {}) as OAuth2Configuration,
    }),
    checkKeys: async (document) => (await configurable?.check(document)) ?? [],
  };
}
