import type { Account, AuthenticationResult, RealmAnswer, StrategyDecision } from "../plugin/contract.ts";

/** What is remembered of an accepted attempt. */
export interface RememberedAttempt {
  /** The security version before any realm was asked. */
  readonly version: number;
  /** Answers by realm name, each until a time in epoch milliseconds. */
  readonly answers: ReadonlyMap<string, RememberedAnswer>;
  readonly decision: StrategyDecision;
  /** Of the first account. */
  readonly userName: string;
  /** The decision may be reused until the first of the answers that led to it ends; 0: not at all. */
  readonly until: number;
  /** What came of it, with the roles that the database gave under this version. */
  result?: AuthenticationResult;
}
export interface RememberedAnswer {
  readonly answer: Account | "not mine";
  readonly until: number;
}

/** Attempts remembered; half of them are forgotten at a time. */
const mostRemembered = 10_000;

/** Accepted attempts by the digest of their credentials. Bounded; everything is dropped when the version moves. */
export interface ReuseCache {
  get(digest: string, version: number): RememberedAttempt | undefined;
  set(digest: string, attempt: RememberedAttempt): void;
}

export function createReuseCache(): ReuseCache {
  let recent = new Map<string, RememberedAttempt>();
  let older = new Map<string, RememberedAttempt>();
  let current = Number.NaN;

  return {
    get(digest, version) {
      if (version !== current) {
        recent = new Map();
        older = new Map();
        current = version;
        return undefined;
      }
      return recent.get(digest) ?? older.get(digest);
    },
    set(digest, attempt) {
      if (attempt.version !== current) return;
      if (recent.size >= mostRemembered / 2) {
        older = recent;
        recent = new Map();
      }
      recent.set(digest, attempt);
    },
  };
}

/** How long a realm's answer may be reused: as the realm says, and not beyond the account's own end. */
export function reusableUntil(answer: RealmAnswer, reuseMs: number, now: number): number {
  if (answer === "rejected" || answer === "unavailable" || reuseMs === 0) return 0;
  const until = now + reuseMs;
  return answer === "not mine" ? until : Math.min(until, answer.expires ?? until);
}
