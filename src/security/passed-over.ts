import type { AuthenticationListener, Filter } from "../plugin/contract.ts";
import type { ChainPlan } from "./chain-plan.ts";
import type { Instances } from "./instances.ts";
import { isDisabled, type ObjectDefinition } from "./object-definition.ts";
import type { Problems } from "./problem.ts";

/** Warns where a chain authenticates callers in a way that a listener takes no notice of. */
export function warnOfPassedOver(
  listeners: readonly ObjectDefinition[],
  plans: readonly ChainPlan[],
  instances: Instances,
  problems: Problems,
): void {
  const filters = new Set(plans.flatMap(({ steps }) => steps.map(({ object }) => object)));
  for (const definition of listeners) {
    const { passesOver = [] } = (instances.get(definition) ?? {}) as AuthenticationListener;
    for (const filter of filters) {
      const { authenticates } = (instances.get(filter) ?? {}) as Filter;
      if (authenticates === undefined || !passesOver.includes(authenticates) || isDisabled(filter)) continue;
      problems.warning(definition.at, {
        code: "listener-passes-over",
        message: `${definition.name} does nothing after logins by ${authenticates}, and ${filter.name} lets callers in so`,
        fix: `Make the users of those callers in another way, or leave out ${definition.name} or ${filter.name}`,
      });
    }
  }
}
