import type { ChainPlan } from "./chain-plan.ts";
import type { ObjectDefinition } from "./object-definition.ts";
import type { ObjectGraph } from "./object-graph.ts";

/** What requests meet: the realms in the order in which they are asked, the strategy, the listeners. */
export interface Parts {
  readonly realms: readonly ObjectDefinition[];
  readonly strategy: ObjectDefinition | undefined;
  readonly listeners: readonly ObjectDefinition[];
}

/** What `securityManager` is composed of. Without a list of realms it has all of them, in their order. */
export function takeParts({ objects, problems }: ObjectGraph): Parts {
  const set = objects.get("securityManager")?.set;
  const listed = set?.get("realms");
  const all = [...objects.values()].filter(({ kind }) => kind === "realm");
  const realms = listed?.value.kind === "objects" ? listed.value.objects : all;
  for (const { plugin, name } of all) {
    if (listed === undefined || !plugin?.sections || plugin.predefined !== name) continue;
    if (realms.some((realm) => realm.plugin === plugin)) continue;
    problems.warning(listed.at, {
      code: "ignored-lines",
      message: "[users] and [roles] are not used: the realms named here do not include theirs",
      fix: `Add $${name} to the list, or remove the sections`,
    });
  }
  const strategy = set?.get("authenticator.authenticationStrategy")?.value;
  const listeners = set?.get("authenticator.authenticationListeners")?.value;
  return {
    realms,
    strategy: strategy?.kind === "object" ? strategy.object : undefined,
    listeners: listeners?.kind === "objects" ? listeners.objects : [],
  };
}

/** Everything that the file defines, sets or uses; predefined objects only when something of that holds for them. */
export function wantedObjects(
  { objects }: ObjectGraph,
  plans: readonly ChainPlan[],
  realms: readonly ObjectDefinition[],
): ReadonlySet<ObjectDefinition> {
  const wanted = new Set([...objects.values()].filter(({ predefined, touched }) => !predefined || touched));
  for (const realm of realms) wanted.add(realm);
  for (const { steps } of plans) for (const { object } of steps) wanted.add(object);
  return wanted;
}
