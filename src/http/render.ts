import type { AnyDocument } from "../documents/declare.ts";
import { writeJson } from "../documents/write-json.ts";
import { writeXml } from "../documents/write-xml.ts";
import { KinoraError } from "../errors.ts";
import { type Answer, PlainAnswer, plainText } from "./answer.ts";
import { entityTag, hashOf, namesTag } from "./entity-tag.ts";
import type { Exchange } from "./exchange.ts";
import { negotiate } from "./negotiate.ts";
import { Reply, type ReplyOptions } from "./reply.ts";
import { withRequestId } from "./request-id.ts";
import type { Route } from "./route-table.ts";

/** Turns what a handler answered into an answer. */
export type Render = (exchange: Exchange, answer: unknown) => Answer;

const noOptions: ReplyOptions = {};

/** The renderer of a route's answers, chosen once. */
export function rendererOf(route: Route, namespace: string): Render {
  const { output } = route.declaration;
  const value =
    output === "text"
      ? renderText
      : output === "none" || output === "bytes"
        ? renderNothing
        : documentRenderer(route, output, namespace);
  return (exchange, answer) => {
    if (answer instanceof Response) return withRequestId(answer, exchange.id);
    return answer instanceof Reply ? value(exchange, answer.value, answer.options) : value(exchange, answer, noOptions);
  };
}

type RenderValue = (exchange: Exchange, value: unknown, options: ReplyOptions) => Answer;

/**
 * Checks, before the handler runs, that the client accepts a form of the answer.
 *
 * @throws KinoraError `not-acceptable`
 */
export function requireAcceptable(exchange: Exchange, offers: readonly string[]): void {
  const accept = exchange.header("accept");
  if (accept === undefined || accept === "*/*" || negotiate(accept, offers) !== undefined) return;
  throw new KinoraError("not-acceptable", { explanation: `The resource is offered as ${offers.join(", ")}` });
}

/** The media types that a route offers, best first; empty when any Accept will do. */
export function offersOf({ declaration: { output, plain } }: Route): readonly string[] {
  if (output === "none" || output === "bytes") return [];
  if (output === "text") return ["text/plain"];
  return ["application/xml", "application/json", ...(plain === undefined ? [] : ["text/plain"]), "text/xml"];
}

function renderText({ id }: Exchange, value: unknown, { status = 200, headers }: ReplyOptions): Answer {
  const own = { "content-type": plainText, "x-request-id": id };
  return new PlainAnswer(status, headers === undefined ? own : { ...own, ...headers }, value as string);
}

function renderNothing({ id }: Exchange, _: unknown, { status = 200, headers }: ReplyOptions): Answer {
  return new PlainAnswer(status, { "x-request-id": id, ...headers }, null);
}

function documentRenderer(route: Route, document: AnyDocument, namespace: string): RenderValue {
  const offers = offersOf(route);
  const { plain, etag: tagged = false } = route.declaration;
  const isTagged = tagged && route.method === "GET";
  return (exchange, value, { status = 200, headers, etag, document: other }) => {
    const written = other ?? document;
    const type = negotiate(exchange.header("accept"), offers) ?? "application/xml";
    const tag = etag !== undefined || isTagged ? entityTag(etag ?? versionOf(written, value), type) : undefined;
    const common = {
      "x-request-id": exchange.id,
      vary: "accept",
      ...(tag === undefined ? {} : { etag: tag }),
      ...headers,
    };
    const known = tag !== undefined && route.method === "GET" ? exchange.header("if-none-match") : undefined;
    if (tag !== undefined && known !== undefined && namesTag(known, tag)) {
      return new PlainAnswer(304, common, null);
    }
    const contentType = type === "text/plain" ? plainText : type;
    const text = textOf(written, value, type, namespace, plain);
    return new PlainAnswer(status, { "content-type": contentType, ...common }, text);
  };
}

/** The version of an entity that has no other: a hash of its document. */
export function versionOf(document: AnyDocument, value: unknown): string {
  return hashOf(writeJson(document, value as never));
}

function textOf(
  document: AnyDocument,
  value: unknown,
  type: string,
  namespace: string,
  plain: ((value: never) => string | readonly string[]) | undefined,
): string {
  if (type === "application/json") return writeJson(document, value as never);
  if (type !== "text/plain" || plain === undefined) return writeXml(document, value as never, namespace);
  const text = plain(value as never);
  return typeof text === "string" ? text : text.map((line) => `${line}\r\n`).join("");
}
