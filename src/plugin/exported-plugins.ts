import type { Plugin } from "./contract.ts";
import { pluginProblems } from "./plugin-shape.ts";

type Report = (message: string, fix: string) => void;

const shapeFix =
  "Export plugin objects: { kind, names, create }, by default or by name, alone or in an array; defineRealm and its like check this while you write";

/**
 * The plugins that a module exports, by export name: its default export and its named ones, single objects or arrays of
 * them. An element of an array has the short name of the plugin in the place of an export name.
 *
 * Named exports of another kind are passed over; a default export, and anything that looks like a plugin, must be one.
 */
export function pluginsOf(namespace: unknown, report: Report): Readonly<Record<string, Plugin>> {
  const found = new Map<string, Plugin>();
  let wrong = false;
  const take = (place: string, value: unknown, exportName?: string) => {
    const problems = pluginProblems(value);
    for (const problem of problems) report(`${place} ${problem}`, shapeFix);
    if (problems.length > 0) {
      wrong = true;
      return;
    }
    const plugin = value as Plugin;
    const key = exportName ?? plugin.names[0];
    if (found.has(key) && found.get(key) !== plugin) report(`Two of its plugins have the name ${key}`, "Rename one");
    found.set(key, plugin);
  };
  try {
    for (const [name, value] of Object.entries(namespace as Record<string, unknown>)) {
      const place = name === "default" ? "Its default export" : `Its export ${name}`;
      if (Array.isArray(value)) {
        if (name !== "default" && !value.some(looksLikePlugin)) continue;
        for (const [at, element] of value.entries()) take(`${place}, element ${at},`, element);
      } else if (name === "default" || looksLikePlugin(value)) take(place, value, name);
    }
  } catch (error) {
    wrong = true;
    report(`Its exports cannot be read: ${error instanceof Error ? error.message : String(error)}`, shapeFix);
  }
  if (found.size === 0 && !wrong) {
    report(
      "The module exports no plugin",
      "Export a plugin object by default; modules that plugins share go into a sub-folder without a package.json",
    );
  }
  return Object.fromEntries(found);
}

function looksLikePlugin(value: unknown): boolean {
  return typeof value === "object" && value !== null && "kind" in value && ("create" in value || "names" in value);
}
