import type {
  Account,
  AuthenticationResult,
  Credentials,
  FilterExchange,
  RefusalOptions,
  SentCredentials,
  Subject,
} from "../plugin/contract.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Chain, ChainStep } from "./chain.ts";
import { isPromise } from "./realm-call.ts";

/** A request as the pipeline takes it. */
export interface PipelineRequest {
  readonly method: string;
  /** Canonical path, without a slash at its end. */
  readonly path: string;
  readonly segments: readonly string[];
  /** The client's path ended in a slash. */
  readonly trailingSlash: boolean;
  /** Path and query as the client sent them. */
  readonly rawTarget: string;
  readonly remoteAddress: string | undefined;
  readonly secure: boolean;
  readonly port: number;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  query(name: string): string | undefined;
  /** An answer with an error document in the form that the client accepts. */
  refuse(status: 400 | 401 | 403 | 429 | 503, options?: RefusalOptions): Response;
}

type RefusalStatus = Parameters<PipelineRequest["refuse"]>[0];

/** Seconds after which a caller may try again when a realm could not tell. */
const retryAfterSeconds = 5;

const firstStep = 0;

/** One request in its chain. One object a request, everything else is looked up when it is asked for. */
export class Exchange implements FilterExchange {
  /** The step that is running. */
  step: number = firstStep;
  subject: Subject | undefined = undefined;
  readonly #request: PipelineRequest;
  readonly #chain: Chain;
  readonly #authenticator: Authenticator;
  /** The last attempt of this request that neither let the caller in nor turned it down. */
  #unsettled: Extract<AuthenticationResult, { outcome: "unavailable" | "locked" }> | undefined = undefined;

  constructor(request: PipelineRequest, chain: Chain, authenticator: Authenticator) {
    this.#request = request;
    this.#chain = chain;
    this.#authenticator = authenticator;
  }

  get method(): string {
    return this.#request.method;
  }
  get path(): string {
    return this.#request.path;
  }
  get segments(): readonly string[] {
    return this.#request.segments;
  }
  get rawTarget(): string {
    return this.#request.rawTarget;
  }
  get remoteAddress(): string | undefined {
    return this.#request.remoteAddress;
  }
  get secure(): boolean {
    return this.#request.secure;
  }
  get port(): number {
    return this.#request.port;
  }
  get words(): readonly string[] {
    return this.#current?.words ?? [];
  }
  get permissive(): boolean {
    return this.#current?.permissive ?? false;
  }
  get challenge(): string {
    return this.#chain.challenge;
  }

  get #current(): ChainStep | undefined {
    return this.#chain.steps[this.step];
  }

  header(name: string): string | undefined {
    return this.#request.header(name);
  }

  query(name: string): string | undefined {
    return this.#request.query(name);
  }

  authenticate(credentials: Credentials | SentCredentials): AuthenticationResult | Promise<AuthenticationResult> {
    const result = this.#authenticator.authenticate(credentials, this);
    return isPromise(result) ? result.then((settled) => this.#take(settled)) : this.#take(result);
  }

  establish(
    account: Account,
    options?: { readonly mustExist?: boolean },
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const origin = this.#current?.name ?? "";
    const result = this.#authenticator.establish(account, origin, options?.mustExist ?? false);
    return isPromise(result) ? result.then((settled) => this.#take(settled)) : this.#take(result);
  }

  #take(result: AuthenticationResult): AuthenticationResult {
    if (result.outcome === "accepted") this.subject = result.subject;
    else if (result.outcome !== "rejected") this.#unsettled = result;
    return result;
  }

  refuse(status: RefusalStatus, options?: RefusalOptions): Response {
    const unsettled = status === 401 && this.subject === undefined ? this.#unsettled : undefined;
    if (unsettled?.outcome === "locked") return this.#refuseUntil(429, unsettled.retryAfterSeconds, options);
    if (unsettled !== undefined || status === 503) return this.#refuseUntil(503, retryAfterSeconds, options);
    if (status !== 401 || has(options, "www-authenticate")) return this.#request.refuse(status, options);
    return this.#request.refuse(status, withHeader(options, "WWW-Authenticate", this.challenge));
  }

  #refuseUntil(status: 429 | 503, seconds: number, options: RefusalOptions | undefined): Response {
    if (has(options, "retry-after")) return this.#request.refuse(status, options);
    const { "WWW-Authenticate": _, ...headers } = options?.headers ?? {};
    return this.#request.refuse(status, withHeader({ ...options, headers }, "Retry-After", String(seconds)));
  }
}

function has(options: RefusalOptions | undefined, header: string): boolean {
  return Object.keys(options?.headers ?? {}).some((name) => name.toLowerCase() === header);
}

function withHeader(options: RefusalOptions | undefined, name: string, value: string): RefusalOptions {
  return { ...options, headers: { ...options?.headers, [name]: value } };
}
