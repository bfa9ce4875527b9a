import type { ChainPlan } from "./chain-plan.ts";
import type { ObjectDefinition } from "./object-definition.ts";
import type { ObjectGraph } from "./object-graph.ts";
import type { Problems } from "./problem.ts";

const beginning = { line: 1, column: 1 };

/** Checks that no object of an essential plugin is left out, and warns of chains that do without an essential filter. */
export function checkEssentials(
  { objects, registry, failed, broken }: ObjectGraph,
  realms: readonly ObjectDefinition[],
  plans: readonly ChainPlan[],
  problems: Problems,
): void {
  const essential = registry.plugins.filter((plugin) => plugin.essential);
  const manager = objects.get("securityManager");
  // What could not be read may be what is missing: its own error says enough.
  if (failed.size > 0 || (manager !== undefined && broken.has(manager))) return;
  for (const plugin of essential.filter(({ kind }) => kind === "realm")) {
    if (realms.some((realm) => realm.plugin === plugin)) continue;
    problems.error(manager?.set.get("realms")?.at ?? beginning, {
      code: "essential-missing",
      message: `The realms have none of the plugin ${plugin.names[0]}, without which internal requests fail`,
      fix: `Write in [main]: name = ${plugin.names[0]}, and add $name to securityManager.realms`,
    });
  }
  for (const plugin of essential.filter(({ kind }) => kind === "filter")) {
    const defined = [...objects.values()].some((object) => object.plugin === plugin && !object.predefined);
    const uses = plans.map(({ steps }) => steps.some(({ object }) => object.plugin === plugin));
    if (!defined && !uses.includes(true)) {
      problems.error(beginning, {
        code: "essential-missing",
        message: `There is no filter of the plugin ${plugin.names[0]}, without which internal requests fail`,
        fix: `Write in [main]: name = ${plugin.names[0]}, and put name[permissive] into the chains of [urls]`,
      });
      continue;
    }
    for (const [index, plan] of plans.entries()) {
      if (uses[index]) continue;
      problems.warning(plan.at, {
        code: "essential-missing",
        message: `The chain has no filter of the plugin ${plugin.names[0]}, so that internal requests fail on these paths`,
        fix: `Put a filter of ${plugin.names[0]} into the chain, unless that is meant`,
      });
    }
  }
}
