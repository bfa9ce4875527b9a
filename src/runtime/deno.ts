import type { Connection } from "../service/connection.ts";
import { rawTarget } from "./raw-target.ts";
import {
  type FetchService,
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
export async function serve(service: FetchService, settings: ServerSettings): Promise<RunningServer> {
  const abort = new AbortController();
  const underWay = countRequests();
  const server = listen(settings, abort.signal, (request, info) => {
    const target = rawTarget(request);
    if (target === undefined) return new Response("Invalid host header\n", { status: 400 });
    const connection = new DenoConnection(request, info, target);
    if (request.body === null) return service.fetch(request, connection);
    const watched = withWatchedBody(request, settings.bodyTimeoutSeconds * 1000);
    return underWay.count(service.fetch(watched, connection));
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

/** What the service asks of the connection, looked up when it is asked. */
class DenoConnection implements Connection {
  readonly #request: Request;
  readonly #info: ServeInfo;
  readonly rawTarget: string;

  constructor(request: Request, info: ServeInfo, target: string) {
    this.#request = request;
    this.#info = info;
    this.rawTarget = target;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  get remoteAddress(): string | undefined {
    return plainAddress(this.#info.remoteAddr.hostname);
  }
}
