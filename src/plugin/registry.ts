import type { Plugin } from "./contract.ts";
import { pluginProblems } from "./plugin-shape.ts";

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
  /** Every name that finds a plugin, for suggestions. */
  readonly names: readonly string[];
  /**
   * The plugin of a short name, a class name, or `./file.ts` and `./file.ts#exportName` for a module of the ext folder;
   * else a sentence of why there is none.
   */
  find(name: string): Plugin | RegistryFault;
  /** What is wrong with the plugins themselves: a wrong shape, a name that two of them claim. */
  readonly faults: readonly string[];
}

/** Why a name finds no plugin. */
export interface RegistryFault {
  readonly code: "unknown-class" | "refused-class";
  readonly message: string;
  readonly fix: string;
}

/** Registers plugins under their names and modules under their files. */
export function createRegistry(plugins: readonly Plugin[], modules: readonly PluginModule[] = []): PluginRegistry {
  const faults: string[] = [];
  const byName = new Map<string, Plugin>();
  const registered = new Set<Plugin>();
  for (const plugin of [...plugins, ...modules.flatMap((module) => Object.values(module.exports))]) {
    if (registered.has(plugin)) continue;
    const wrong = pluginProblems(plugin);
    if (wrong.length > 0) {
      faults.push(`The plugin ${plugin?.names?.[0] ?? "without a name"} ${wrong.join(", ")}`);
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
    names: [...byName.keys(), ...modules.map(({ file }) => `./${file}`)],
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
      return byName.get(name) ?? unknownClass();
    },
  };
}

/** A class name of this service, and the same under the names that the reference product gives its classes. */
function alsoKnownAs(name: string): readonly string[] {
  const own = "com.service.security.auth.";
  if (!name.startsWith(own)) return [name];
  return [name, `com.vidispine.security.auth.${name.slice(own.length).replaceAll("Service", "Vidispine")}`];
}

function unknownClass(): RegistryFault {
  return {
    code: "unknown-class",
    message: "No plugin has this name",
    fix: "Name a plugin that comes with the service, ./file.ts for a module of the ext folder, or a plugin passed to createService",
  };
}

function findInModule(specifier: string, byFile: ReadonlyMap<string, PluginModule>): Plugin | RegistryFault {
  const hash = specifier.indexOf("#");
  const file = hash < 0 ? specifier : specifier.slice(0, hash);
  const module = byFile.get(file);
  if (module === undefined) {
    return {
      code: "unknown-class",
      message: "There is no such module in the ext folder",
      fix: "Put the module into the ext folder, or correct its name",
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
