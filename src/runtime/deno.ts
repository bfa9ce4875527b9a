import { type Answer, PlainAnswer, plainText } from "../http/answer.ts";
import type { ServerRequest } from "../service/server-request.ts";
import { rawTarget } from "./raw-target.ts";
import {
  type AnsweringService,
  ListenError,
  plainAddress,
  type RunningServer,
  type ServerSettings,
  serverUrl,
} from "./running-server.ts";
import { watchedBody } from "./watched-body.ts";

/** The part of Deno's API that is used here. */
declare const Deno: {
  serve(
    options: {
      readonly hostname: string;
      readonly port: number;
      readonly signal: AbortSignal;
      readonly onListen: () => void;
      readonly onError: (error: unknown) => Response;
    },
    handler: (request: Request, info: ServeInfo) => Response | Promise<Response>,
  ): { readonly addr: { readonly port: number }; readonly finished: Promise<void>; shutdown(): Promise<void> };
};
interface ServeInfo {
  readonly remoteAddr: { readonly hostname?: string };
}

/**
 * Serves over HTTP on Deno. Rejects with a `ListenError` when the address cannot be had.
 *
 * `Deno.serve` has no time-out for headers and no limit that could be set for them (Deno 2.9): put a proxy in front
 * where clients are not trusted. Bodies are watched as on Node.
 */
export async function serve(service: AnsweringService, settings: ServerSettings): Promise<RunningServer> {
  const abort = new AbortController();
  const underWay = countRequests();
  const server = listen(settings, abort.signal, (request, info) => {
    const target = rawTarget(request);
    if (target === undefined) return new Response("Invalid host header\n", { status: 400 });
    if (hasNoBody(request)) return respond(service, new DenoRequest(request, info, target));
    const watched = withWatchedBody(request, settings.bodyTimeoutSeconds * 1000);
    return underWay.count(respond(service, new DenoRequest(watched, info, target)));
  });
  return {
    url: serverUrl(settings.host, server.addr.port),
    async stop() {
      let cut = 0;
      const limit = setTimeout(() => {
        cut = 1; // Deno does not tell how many
        abort.abort();
      }, settings.drainTimeoutSeconds * 1000);
      // From shutdown on Deno reads no more of the bodies that are coming in: what has one is answered first.
      await Promise.race([underWay.allAnswered(), server.finished]);
      await Promise.race([server.shutdown(), server.finished]);
      clearTimeout(limit);
      return cut;
    },
  };
}

/** Handlers of GET and HEAD read no body, and asking for it makes a stream. */
function hasNoBody(request: Request): boolean {
  const { method } = request;
  return method === "GET" || method === "HEAD" || request.body === null;
}

/** Counts requests that are not answered yet. */
function countRequests() {
  let open = 0;
  let wake: () => void = () => undefined;
  return {
    count(answer: Response | Promise<Response>): Response | Promise<Response> {
      if (!(answer instanceof Promise)) return answer;
      open++;
      return answer.finally(() => {
        open--;
        if (open === 0) wake();
      });
    },
    allAnswered: () =>
      new Promise<void>((resolve) => {
        if (open === 0) resolve();
        else wake = resolve;
      }),
  };
}

function listen(
  settings: ServerSettings,
  signal: AbortSignal,
  handler: (request: Request, info: ServeInfo) => Response | Promise<Response>,
): ReturnType<typeof Deno.serve> {
  try {
    return Deno.serve(
      {
        hostname: settings.host,
        port: settings.port,
        signal,
        onListen: () => undefined, // the command line prints its own line
        onError: () => new Response(null, { status: 500 }),
      },
      handler,
    );
  } catch (error) {
    throw new ListenError(settings, error);
  }
}

/** Made of parts, because a copy would take over the signal, which Deno raises when the server begins to shut down. */
function withWatchedBody(request: Request, timeoutMs: number): Request {
  const { url, method, headers } = request;
  const body = watchedBody(request.body as ReadableStream<Uint8Array>, timeoutMs);
  return new Request(url, { method, headers, body, duplex: "half" } as RequestInit);
}

function respond(service: AnsweringService, request: ServerRequest): Response | Promise<Response> {
  const answer = service.answer(request);
  return answer instanceof Promise ? answer.then(responseFor) : responseFor(answer);
}

/**
 * Deno takes ten times as long for headers that are handed over with the body as for those that are set later; the type of
 * plain text it sets by itself.
 */
function responseFor(answer: Answer): Response {
  if (!(answer instanceof PlainAnswer)) return answer;
  const { status, headers, body } = answer;
  const response = status === 200 ? new Response(body) : new Response(body, { status });
  for (const name in headers) {
    const value = headers[name] as string;
    if (name !== "content-type") response.headers.append(name, value);
    else if (value !== plainText || body === null) response.headers.set(name, value);
  }
  return response;
}

/** A request as Deno has it. What is asked for more than once is remembered: each look at a header costs. */
class DenoRequest implements ServerRequest {
  readonly request: Request;
  readonly rawTarget: string;
  readonly #info: ServeInfo;
  #authorization: string | null | undefined;
  #remoteAddress: string | undefined;

  constructor(request: Request, info: ServeInfo, target: string) {
    this.request = request;
    this.rawTarget = target;
    this.#info = info;
  }

  get method(): string {
    return this.request.method;
  }

  get url(): string {
    return this.request.url;
  }

  get remoteAddress(): string | undefined {
    this.#remoteAddress ??= plainAddress(this.#info.remoteAddr.hostname);
    return this.#remoteAddress;
  }

  header(name: string): string | undefined {
    if (name !== "authorization") return this.request.headers.get(name) ?? undefined;
    if (this.#authorization === undefined) this.#authorization = this.request.headers.get(name);
    return this.#authorization ?? undefined;
  }
}
