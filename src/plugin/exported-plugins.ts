import type { Plugin } from "./contract.ts";
import { pluginProblems } from "./plugin-shape.ts";

/** A plugin as a module exports it. */
export interface ExportedPlugin {
  readonly plugin: Plugin;
  /** Absent for an element of an exported array. */
  readonly exportName?: string;
  /** It is the only plugin of its module. */
  readonly alone: boolean;
}

type Report = (message: string, fix: string) => void;

const shapeFix =
  "Export plugin objects: { kind, names, create }, by default or by name, alone or in an array; defineRealm and its like check this while you write";

/**
 * The plugins that a module exports: its default export and its named ones, single objects or arrays of them. Named
 * exports of another kind are passed over; a default export, and anything that looks like a plugin, must be one.
 */
export function pluginsOf(namespace: unknown, report: Report): readonly ExportedPlugin[] {
  const found: { plugin: Plugin; exportName?: string }[] = [];
  let wrong = false;
  const refuse = (message: string) => {
    wrong = true;
    report(message, shapeFix);
  };
  try {
    for (const [exportName, value] of exportsOf(namespace)) {
      const array = Array.isArray(value);
      const values: readonly unknown[] = array ? value : [value];
      for (const [at, candidate] of values.entries()) {
        const place = array ? `Element ${at} of its export ${exportName}` : `Its export ${exportName}`;
        const must = exportName === "default" || looksLikePlugin(candidate);
        if (!must && !array) continue;
        const problems = pluginProblems(candidate);
        for (const problem of problems) refuse(`${place} ${problem}`);
        if (problems.length > 0 || found.some(({ plugin }) => plugin === candidate)) continue;
        const plugin = candidate as Plugin;
        found.push(array ? { plugin } : { plugin, exportName });
      }
    }
  } catch (error) {
    refuse(`Its exports cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (found.length === 0 && !wrong) {
    report(
      "The module exports no plugin",
      "Export a plugin object by default; modules that plugins share go into a sub-folder without a package.json",
    );
  }
  return found.map((one) => ({ ...one, alone: found.length === 1 }));
}

/** Default export first, so that a plugin that is exported twice is known by it. */
function exportsOf(namespace: unknown): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(namespace as Record<string, unknown>);
  return [...entries.filter(([name]) => name === "default"), ...entries.filter(([name]) => name !== "default")];
}

function looksLikePlugin(value: unknown): boolean {
  return typeof value === "object" && value !== null && "kind" in value && ("create" in value || "names" in value);
}
