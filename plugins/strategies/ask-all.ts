import type { Account, RealmAnswer, RealmAttempt, StrategyDecision } from "../../src/plugin/mod.ts";

interface Rules {
  /** Only the first account counts. */
  readonly keepFirst: boolean;
  /** Realms behind the first that accepts are not asked. */
  readonly stopAtFirst: boolean;
}

/** Asks realms in order; makes no promise as long as they make none. */
export function askAll(attempts: readonly RealmAttempt[], rules: Rules): StrategyDecision | Promise<StrategyDecision> {
  return askFrom(attempts, 0, rules, new Map(), undefined);
}

function askFrom(
  attempts: readonly RealmAttempt[],
  start: number,
  rules: Rules,
  accounts: Map<string, Account>,
  unavailableBefore: string | undefined,
): StrategyDecision | Promise<StrategyDecision> {
  let unavailable = unavailableBefore;
  for (let at = start; at < attempts.length; at++) {
    const attempt = attempts[at];
    if (!attempt) continue;
    if (rules.stopAtFirst && accounts.size > 0) break;
    const answer = attempt.ask();
    if (isPromise(answer)) {
      const before = unavailable;
      return answer.then((settled) => {
        const failed = count(attempt.realm, settled, rules, accounts) ? before : (before ?? attempt.realm);
        return askFrom(attempts, at + 1, rules, accounts, failed);
      });
    }
    if (!count(attempt.realm, answer, rules, accounts)) unavailable ??= attempt.realm;
  }
  const accepted = accounts.size > 0;
  return accepted || unavailable === undefined ? { accepted, accounts } : { accepted, accounts, unavailable };
}

/** Keeps the account of an answer that has one. `false`: the realm could not tell. */
function count(realm: string, answer: RealmAnswer, rules: Rules, accounts: Map<string, Account>): boolean {
  if (answer === "unavailable") return false;
  if (typeof answer === "object" && !(rules.keepFirst && accounts.size > 0)) accounts.set(realm, answer);
  return true;
}

function isPromise(answer: RealmAnswer | Promise<RealmAnswer>): answer is Promise<RealmAnswer> {
  return typeof answer === "object" && "then" in answer;
}
