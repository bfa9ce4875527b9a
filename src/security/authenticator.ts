import type {
  Account,
  AuthenticationRequest,
  AuthenticationResult,
  Credentials,
  SentCredentials,
  StrategyDecision,
} from "../plugin/contract.ts";
import { Asking, type AskingDeps } from "./asking.ts";
import { type DecideDeps, decide } from "./decide.ts";
import { type ListenerDeps, tellListeners } from "./listeners.ts";
import type { Lockout } from "./lockout.ts";
import { isPromise } from "./realm-call.ts";
import { createReuseCache, type RememberedAttempt } from "./reuse-cache.ts";
import { createSubject } from "./subject.ts";
import type { UserRoles, UserSource } from "./user-source.ts";

export interface AuthenticatorDeps extends AskingDeps, DecideDeps, ListenerDeps {
  readonly users: UserSource;
  readonly lockout?: Lockout | undefined;
  /** A digest under a key of this process. */
  readonly digest: (text: string) => string | Promise<string>;
  /** Moves when a user, key, group, token or authentication configuration changes. */
  readonly securityVersion: (time?: number) => number;
}

interface Established {
  readonly origin: string;
  readonly user: UserRoles;
  readonly result: AuthenticationResult;
}
type Outcome = AuthenticationResult | Promise<AuthenticationResult>;

/** Asks realms about credentials and makes subjects. Makes no promise when nothing has to be waited for. */
export interface Authenticator {
  authenticate(given: Credentials | SentCredentials, request: AuthenticationRequest): Outcome;
  /** Makes a subject of an account that the filter `origin` has proven itself. */
  establish(account: Account, origin: string, mustExist: boolean): Outcome;
}

const rejected: AuthenticationResult = { outcome: "rejected" };
const nobody: ReadonlyMap<string, Account> = new Map();

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const { users, lockout, securityVersion, now } = deps;
  const cache = createReuseCache();
  /** What came of accounts that filters have proven: of frozen ones alone, which stay what they are. */
  const establishments = new WeakMap<Account, Established>();
  const reuses = deps.realms.some(({ reuseMs }) => reuseMs > 0);

  function attempt(credentials: Credentials, request: AuthenticationRequest, digest: string | undefined): Outcome {
    // Read before any realm is asked: an answer from before a change must not outlive the change.
    const version = securityVersion();
    const known = digest === undefined ? undefined : cache.get(digest, version);
    const result = reusable(known, now());
    if (result !== undefined) return result;
    const asking = new Asking(deps, credentials, request, known?.answers);
    const decision = decide(deps, asking);
    return isPromise(decision)
      ? decision.then((settled) => conclude(settled, asking, version, digest))
      : conclude(decision, asking, version, digest);
  }

  /** Roles change with the version, so the subject that was made under it is still the same. */
  function reusable(known: RememberedAttempt | undefined, time: number): AuthenticationResult | undefined {
    return known !== undefined && known.until > time ? known.result : undefined;
  }

  function conclude(decision: StrategyDecision, asking: Asking, version: number, digest: string | undefined): Outcome {
    const { credentials, request } = asking;
    const accepted = decision.accepted && decision.accounts.size > 0;
    const tells = asking.anyAsked || !accepted;
    const accounts = accepted ? decision.accounts : nobody;
    const failing = tells ? tellListeners(deps, { credentials, request, accounts }) : undefined;
    const finish = (listener: string | undefined): Outcome => {
      if (listener !== undefined) return { outcome: "unavailable", realm: listener };
      if (!accepted) return refusalOf(decision);
      const remembered = asking.remember(decision, version);
      if (digest !== undefined) cache.set(digest, remembered);
      return subjectOf(remembered, credentials.kind);
    };
    return isPromise(failing) ? failing.then(finish) : finish(failing);
  }

  function refusalOf({ unavailable }: StrategyDecision): AuthenticationResult {
    if (unavailable === undefined) return rejected;
    deps.log.warn("No realm accepted the credentials and one could not tell", { realm: unavailable });
    return { outcome: "unavailable", realm: unavailable };
  }

  /** The subject of an accepted attempt, with the roles that the database gives at this moment. */
  function subjectOf(remembered: RememberedAttempt, kind: Credentials["kind"]): Outcome {
    const user = users.rolesOf(remembered.userName);
    return isPromise(user)
      ? user.then((settled) => rememberedResult(remembered, kind, settled))
      : rememberedResult(remembered, kind, user);
  }

  function judged(
    credentials: Credentials,
    request: AuthenticationRequest,
    digest: string | Promise<string> | undefined,
  ): Outcome {
    return isPromise(digest)
      ? digest.then((settled) => attempt(credentials, request, settled))
      : attempt(credentials, request, digest);
  }

  /**
   * Counts an attempt that took a while. Those that ran beside it may have used up what was left meanwhile: then neither
   * a right guess nor a wrong one is told, or many at once would get around the limit.
   */
  function countLate(
    result: AuthenticationResult,
    request: AuthenticationRequest,
    userName: string | undefined,
  ): AuthenticationResult {
    const retryAfterSeconds = lockout?.check(request, userName);
    if (retryAfterSeconds === undefined || result.outcome === "unavailable") return count(result, request, userName);
    if (result.outcome === "rejected") lockout?.failed(request, userName);
    return { outcome: "locked", retryAfterSeconds };
  }

  // Functions of the warm path are made once, here: one made for each request costs more than it does.
  function count(
    result: AuthenticationResult,
    request: AuthenticationRequest,
    userName: string | undefined,
  ): AuthenticationResult {
    if (result.outcome === "accepted") lockout?.succeeded(request, userName);
    else if (result.outcome === "rejected") lockout?.failed(request, userName);
    return result;
  }

  function establish(account: Account, origin: string, user: UserRoles, mustExist: boolean): AuthenticationResult {
    if (mustExist && user.state !== "enabled") return rejected;
    const known = establishments.get(account);
    if (known !== undefined && known.user === user && known.origin === origin) return known.result;
    const result = resultOf({ accepted: true, accounts: new Map([[origin, account]]) }, "custom", user);
    const { roles, permissions } = account;
    if (Object.isFrozen(account) && roles === undefined && permissions === undefined) {
      establishments.set(account, { origin, user, result });
    }
    return result;
  }

  return {
    authenticate(given, request) {
      const text = reuses ? digestible(given) : undefined;
      const digest = text === undefined ? undefined : deps.digest(text);
      // Nearly every request ends here: credentials that were good a moment ago, and nobody who guesses.
      const time = now();
      if (typeof digest === "string" && (lockout === undefined || lockout.isCalm(time))) {
        const result = reusable(cache.get(digest, securityVersion(time)), time);
        if (result !== undefined) return result;
      }
      const credentials = "read" in given ? given.read() : given;
      if (credentials === undefined) return rejected;
      if (lockout === undefined) return judged(credentials, request, digest);
      const userName = "userName" in credentials ? credentials.userName : undefined;
      const retryAfterSeconds = lockout.check(request, userName);
      if (retryAfterSeconds !== undefined) return { outcome: "locked", retryAfterSeconds };
      const result = judged(credentials, request, digest);
      return isPromise(result)
        ? result.then((settled) => countLate(settled, request, userName))
        : count(result, request, userName);
    },

    establish(account, origin, mustExist) {
      const user = users.rolesOf(account.userName);
      return isPromise(user)
        ? user.then((settled) => establish(account, origin, settled, mustExist))
        : establish(account, origin, user, mustExist);
    },
  };
}

