import type { ReadOptions } from "../documents/read-options.ts";
import { defaultReadOptions } from "../documents/read-options.ts";
import { KinoraError } from "../errors.ts";
import type { Answer } from "./answer.ts";
import { documentFrom, readBytes, textFrom } from "./body.ts";
import type { Exchange } from "./exchange.ts";
import { readParameters } from "./parameters.ts";
import { requireUnchanged } from "./precondition.ts";
import { offersOf, rendererOf, requireAcceptable } from "./render.ts";
import { requireRole } from "./role-rule.ts";
import type { Route } from "./route-table.ts";
import { type ParameterPosition, parameterPositions, type Router } from "./router.ts";

/** What mounting a route depends on. */
export interface MountOptions {
  /** The namespace of XML answers. */
  readonly namespace: string;
  /** Limits of documents and bodies; `size` bounds bodies of any kind but streams. */
  readonly limits?: Partial<ReadOptions>;
}

/** A route made ready: everything about it that does not depend on the request is settled. */
export interface MountedRoute {
  readonly route: Route;
  readonly positions: readonly ParameterPosition[];
  /** Answers a request, synchronously when the handler does. Throws or rejects with what is wrong. */
  readonly run: (exchange: Exchange) => Answer | Promise<Answer>;
}

type Step = (exchange: Exchange) => Promise<void>;

/** Makes a route ready. `router` is asked for the GET of the same path, for preconditions. */
export function mountedRoute(route: Route, router: Router<MountedRoute>, options: MountOptions): MountedRoute {
  const { role, query = {} } = route.declaration;
  const offers = offersOf(route);
  const render = rendererOf(route, options.namespace);
  const hasParameters = Object.keys(query).length > 0;
  const readBody = bodyStep(route, options);
  const changes = route.method === "PUT" || route.method === "DELETE";

  const answer = (exchange: Exchange): Answer | Promise<Answer> => {
    const value = route.handle(exchange);
    return value instanceof Promise ? value.then((settled) => render(exchange, settled)) : render(exchange, value);
  };
  const prepared = async (exchange: Exchange): Promise<Answer> => {
    await requireUnchanged(exchange, changes ? router.find(exchange.context.path)?.byMethod.get("GET") : undefined);
    await readBody?.(exchange);
    return answer(exchange);
  };

  return {
    route,
    positions: parameterPositions(route.path),
    run: (exchange) => {
      requireRole(role, exchange.context.subject, exchange);
      if (offers.length > 0) requireAcceptable(exchange, offers);
      if (hasParameters) exchange.query = readParameters(query, exchange.parameters);
      return readBody === undefined && !changes ? answer(exchange) : prepared(exchange);
    },
  };
}

/** How the body that a route declares is read; `undefined` when it declares none. */
function bodyStep({ declaration }: Route, { limits = {}, namespace }: MountOptions): Step | undefined {
  const { input, inputOptional = false, anyRoot = false } = declaration;
  if (input === undefined || input === "stream") return undefined;
  const reading = { limits: { ...limits, namespace }, anyRoot };
  const size = limits.size ?? defaultReadOptions.size;
  return async (exchange) => {
    const header = (name: string): string | undefined => exchange.header(name);
    const bytes = await readBytes(exchange.raw, header, size);
    if (bytes.length === 0 && inputOptional) return;
    if (bytes.length === 0 && typeof input === "object") {
      throw new KinoraError("invalid-input", { explanation: `The request must have a body, ${input.documentName}` });
    }
    const contentType = header("content-type");
    exchange.body =
      input === "bytes"
        ? bytes
        : input === "text"
          ? textFrom(bytes, contentType)
          : documentFrom(input, bytes, contentType, reading);
  };
}
