import type { RouteTable } from "../http/route-table.ts";
import { auditRoutes } from "../identity/audit-routes.ts";
import { type AuthConfigurationDeps, authConfigurationRoutes } from "./auth-configuration-routes.ts";
import { configurationRoutes } from "./configuration-routes.ts";
import { corsRoutes } from "./cors-routes.ts";
import { propertyRoutes } from "./property-routes.ts";

/** Every route under `/configuration`, and the audit trail. */
export function configurationTables(deps: AuthConfigurationDeps): readonly RouteTable[] {
  return [
    configurationRoutes(),
    propertyRoutes(deps),
    authConfigurationRoutes(deps),
    corsRoutes(deps),
    auditRoutes(deps),
  ];
}
