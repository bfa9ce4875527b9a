import type { AuthenticationStrategy, PluginLog, StrategyDecision } from "../plugin/contract.ts";
import type { Asking } from "./asking.ts";
import { atLeastOneSuccessful } from "./default-strategy.ts";
import { isAccount, isPromise } from "./realm-call.ts";
import { type Redact, reasonOf } from "./redact.ts";

export interface DecideDeps {
  /** Default: asks every realm and accepts when at least one accepts. */
  readonly strategy?: AuthenticationStrategy | undefined;
  readonly log: PluginLog;
  readonly redact: Redact;
}

/** Has the strategy decide. A strategy that throws, or decides nothing, lets nobody in. */
export function decide(
  { strategy, log, redact }: DecideDeps,
  asking: Asking,
): StrategyDecision | Promise<StrategyDecision> {
  if (strategy === undefined) return atLeastOneSuccessful(asking.attempts);
  const failed = (error: unknown): StrategyDecision => {
    log.error("The authentication strategy failed", { reason: reasonOf(error, redact) });
    return { accepted: false, accounts: new Map(), unavailable: "authenticationStrategy" };
  };
  try {
    const decision = strategy.decide(asking.attempts, asking.unable);
    return isPromise(decision) ? decision.then(checked).catch(failed) : checked(decision);
  } catch (error) {
    return failed(error);
  }
}

function checked(decision: StrategyDecision): StrategyDecision {
  const { accepted, accounts } = decision;
  if (typeof accepted !== "boolean" || !(accounts instanceof Map) || ![...accounts.values()].every(isAccount)) {
    throw new Error("decide returned no decision");
  }
  return decision;
}