/** Text that stands for these credentials and no others; `undefined` when their value is the plugins' own matter. */
function digestible(credentials: Credentials | SentCredentials): string | undefined {
  if ("read" in credentials) return `s${credentials.scheme.length} ${credentials.scheme}${credentials.text}`;
  switch (credentials.kind) {
    case "password":
      return `p${credentials.userName.length} ${credentials.userName}${credentials.password}`;
    case "token":
      return `t${credentials.token}`;
    case "bearer":
      return `b${credentials.token}`;
    case "custom":
      return undefined;
  }
}

function rememberedResult(
  remembered: RememberedAttempt,
  kind: Credentials["kind"],
  user: UserRoles,
): AuthenticationResult {
  const result = resultOf(remembered.decision, kind, user);
  if (result.outcome === "accepted") remembered.result = result;
  return result;
}

/**
 * The result of an accepted attempt: roles are those of the realms that accepted and those of the user in the database.
 * A disabled user of the database is never a subject.
 */
function resultOf(decision: StrategyDecision, kind: Credentials["kind"], user: UserRoles): AuthenticationResult {
  const accounts = [...decision.accounts.values()];
  const [account] = accounts;
  if (account === undefined || user.state === "disabled") return rejected;
  const known = user.state === "enabled";
  const given = accounts.flatMap(({ roles }) => roles ?? []);
  const subject = createSubject({
    userName: account.userName,
    method: account.method ?? kind,
    realms: [...decision.accounts.keys()],
    known,
    // An administrator has a hundred roles: they are copied only where a realm gives some beside them.
    roles: known && given.length === 0 ? user.roles : new Set(known ? [...given, ...user.roles] : given),
    permissions: accounts.flatMap(({ permissions }) => permissions ?? []),
  });
  return { outcome: "accepted", subject };
}
