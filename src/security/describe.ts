import type { ChainPlan } from "./chain-plan.ts";
import type { ObjectDefinition } from "./object-definition.ts";

/** What `security.ini` composes, for a person who operates the service. */
export interface PipelineDescription {
  /** In the order in which they are asked. */
  readonly realms: readonly DescribedObject[];
  readonly strategy: string;
  readonly listeners: readonly DescribedObject[];
  readonly chains: readonly { readonly pattern: string; readonly line: number; readonly filters: readonly string[] }[];
}
export interface DescribedObject {
  readonly name: string;
  /** Short name of the plugin. */
  readonly plugin: string;
}

export function describeObject({ name, plugin }: ObjectDefinition): DescribedObject {
  return { name, plugin: plugin?.names[0] ?? name };
}

export function describeChains(plans: readonly ChainPlan[]): PipelineDescription["chains"] {
  return plans.map(({ pattern, at, steps }) => ({
    pattern: pattern.text,
    line: at.line,
    filters: steps.map(({ object, words }) => stepText(object.name, words)),
  }));
}

/** A filter as a chain writes it. */
export function stepText(name: string, words: readonly string[]): string {
  return words.length === 0 ? name : `${name}[${words.join(",")}]`;
}
