import type {
  AuthenticationRequest,
  Credentials,
  RealmAnswer,
  RealmAttempt,
  StrategyDecision,
} from "../plugin/contract.ts";
import { askRealm, isPromise, type NamedRealm } from "./realm-call.ts";
import type { Redact } from "./redact.ts";
import { type RememberedAnswer, type RememberedAttempt, reusableUntil } from "./reuse-cache.ts";

export interface AskingDeps {
  /** In the order in which they are asked. */
  readonly realms: readonly NamedRealm[];
  readonly now: () => number;
  readonly realmTimeoutMs: number;
  readonly redact: Redact;
}

type ReusedAnswers = ReadonlyMap<string, RememberedAnswer> | undefined;

const none: readonly string[] = [];

/** The questions of one attempt: each realm is asked at most once, or not at all when its last answer still holds. */
export class Asking {
  readonly credentials: Credentials;
  readonly request: AuthenticationRequest;
  /** Realms that can judge the credentials, to be asked. */
  readonly attempts: readonly RealmAttempt[];
  /** Names of those that cannot. */
  readonly unable: readonly string[];
  /** Whether a realm was really asked: not all answers were reused. */
  anyAsked = false;
  readonly #answers = new Map<NamedRealm, RealmAnswer | Promise<RealmAnswer>>();
  readonly #reused: ReusedAnswers;
  readonly #deps: AskingDeps;

  constructor(deps: AskingDeps, credentials: Credentials, request: AuthenticationRequest, reused: ReusedAnswers) {
    this.credentials = credentials;
    this.request = request;
    this.#deps = deps;
    this.#reused = reused;
    const able = deps.realms.filter(({ accepts }) => accepts.has(credentials.kind));
    const allAble = able.length === deps.realms.length;
    this.unable = allAble ? none : deps.realms.filter((one) => !able.includes(one)).map(({ name }) => name);
    this.attempts = able.map((one) => ({ realm: one.name, ask: () => this.#ask(one) }));
  }

  #ask(one: NamedRealm): RealmAnswer | Promise<RealmAnswer> {
    const given = this.#answers.get(one);
    if (given !== undefined) return given;
    const { now, realmTimeoutMs, redact } = this.#deps;
    const reused = this.#reused?.get(one.name);
    if (reused !== undefined && reused.until > now()) {
      this.#answers.set(one, reused.answer);
      return reused.answer;
    }
    this.anyAsked = true;
    const answer = askRealm(one, this.credentials, this.request, realmTimeoutMs, redact);
    this.#answers.set(one, answer);
    if (!isPromise(answer)) return answer;
    return answer.then((settled) => {
      this.#answers.set(one, settled);
      return settled;
    });
  }

  /**
   * What of an accepted attempt may be reused: accounts and `not mine`, never `rejected` or `unavailable`. The decision
   * as a whole only when every answer that led to it may.
   */
  remember(decision: StrategyDecision, version: number): RememberedAttempt {
    const now = this.#deps.now();
    const answers = new Map<string, RememberedAnswer>();
    let until = Number.POSITIVE_INFINITY;
    for (const [{ name, reuseMs }, answer] of this.#answers) {
      const reused = this.#reused?.get(name);
      const kept = reused?.answer === answer && reused.until > now ? reused : keep(answer, reuseMs, now);
      until = Math.min(until, kept?.until ?? 0);
      if (kept !== undefined) answers.set(name, kept);
    }
    const [account] = decision.accounts.values();
    const userName = account?.userName ?? "";
    return { version, answers, decision, userName, until: this.#answers.size > 0 ? until : 0 };
  }
}

function keep(answer: RealmAnswer | Promise<RealmAnswer>, reuseMs: number, now: number): RememberedAnswer | undefined {
  if (isPromise(answer) || answer === "rejected" || answer === "unavailable") return undefined;
  const until = reusableUntil(answer, reuseMs, now);
  return until > now ? { answer, until } : undefined;
}
