import { nearestName } from "../nearest-name.ts";
import type { Plugin, PluginKind } from "./contract.ts";

/** The plugins that a module of the ext folder exports. */
export interface PluginModule {
  /** Path of the module within the ext folder, for example `static-users.ts`. */
  readonly file: string;
  /** Plugins by the name under which the module exports them; `default` for the default export. */
  readonly exports: Readonly<Record<string, Plugin>>;
}

/** Finds plugins by the names that `security.ini` uses. */
export interface PluginRegistry {
  readonly plugins: readonly Plugin[];
  /**
   * The plugin of a short name, a class name, or `./file.ts` and `./file.ts#exportName` for a module of the ext folder;
   * else a sentence of why there is none.
   */
  find(name: string): Plugin | RegistryFault;
  /** What is wrong with the plugins themselves: a wrong shape, a name that two of them claim. */
  readonly faults: readonly string[];
}
export interface RegistryFault {
  readonly code: "unknown-class" | "refused-class";
  readonly message: string;
  readonly fix: string;
}

const kinds: ReadonlySet<string> = new Set<PluginKind>([
  "realm",
  "filter",
  "userInfoProvider",
  "authenticationListener",
  "authenticationStrategy",
  "credentialsMatcher",
]);

/** Registers plugins under their names and modules under their files. */
export function createRegistry(plugins: readonly Plugin[], modules: readonly PluginModule[] = []): PluginRegistry {
  const faults: string[] = [];
  const byName = new Map<string, Plugin>();
  const registered = new Set<Plugin>();
  for (const plugin of [...plugins, ...modules.flatMap((module) => Object.values(module.exports))]) {
    if (registered.has(plugin)) continue;
    const shape = shapeFault(plugin);
    if (shape !== undefined) {
      faults.push(shape);
      continue;
    }
    registered.add(plugin);
    for (const name of plugin.names.flatMap(alsoKnownAs)) {
      const other = byName.get(name);
      if (other === undefined) byName.set(name, plugin);
      else if (other !== plugin) faults.push(`Two plugins have the name ${name}`);
    }
  }
  const byFile = new Map(modules.map((module) => [module.file, module]));

  return {
    plugins: [...registered],
    faults,
    find(name) {
      if (name.startsWith("./")) return findInModule(name.slice(2), byFile);
      if (/^[a-z][a-z0-9+.-]*:/i.test(name)) {
        return {
          code: "refused-class",
          message: "Code is not loaded from an address",
          fix: "Put the module into the ext folder and write ./file.ts",
        };
      }
      return byName.get(name) ?? unknownClass(name, byName.keys());
    },
  };
}

/** A class name of this service, and the same under the names that the reference product gives its classes. */
function alsoKnownAs(name: string): readonly string[] {
  const own = "com.service.security.auth.";
  if (!name.startsWith(own)) return [name];
  return [name, `com.vidispine.security.auth.${name.slice(own.length).replaceAll("Service", "Vidispine")}`];
}

function unknownClass(name: string, known: Iterable<string>): RegistryFault {
  const names = [...known];
  const simple = name.slice(name.lastIndexOf(".") + 1);
  const nearest = nearestName(name, names) ?? nearestName(simple, names);
  return {
    code: "unknown-class",
    message: "No plugin has this name",
    fix:
      nearest === undefined
        ? "Name a plugin that comes with the service, ./file.ts for a module of the ext folder, or a plugin passed to createService"
        : `Perhaps ${nearest} is meant`,
  };
}

function findInModule(specifier: string, byFile: ReadonlyMap<string, PluginModule>): Plugin | RegistryFault {
  const hash = specifier.indexOf("#");
  const file = hash < 0 ? specifier : specifier.slice(0, hash);
  const module = byFile.get(file);
  if (module === undefined) {
    const nearest = nearestName(file, byFile.keys());
    return {
      code: "unknown-class",
      message: "There is no such module in the ext folder",
      fix: nearest === undefined ? "Put the module into the ext folder" : `Perhaps ./${nearest} is meant`,
    };
  }
  const names = Object.keys(module.exports);
  const wanted = hash < 0 ? (names.length === 1 ? names[0] : "default") : specifier.slice(hash + 1);
  const plugin = wanted !== undefined && Object.hasOwn(module.exports, wanted) ? module.exports[wanted] : undefined;
  if (plugin !== undefined) return plugin;
  return {
    code: "unknown-class",
    message: hash < 0 ? "The module has no default export that is a plugin" : "The module exports no such plugin",
    fix:
      names.length === 0 ? "Export a plugin object" : `Write ${names.map((name) => `./${file}#${name}`).join(" or ")}`,
  };
}

/** What keeps an object from being a plugin, as a sentence. */
function shapeFault(plugin: unknown): string | undefined {
  if (typeof plugin !== "object" || plugin === null) return "A plugin is not an object";
  const { names, kind, create, properties } = plugin as Readonly<Record<string, unknown>>;
  if (!Array.isArray(names) || names.length === 0 || !names.every((name) => typeof name === "string" && name !== "")) {
    return "A plugin has no names; give it names: [shortName]";
  }
  if (typeof kind !== "string" || !kinds.has(kind)) return `The plugin ${names[0]} has an unknown kind`;
  if (typeof create !== "function") return `The plugin ${names[0]} has no function create`;
  if (properties !== undefined && (typeof properties !== "object" || properties === null)) {
    return `The properties of the plugin ${names[0]} are neither a table nor a schema`;
  }
  return undefined;
}
