import type { AnyDocument, Infer } from "../documents/declare.ts";
import type { Subject } from "../plugin/contract.ts";
import type { ParameterTable, ParameterValues } from "./parameters.ts";
import type { Reply } from "./reply.ts";
import type { RoleRule } from "./role-rule.ts";
import type { RouteRequest } from "./route-request.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** What the body of a request is: a document, text, bytes, or a stream that the handler reads (`request.raw.body`). */
export type Input = AnyDocument | "text" | "bytes" | "stream";

/**
 * What the answer is: a document in the form that the client accepts, text, bytes (the handler answers a `Response`),
 * or nothing but the status.
 */
export type Output = AnyDocument | "text" | "bytes" | "none";

/** Names in braces: `/user/{userName}/key/{keyId}`; a last one with dots takes the rest: `{path...}`. */
export type PathParameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name extends `${infer Bare}...` ? Bare : Name]: string } & PathParameters<Rest>
  : unknown;

type BodyOf<I, Optional> = I extends AnyDocument
  ? Infer<I> | AbsentBody<Optional>
  : I extends "text"
    ? string | AbsentBody<Optional>
    : I extends "bytes"
      ? Uint8Array<ArrayBuffer> | AbsentBody<Optional>
      : undefined;
type AbsentBody<Optional> = Optional extends true ? undefined : never;

// biome-ignore lint/suspicious/noConfusingVoidType: handlers of "none" may hand on the promise of a function without a value
type ValueOf<O> = O extends AnyDocument ? Infer<O> : O extends "text" ? string : O extends "none" ? void : never;
type SubjectOf<R> = R extends "open" ? Subject | undefined : Subject;

type Answer<O> = ValueOf<O> | Reply<ValueOf<O>> | Response;

/** A route's declaration. */
export interface RouteDeclaration<Q, I, Optional, O, R> {
  /** One sentence for the docs. */
  readonly summary: string;
  /** Who may call it; checked before the body is read. */
  readonly role: R;
  /** Query and matrix parameters; other ones are left alone. */
  readonly query?: Q;
  readonly input?: I;
  /** The body may be absent; `request.body` is `undefined` then. Default `false`. */
  readonly inputOptional?: Optional;
  /** The root of an XML body may have any name. Default `false`. */
  readonly anyRoot?: boolean;
  readonly output: O;
  /** Documents of other forms that the answer may have, see `replyAs`. */
  readonly alternatives?: readonly AnyDocument[];
  /** The document as text/plain: a text, or lines of which each gets CRLF. Without it text/plain is not offered. */
  readonly plain?: (value: ValueOf<O>) => string | readonly string[];
  /**
   * On a GET of one entity: the answer has an entity tag, made from `reply`'s `etag` or else from the document, and
   * `If-Match` on PUT and DELETE of the same path is checked against it. Default `false`.
   */
  readonly etag?: boolean;
}

/** A route with its types forgotten, as the dispatcher and the docs see it. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly declaration: RouteDeclaration<ParameterTable, Input | undefined, boolean, Output, RoleRule>;
  readonly handle: (request: AnyRouteRequest) => unknown;
}

/** A request of any route. */
export type AnyRouteRequest = RouteRequest<
  Readonly<Record<string, string>>,
  Readonly<Record<string, unknown>>,
  unknown,
  Subject | undefined
>;

type Register = <
  const P extends `/${string}`,
  R extends RoleRule,
  O extends Output,
  Q extends ParameterTable = Record<never, never>,
  I extends Input | undefined = undefined,
  Optional extends boolean = false,
>(
  path: P,
  declaration: RouteDeclaration<Q, I, Optional, O, R>,
  handle: (
    request: RouteRequest<PathParameters<P>, ParameterValues<Q>, BodyOf<I, Optional>, SubjectOf<R>>,
  ) => Answer<O> | Promise<Answer<O>>,
) => void;

/** The routes of one domain. */
export interface RouteTable {
  readonly get: Register;
  readonly post: Register;
  readonly put: Register;
  readonly delete: Register;
  /** What was declared so far. */
  readonly routes: readonly Route[];
}

/** A new, empty table. */
export function routes(): RouteTable {
  const declared: Route[] = [];
  const register =
    (method: Method): Register =>
    (path, declaration, handle) => {
      // The one place where the types of a route are forgotten; the dispatcher hands each handler what it declared.
      declared.push({ method, path, declaration, handle } as unknown as Route);
    };
  return {
    get: register("GET"),
    post: register("POST"),
    put: register("PUT"),
    delete: register("DELETE"),
    routes: declared,
  };
}
