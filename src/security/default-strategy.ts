import type { Account, RealmAnswer, RealmAttempt, StrategyDecision } from "../plugin/contract.ts";
import { isPromise } from "./realm-call.ts";

/**
 * What the specification asks for when no strategy is set: every realm is asked in order, and credentials that at least
 * one realm accepts are accepted.
 */
export function atLeastOneSuccessful(attempts: readonly RealmAttempt[]): StrategyDecision | Promise<StrategyDecision> {
  return askFrom(0, attempts, new Map(), undefined);
}

function askFrom(
  start: number,
  attempts: readonly RealmAttempt[],
  accounts: Map<string, Account>,
  unavailable: string | undefined,
): StrategyDecision | Promise<StrategyDecision> {
  let couldNotTell = unavailable;
  for (let index = start; index < attempts.length; index++) {
    const attempt = attempts[index];
    if (attempt === undefined) continue;
    const answer = attempt.ask();
    if (isPromise(answer)) {
      const before = couldNotTell;
      return answer.then((settled) =>
        askFrom(index + 1, attempts, accounts, note(attempt.realm, settled, accounts, before)),
      );
    }
    couldNotTell = note(attempt.realm, answer, accounts, couldNotTell);
  }
  const accepted = accounts.size > 0;
  return accepted || couldNotTell === undefined
    ? { accepted, accounts }
    : { accepted, accounts, unavailable: couldNotTell };
}

function note(
  realm: string,
  answer: RealmAnswer,
  accounts: Map<string, Account>,
  unavailable: string | undefined,
): string | undefined {
  if (typeof answer === "object") accounts.set(realm, answer);
  return answer === "unavailable" ? (unavailable ?? realm) : unavailable;
}
