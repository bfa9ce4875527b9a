import type { Account, AuthenticationMethod, Credentials, FilterExchange, Subject } from "../contract.ts";

/** A request for a filter, and what there is around it. */
export interface TestExchangeOptions {
  /** Default `GET`. */
  readonly method?: string;
  /** Path and query as the client sends them. Default `/`. */
  readonly target?: string;
  /** Request headers, names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default `192.0.2.1`, an address for documentation. */
  readonly remoteAddress?: string | undefined;
  /** Default `false`. */
  readonly secure?: boolean;
  /** Default 80, or 443 when secure. */
  readonly port?: number;
  /** The words in brackets, without `permissive`. */
  readonly words?: readonly string[];
  readonly permissive?: boolean;
  /** A caller whom an earlier filter has authenticated. */
  readonly caller?: Account;
  /** The realms: the account of credentials that are accepted. Default: none is. */
  readonly accept?: (credentials: Credentials) => Account | "unavailable" | undefined;
  /** Whether the realms answer at once or by a promise. Default `false`: at once. */
  readonly slow?: boolean;
}

/** An exchange that notes what a filter did. */
export interface TestExchange extends FilterExchange {
  /** Credentials that the filter has put to the realms. */
  readonly asked: readonly Credentials[];
  /** Accounts that the filter has established by itself. */
  readonly established: readonly Account[];
}

/** Makes a request to hand to a filter. */
export function createTestExchange(options: TestExchangeOptions = {}): TestExchange {
  const { target = "/", secure = false } = options;
  const url = new URL(target, "http://kinora.test");
  const headers = new Headers(options.headers);
  const asked: Credentials[] = [];
  const established: Account[] = [];
  let subject = options.caller && subjectOf(options.caller, "password");

  function settle<T>(result: T): T | Promise<T> {
    return options.slow ? Promise.resolve(result) : result;
  }

  return {
    asked,
    established,
    method: options.method ?? "GET",
    path: url.pathname,
    segments: url.pathname.split("/").filter(Boolean).map(decodeURIComponent),
    rawTarget: target,
    remoteAddress: "remoteAddress" in options ? options.remoteAddress : "192.0.2.1",
    secure,
    port: options.port ?? (secure ? 443 : 80),
    words: options.words ?? [],
    permissive: options.permissive ?? false,
    challenge: 'Test realm="kinora"',
    header: (name) => headers.get(name) ?? undefined,
    query: (name) => url.searchParams.get(name) ?? undefined,
    get subject() {
      return subject;
    },
    authenticate(given) {
      const credentials = "read" in given ? given.read() : given;
      if (credentials === undefined) return settle({ outcome: "rejected" });
      asked.push(credentials);
      const account = options.accept?.(credentials);
      if (account === "unavailable") return settle({ outcome: "unavailable", realm: "tested" });
      if (!account) return settle({ outcome: "rejected" });
      subject = subjectOf(account, credentials.kind);
      return settle({ outcome: "accepted", subject });
    },
    establish(account) {
      established.push(account);
      subject = subjectOf(account, "custom");
      return settle({ outcome: "accepted", subject });
    },
    refuse(status, refusal = {}) {
      const headersOfAnswer = new Headers(refusal.headers);
      if (status === 401 && !headersOfAnswer.has("WWW-Authenticate")) {
        headersOfAnswer.set("WWW-Authenticate", 'Test realm="kinora"');
      }
      return new Response(refusal.message ?? null, { status, headers: headersOfAnswer });
    },
  };
}

function subjectOf(account: Account, method: AuthenticationMethod): Subject {
  const roles = new Set(account.roles);
  const permissions = new Set(account.permissions);
  return {
    userName: account.userName,
    callerName: account.userName,
    method: account.method ?? method,
    realms: ["tested"],
    known: true,
    hasRole: (role) => roles.has(role) || roles.has("_administrator"),
    // Permissions are compared as they stand: wildcards are the server's matter, not the filter's.
    isPermitted: (permission) => permissions.has(permission),
  };
}
