import type { Actor, Change } from "../store/change.ts";
import { versionsOf } from "./entity-tag.ts";
import { negotiate } from "./negotiate.ts";
import type { SentParameter } from "./parameters.ts";
import { queryParameters } from "./query-string.ts";
import type { DispatchContext } from "./route-request.ts";
import type { AnyRouteRequest } from "./route-table.ts";
import type { ParameterPosition } from "./router.ts";

/** What every exchange takes from the service. */
export interface ExchangeServices {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Begins a change. */
  readonly change: (actor: Actor) => Change;
  /** The configured base of absolute URLs; absent: the one that the client used. */
  readonly baseUrl?: string | undefined;
}

const noParameters: Readonly<Record<string, never>> = Object.freeze({});

/**
 * A request under way, as its handler sees it. Everything is looked up when it is asked for: most handlers ask for
 * little, and the shortest ones for nothing.
 */
export class Exchange implements AnyRouteRequest {
  readonly context: DispatchContext;
  query: Readonly<Record<string, unknown>> = noParameters;
  body: unknown = undefined;
  readonly #positions: readonly ParameterPosition[];
  readonly #services: ExchangeServices;
  #sent: readonly SentParameter[] | undefined;

  constructor(context: DispatchContext, positions: readonly ParameterPosition[], services: ExchangeServices) {
    this.context = context;
    this.#positions = positions;
    this.#services = services;
  }

  /** The same request as a GET without a body would be, with these parameters. */
  asRead(query: Readonly<Record<string, unknown>>): Exchange {
    const read = new Exchange(this.context, this.#positions, this.#services);
    read.query = query;
    return read;
  }

  get params(): Readonly<Record<string, string>> {
    const { segments } = this.context;
    const params: Record<string, string> = {};
    for (const { name, index, rest } of this.#positions) {
      params[name] = rest ? segments.slice(index).join("/") : (segments[index] ?? "");
    }
    return params;
  }

  get raw(): Request {
    return this.context.raw;
  }

  get subject() {
    return this.context.subject;
  }

  get id(): string {
    return this.context.requestId;
  }

  get path(): string {
    return this.context.path;
  }

  get remoteAddress(): string | undefined {
    return this.context.remoteAddress;
  }

  header(name: string): string | undefined {
    return this.context.header(name);
  }

  get parameters(): readonly SentParameter[] {
    this.#sent ??= sentParameters(this.context);
    return this.#sent;
  }

  parameter(name: string): string | undefined {
    return this.parameters.findLast(([sent]) => sent === name)?.[1];
  }

  get ifMatch(): readonly string[] | undefined {
    const header = this.context.header("if-match");
    return header === undefined ? undefined : versionsOf(header);
  }

  now(): number {
    return this.#services.now();
  }

  change(): Change {
    const { subject, requestId } = this.context;
    const userName = subject?.callerName ?? "system";
    const runAs = subject !== undefined && subject.userName !== userName ? { runAs: subject.userName } : undefined;
    return this.#services.change({ userName, ...runAs, requestId });
  }

  url(path: string): string {
    const { baseUrl } = this.#services;
    const base = (baseUrl ?? this.context.origin).replace(/\/+$/, "");
    const sentPrefix = /^\/API(?=[/;?]|$)/.test(this.context.target);
    return `${base}${sentPrefix && !base.endsWith("/API") ? "/API" : ""}${path}`;
  }

  accepts(mediaType: string): boolean {
    return negotiate(this.context.header("accept"), [mediaType]) !== undefined;
  }
}

/** The path's matrix parameters, then the query's. */
function sentParameters({ matrix, target }: DispatchContext): readonly SentParameter[] {
  const mark = target.indexOf("?");
  return mark === -1 ? matrix : [...matrix, ...queryParameters(target.slice(mark + 1))];
}
