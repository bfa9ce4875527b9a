import type { CanonicalTarget } from "./canonical-path.ts";
import type { ChainPlan, StepPlan } from "./chain-plan.ts";
import { matchesRequest } from "./chain-table.ts";
import { stepText } from "./describe.ts";
import { isDisabled } from "./object-definition.ts";

/** The chain that a request would take, and why. */
export interface ChainExplanation {
  readonly method: string;
  /** The canonical path that patterns are compared with. */
  readonly path: string;
  /** The lines of `[urls]` in file order, up to the one that matches. */
  readonly compared: readonly { readonly pattern: string; readonly line: number; readonly matches: boolean }[];
  /** Absent when no line matches, or two would by the slash at the path's end: the request is refused. */
  readonly chain?: { readonly pattern: string; readonly line: number; readonly steps: readonly ExplainedStep[] };
  /** The same for a person, line by line. */
  readonly text: readonly string[];
}
export interface ExplainedStep {
  /** As the chain writes it. */
  readonly text: string;
  readonly plugin: string;
  readonly description: string | undefined;
  /** Stands in front of every chain. */
  readonly global: boolean;
  /** Switched off by `enabled = false`. */
  readonly skipped: boolean;
}

export function explainChain(plans: readonly ChainPlan[], target: CanonicalTarget, method: string): ChainExplanation {
  const matching = (trailingSlash: boolean) =>
    plans.findIndex(({ pattern }) => matchesRequest(pattern, target, trailingSlash));
  const index = matching(false);
  const ambiguous = target.trailingSlash && target.segments.length > 0 && matching(true) !== index;
  const plan = ambiguous ? undefined : plans[index];
  const compared = plans
    .slice(0, index < 0 ? plans.length : index + 1)
    .map(({ pattern, at }, position) => ({ pattern: pattern.text, line: at.line, matches: position === index }));
  const chain =
    plan === undefined
      ? undefined
      : { pattern: plan.pattern.text, line: plan.at.line, steps: plan.steps.map(explainStep) };
  const described = { method, path: target.path, compared, ...(chain === undefined ? undefined : { chain }) };
  return { ...described, text: textOf(described, ambiguous) };
}

function explainStep({ object, words, global }: StepPlan): ExplainedStep {
  return {
    text: stepText(object.name, words),
    plugin: object.plugin?.names[0] ?? object.name,
    description: object.plugin?.description,
    global,
    skipped: isDisabled(object),
  };
}

function textOf(
  { method, path, compared, chain }: Omit<ChainExplanation, "text">,
  ambiguous: boolean,
): readonly string[] {
  const lines = [`${method} ${path}`];
  for (const { line, pattern, matches } of compared) {
    lines.push(`  line ${line}: ${pattern} ${matches ? "matches" : "does not match"}`);
  }
  if (chain === undefined) {
    lines.push(
      ambiguous
        ? "  refused with 403: with a slash at its end the path would get another chain than without"
        : "  refused with 403: no line matches",
    );
    return lines;
  }
  for (const { text, description, global, skipped } of chain.steps) {
    const notes = [global ? "in front of every chain" : "", skipped ? "switched off" : ""].filter(Boolean);
    const what = description === undefined ? "" : `: ${description}`;
    lines.push(`  ${text}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}${what}`);
  }
  return lines;
}
