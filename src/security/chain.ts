import type { Filter } from "../plugin/contract.ts";
import type { ChainPlan, StepPlan } from "./chain-plan.ts";
import type { Instances } from "./instances.ts";
import { isDisabled } from "./object-definition.ts";
import type { PathPattern } from "./path-pattern.ts";
import type { Position, Problems } from "./problem.ts";

/** A chain of `[urls]`, ready to run. */
export interface Chain {
  readonly pattern: PathPattern;
  readonly at: Position;
  /** Filters that are switched off are left out. */
  readonly steps: readonly ChainStep[];
  /** The challenge of the chain's last scheme, for refusals that belong to no scheme of their own. */
  readonly challenge: string;
}
export interface ChainStep {
  /** The filter's name in the file. */
  readonly name: string;
  readonly filter: Filter;
  readonly words: readonly string[];
  readonly permissive: boolean;
}

/** What a chain without any scheme answers with: RFC 9110 wants a challenge in every 401. */
const fallbackChallenge = 'Basic realm="application"';

/** Makes chains of plans and filters, and has the filters check their words. */
export function compileChains(plans: readonly ChainPlan[], instances: Instances, problems: Problems): readonly Chain[] {
  return plans.map(({ pattern, at, steps: planned }) => {
    const steps = planned.flatMap((plan) => {
      const filter = instances.get(plan.object) as Filter | undefined;
      if (filter === undefined) return [];
      const step = compileStep(plan, filter, problems);
      return isDisabled(plan.object) ? [] : [step];
    });
    const challenge = steps.findLast(({ filter }) => filter.challenge !== undefined)?.filter.challenge;
    return { pattern, at, steps, challenge: challenge ?? fallbackChallenge };
  });
}

const permissiveWord = "permissive";

function compileStep({ object, words: written, at }: StepPlan, filter: Filter, problems: Problems): ChainStep {
  const { name } = object;
  const mayBePermissive = filter.mayBePermissive ?? false;
  const permissive = mayBePermissive && written.includes(permissiveWord);
  const words = permissive ? written.filter((word) => word !== permissiveWord) : written;
  const report = (severity: "error" | "warning", message: string) =>
    problems[severity](at, {
      code: "bad-words",
      message: `${message} (${name})`,
      fix: `Correct the words in the brackets: ${name}[word, word]`,
    });
  try {
    const faults = wordFaults(filter, words, mayBePermissive);
    for (const fault of faults) report("error", fault);
    for (const warning of faults.length === 0 ? (filter.warnWords?.(words) ?? []) : []) report("warning", warning);
  } catch (error) {
    report("error", `The filter failed to check its words: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { name, filter, words: Object.freeze([...words]), permissive };
}

function wordFaults(filter: Filter, words: readonly string[], mayBePermissive: boolean): readonly string[] {
  if (filter.checkWords !== undefined) return filter.checkWords(words);
  if (words.length === 0) return [];
  return [mayBePermissive ? "The filter takes no word but permissive" : "The filter takes no words"];
}
