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
  const server = listen(settings, abort.signal, (request, info) => {
    const target = rawTarget(request);
    if (target === undefined) return new Response("Invalid host header\n", { status: 400 });
    const connection = new DenoConnection(request, info, target);
    if (request.body === null) return service.fetch(request, connection);
    const body = watchedBody(request.body, settings.bodyTimeoutSeconds * 1000);
    return service.fetch(new Request(request, { body, duplex: "half" } as RequestInit), connection);
  });
  return {
    url: serverUrl(settings.host, server.addr.port),
    async stop() {
      let cut = 0;
      const limit = setTimeout(() => {
        cut = 1; // Deno does not tell how many
        abort.abort();
      }, settings.drainTimeoutSeconds * 1000);
      await Promise.race([server.shutdown(), server.finished]);
      clearTimeout(limit);
      return cut;
    },
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

/** What the service asks of the connection, looked up when it is asked. */
class DenoConnection implements Connection {
  readonly #info: ServeInfo;
  readonly header: (name: string) => string | undefined;
  readonly rawTarget: string;

  constructor(request: Request, info: ServeInfo, target: string) {
    this.#info = info;
    this.rawTarget = target;
    this.header = (name) => request.headers.get(name) ?? undefined;
  }

  get remoteAddress(): string | undefined {
    return plainAddress(this.#info.remoteAddr.hostname);
  }
}
