import type { AnyDocument } from "../documents/declare.ts";
import { KinoraError } from "../errors.ts";
import { type Answer, PlainAnswer, withoutBody } from "./answer.ts";
import { type FailureOptions, failures } from "./error-answer.ts";
import { ExceptionDocument } from "./exception-document.ts";
import { Exchange, type ExchangeServices } from "./exchange.ts";
import { type MountedRoute, type MountOptions, mountedRoute } from "./mounted-route.ts";
import { describeRole } from "./role-rule.ts";
import type { DispatchContext } from "./route-request.ts";
import type { Input, Output, Route, RouteTable } from "./route-table.ts";
import { type Resource, Router } from "./router.ts";
import { schemaRoutes } from "./schema-route.ts";

/** What the dispatcher takes from the service. */
export interface DispatcherOptions extends ExchangeServices, MountOptions, FailureOptions {}

/** A route as the docs and the test of roles see it. */
export interface RouteDescription {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** The role rule in words. */
  readonly role: string;
  readonly open: boolean;
  readonly input: string | undefined;
  readonly output: string;
  readonly parameters: readonly { readonly name: string; readonly expected: string; readonly required: boolean }[];
}

/** Answers requests by the mounted routes. */
export interface Dispatcher {
  /** Answers a request whose caller the security chain has let in. Never throws and never rejects. */
  dispatch(context: DispatchContext): Answer | Promise<Answer>;
  /** Whether the canonical path is that of a route served outside the security chains. */
  isOpen(path: string): boolean;
  readonly routes: readonly RouteDescription[];
  /** The documents of all routes, and the error document. */
  readonly documents: readonly AnyDocument[];
}

/**
 * Makes the dispatcher of all routes; `GET /schema.xsd` comes with it.
 *
 * @throws TypeError when two routes are declared for the same method and path, or one says nothing of who may call it
 */
export function mount(tables: readonly RouteTable[], options: DispatcherOptions): Dispatcher {
  const declared = tables.flatMap((table) => table.routes);
  const documents = documentsOf(declared);
  const all = [...declared, ...schemaRoutes(documents, options.namespace).routes];
  const router = new Router<MountedRoute>();
  for (const route of all) {
    const { method, path, declaration } = route;
    // A type says so too, but who may call what does not rest on types alone.
    if (declaration.role === undefined) throw new TypeError(`${method} ${path} declares no role`);
    router.add(method, path, mountedRoute(route, router, options));
  }

  const failed = failures(options);
  const fail = (thrown: unknown, context: DispatchContext): Answer => {
    const answer = failed(thrown, context);
    return context.method === "HEAD" ? withoutBody(answer) : answer;
  };

  const answer = (context: DispatchContext): Answer | Promise<Answer> => {
    const { method } = context;
    const resource = router.find(context.path);
    const found = resource?.byMethod.get(method === "HEAD" ? "GET" : method);
    if (found === undefined) return withoutRoute(method, resource, context);
    const answered = found.run(new Exchange(context, found.positions, options));
    return method === "HEAD" ? Promise.resolve(answered).then(withoutItsBody) : answered;
  };

  return {
    dispatch: (context) => {
      try {
        const answered = answer(context);
        return answered instanceof Promise ? answered.catch((thrown: unknown) => fail(thrown, context)) : answered;
      } catch (thrown) {
        return fail(thrown, context);
      }
    },
    isOpen: (path) => {
      const resource = router.find(path);
      return (
        resource !== undefined && [...resource.byMethod.values()].some(({ route }) => route.declaration.role === "open")
      );
    },
    routes: all.map(describe),
    documents,
  };
}

/** Every document that a route takes or gives, and the error document, in the order of their names. */
function documentsOf(declared: readonly Route[]): readonly AnyDocument[] {
  const found = new Map<string, AnyDocument>([[ExceptionDocument.documentName, ExceptionDocument]]);
  for (const { declaration } of declared) {
    for (const used of [declaration.input, declaration.output, ...(declaration.alternatives ?? [])]) {
      if (typeof used !== "object") continue;
      const known = found.get(used.documentName);
      if (known !== undefined && known.specification.shape !== used.specification.shape) {
        throw new TypeError(`Two documents are called ${used.documentName}`);
      }
      found.set(used.documentName, used);
    }
  }
  return [...found.values()].sort((a, b) => (a.documentName < b.documentName ? -1 : 1));
}

function withoutRoute(method: string, resource: Resource<MountedRoute> | undefined, context: DispatchContext): Answer {
  if (resource === undefined) throw new KinoraError("no-such-path", { type: "path", id: context.path });
  const methods = [...resource.byMethod.keys()];
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort().join(", ");
  if (method === "OPTIONS") {
    return new PlainAnswer(204, { allow, "x-request-id": context.requestId }, null);
  }
  throw new KinoraError("method-not-allowed", { explanation: `The path supports ${allow}`, headers: { allow } });
}

/** A body that is a stream holds something open: nobody will read it. */
async function withoutItsBody(answer: Answer): Promise<Answer> {
  if (!(answer instanceof PlainAnswer)) await answer.body?.cancel();
  return withoutBody(answer);
}

function describe({ method, path, declaration }: Route): RouteDescription {
  const { summary, role, input, output, query = {} } = declaration;
  const nameOf = (used: Input | Output | undefined): string | undefined =>
    typeof used === "object" ? used.documentName : used;
  return {
    method,
    path,
    summary,
    role: describeRole(role),
    open: role === "open",
    input: nameOf(input),
    output: nameOf(output) ?? "none",
    parameters: Object.entries(query).map(([name, { expected, required }]) => ({ name, expected, required })),
  };
}
