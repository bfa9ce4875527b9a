import type { Subject } from "../plugin/contract.ts";
import type { Change } from "../store/change.ts";
import type { SentParameter } from "./parameters.ts";

/** A request as a handler sees it. */
export interface RouteRequest<Params, Query, Body, S> {
  /** The values of the names in braces, decoded. */
  readonly params: Params;
  /** The declared parameters. */
  readonly query: Query;
  readonly body: Body;
  readonly subject: S;
  /** The request's id, as in the answer's X-Request-Id. */
  readonly id: string;
  /** The canonical path, without the `/API` in front. */
  readonly path: string;
  /** The request itself; its body was read already when the route declares an input that is not a stream. */
  readonly raw: Request;
  /** The peer's address, where the runtime tells it. */
  readonly remoteAddress: string | undefined;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  /** All parameters that were sent, declared or not: the path's matrix parameters, then the query's. */
  readonly parameters: readonly SentParameter[];
  /** The last parameter of this name, declared or not. */
  parameter(name: string): string | undefined;
  /** Entity tags of If-Match without quotes, for a check in the change itself; `undefined` without the header. */
  readonly ifMatch: readonly string[] | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A new change in the caller's name. */
  change(): Change;
  /** The absolute URL of a path, under the base that the client used (or the configured one). */
  url(path: string): string;
  /** Whether the client accepts this media type, for answers that the handler forms itself. */
  accepts(mediaType: string): boolean;
}

/** What the service knows of a request when it hands it to the dispatcher. */
export interface DispatchContext {
  readonly method: string;
  /** The request itself, made when it is asked for. */
  readonly raw: Request;
  /** Scheme, host and port under which the client asked. */
  readonly origin: string;
  /** The canonical path: decoded once, matrix parameters cut, without `/API`. */
  readonly path: string;
  /** The canonical path's segments, decoded. */
  readonly segments: readonly string[];
  /** Matrix parameters of all segments, decoded, in order. */
  readonly matrix: readonly SentParameter[];
  /** Path and query as the client sent them. */
  readonly target: string;
  /** The authenticated caller; `undefined` for an anonymous one. */
  readonly subject: Subject | undefined;
  /** The request's id: ours, not one that the client sent. */
  readonly requestId: string;
  /** `WWW-Authenticate` for an anonymous caller of a route that needs one. */
  readonly challenge?: string | undefined;
  readonly remoteAddress?: string | undefined;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
}
