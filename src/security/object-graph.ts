import type { PluginRegistry } from "../plugin/registry.ts";
import type { IniEntry } from "./ini.ts";
import type { LookUps } from "./interpolation.ts";
import { defineObject, frameworkObjects, type ObjectDefinition } from "./object-definition.ts";
import type { Finding, Problems } from "./problem.ts";
import type { Suggest } from "./suggest.ts";

/** The objects of a `security.ini`, as far as it has been read. */
export interface ObjectGraph {
  /** In the order in which they come to be: those that are always there first. */
  readonly objects: Map<string, ObjectDefinition>;
  /** Texts that must not be printed: filled in from outside, or set for secret properties. */
  readonly secrets: Set<string>;
  /** Names whose definition failed; that they are missing need not be said again. */
  readonly failed: Set<string>;
  /** Objects with a property that could not be read; they are not made. */
  readonly broken: Set<ObjectDefinition>;
  readonly registry: PluginRegistry;
  readonly lookUps: LookUps;
  readonly problems: Problems;
  readonly suggest: Suggest;
}

/** Starts a graph with the framework's own objects and those that plugins have predefined. */
export function startGraph(
  parts: Pick<ObjectGraph, "registry" | "lookUps" | "problems" | "suggest">,
  hasAccounts: boolean,
): ObjectGraph {
  const objects = new Map(frameworkObjects().map((object) => [object.name, object]));
  for (const plugin of parts.registry.plugins) {
    const { predefined } = plugin;
    if (predefined === undefined || (plugin.sections && !hasAccounts)) continue;
    objects.set(predefined, defineObject(predefined, plugin, { line: 1, column: 1 }, true));
  }
  return { ...parts, objects, secrets: new Set(), failed: new Set(), broken: new Set() };
}

/** Reports an error at the beginning of an entry's value. */
export function valueError(graph: ObjectGraph, entry: IniEntry, finding: Finding): void {
  graph.problems.error(entry.valueAt(0), finding);
}
