import type { AnyRouteRequest, Route, RouteTable } from "../../http/route-table.ts";
import type { DefinitionCache } from "./definition-cache.ts";
import type { Definitions } from "./definitions.ts";

/** What a part of a path names. */
type Named = "metadata-field" | "field-group";

export interface IdentifiedDefinitionsDeps {
  readonly definitions: DefinitionCache;
  /** The row of the field or group that has an external identifier. */
  readonly findIdentified?: (type: Named, identifier: string) => Promise<number | undefined>;
}

/** What the parameters of a path name, by where they stand; those that name anything else are left out. */
function namedIn(path: string): ReadonlyMap<string, Named> {
  const segments = path.split("/");
  const named = new Map<string, Named>();
  for (const [index, segment] of segments.entries()) {
    const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
    const before = segments[index - 1] ?? "";
    if (parameter === undefined) continue;
    if (before === "metadata-field") named.set(parameter, "metadata-field");
    else if (["field-group", "group", "metadata-schema"].includes(before)) named.set(parameter, "field-group");
    else if (named.get(before.slice(1, -1)) === "field-group") named.set(parameter, "metadata-field");
  }
  return named;
}

/** The request, with other parameters in its path. */
function withParams(request: AnyRouteRequest, params: AnyRouteRequest["params"]): AnyRouteRequest {
  return new Proxy(request, {
    get(target, key) {
      if (key === "params") return params;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Lets external identifiers of fields and field groups stand in place of their names in the paths of routes. */
export function withIdentifiers(table: RouteTable, deps: IdentifiedDefinitionsDeps): RouteTable {
  return { ...table, routes: table.routes.map((route) => identified(route, deps)) };
}

function identified(route: Route, { definitions, findIdentified }: IdentifiedDefinitionsDeps): Route {
  const named = namedIn(route.path);
  if (named.size === 0 || findIdentified === undefined) return route;
  const nameOf = async (type: Named, text: string): Promise<string> => {
    const isField = type === "metadata-field";
    const isName = (known: Definitions) => (isField ? known.field(text) : known.group(text)) !== undefined;
    if (isName(await definitions.current())) return text;
    const known = await definitions.fresh();
    const row = isName(known) ? undefined : await findIdentified(type, text);
    return (isField ? known.fields : known.groups).find(({ id }) => id === row)?.name ?? text;
  };
  return {
    ...route,
    async handle(request) {
      const params: Record<string, string> = { ...request.params };
      for (const [parameter, type] of named) params[parameter] = await nameOf(type, params[parameter] ?? "");
      return route.handle(withParams(request, params));
    },
  };
}
