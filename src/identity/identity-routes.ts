import type { RouteTable } from "../http/route-table.ts";
import { type CredentialRoutesDeps, credentialRoutes } from "./credential-routes.ts";
import { graphRoutes } from "./graph-routes.ts";
import { groupDetailRoutes } from "./group-detail-routes.ts";
import { groupRoutes } from "./group-routes.ts";
import { userDetailRoutes } from "./user-detail-routes.ts";
import { userRoutes } from "./user-routes.ts";

/** Every route of users, groups, roles, tokens and access keys. */
export function identityRoutes(deps: CredentialRoutesDeps): readonly RouteTable[] {
  return [
    userRoutes(deps),
    userDetailRoutes(deps),
    groupRoutes(deps),
    groupDetailRoutes(deps),
    graphRoutes(deps),
    credentialRoutes(deps),
  ];
}
