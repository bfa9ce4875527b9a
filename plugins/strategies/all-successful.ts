import type { StrategyDecision } from "../../src/plugin/mod.ts";
import {
  type Account,
  defineAuthenticationStrategy,
  type RealmAnswer,
  type RealmAttempt,
} from "../../src/plugin/mod.ts";

/** Accepts when every realm accepts, a realm that cannot judge the credentials included; stops at the first failure. */
export default defineAuthenticationStrategy({
  names: ["AllSuccessfulStrategy", "org.apache.shiro.authc.pam.AllSuccessfulStrategy"],
  description: "Accepts only when every realm accepts",
  create: () => ({
    decide: (attempts, unable) =>
      unable.length > 0 ? { accepted: false, accounts: new Map() } : askUntilFailure(attempts, 0, new Map()),
  }),
});

function askUntilFailure(
  attempts: readonly RealmAttempt[],
  start: number,
  accounts: Map<string, Account>,
): StrategyDecision | Promise<StrategyDecision> {
  for (let at = start; at < attempts.length; at++) {
    const attempt = attempts[at];
    if (!attempt) continue;
    const answer = attempt.ask();
    if (typeof answer === "object" && "then" in answer) {
      return answer.then(
        (settled) => failureOf(attempt.realm, settled, accounts) ?? askUntilFailure(attempts, at + 1, accounts),
      );
    }
    const failure = failureOf(attempt.realm, answer, accounts);
    if (failure) return failure;
  }
  return { accepted: accounts.size > 0, accounts };
}

/** Keeps an account; turns any other answer into the decision that the attempt failed. */
function failureOf(realm: string, answer: RealmAnswer, accounts: Map<string, Account>): StrategyDecision | undefined {
  if (typeof answer === "object") {
    accounts.set(realm, answer);
    return undefined;
  }
  const refused = { accepted: false, accounts: new Map<string, Account>() };
  return answer === "unavailable" ? { ...refused, unavailable: realm } : refused;
}
