import type { RouteTable } from "../../http/route-table.ts";
import { fieldAccessRoutes } from "./access-routes.ts";
import { fieldRoutes } from "./field-routes.ts";
import type { FieldRoutesDeps } from "./field-routes-deps.ts";
import { groupRoutes } from "./group-routes.ts";
import { type IdentifiedDefinitionsDeps, withIdentifiers } from "./identified-definitions.ts";
import { metadataSchemaRoutes } from "./schema-routes.ts";

/** Definitions of fields and field groups, their access lists, and the validation schema. */
export function definitionRoutes(deps: FieldRoutesDeps & IdentifiedDefinitionsDeps): readonly RouteTable[] {
  const tables = [fieldRoutes(deps), groupRoutes(deps), fieldAccessRoutes(deps), metadataSchemaRoutes(deps)];
  return tables.map((table) => withIdentifiers(table, deps));
}
