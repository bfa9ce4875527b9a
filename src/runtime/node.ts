import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Connection } from "../service/connection.ts";
import { watchBodies } from "./body-watch.ts";
import {
  type FetchService,
  ListenError,
  plainAddress,
  type RunningServer,
  type ServerSettings,
  serverUrl,
} from "./running-server.ts";

const checkIntervalMs = 1000;

/** Serves over HTTP on Node. Rejects with a `ListenError` when the address cannot be had. */
export async function serve(service: FetchService, settings: ServerSettings): Promise<RunningServer> {
  let draining = false;
  const bodies = watchBodies(settings.bodyTimeoutSeconds * 1000);
  const listener = getRequestListener(
    // The listener is the only caller and always hands over what node:http made.
    (request, { incoming }) => service.fetch(request, new NodeConnection(incoming as TargetedMessage)),
    { hostname: `${settings.host}:${settings.port}`, errorHandler: refuseUnreadable },
  );
  const server = createServer(
    {
      keepAliveTimeout: settings.keepAliveTimeoutSeconds * 1000,
      headersTimeout: settings.headerTimeoutSeconds * 1000,
      // Bodies are watched for progress instead: an upload of media may take hours.
      requestTimeout: 0,
      connectionsCheckingInterval: checkIntervalMs,
      maxHeaderSize: settings.maxHeaderBytes,
    },
    (incoming, outgoing) => {
      if (draining) outgoing.shouldKeepAlive = false;
      if (incoming.headers["content-length"] !== undefined || incoming.headers["transfer-encoding"] !== undefined) {
        bodies.watch(incoming, outgoing);
      }
      keepTarget(incoming as TargetedMessage);
      void listener(incoming, outgoing);
    },
  );
  await listen(server, settings);
  const { port } = server.address() as AddressInfo;
  return {
    url: serverUrl(settings.host, port),
    async stop() {
      draining = true;
      const cut = await drain(server, settings.drainTimeoutSeconds * 1000);
      bodies.stop();
      return cut;
    },
  };
}

/** A message that remembers its request target as it came. */
type TargetedMessage = IncomingMessage & { rawTarget?: string | undefined };

const plainTarget = /^\/[^\\]*$/;

/**
 * The adapter refuses targets that the URL parser would change, before the service sees the request. The service reads
 * the raw target itself and has an error document for each, so the adapter is given a harmless one instead.
 */
function keepTarget(incoming: TargetedMessage): void {
  const target = incoming.url ?? "/";
  if (plainTarget.test(target)) return;
  incoming.rawTarget = target;
  incoming.url = "/";
}

/** What the service asks of the connection; a class because one is made for each request. */
class NodeConnection implements Connection {
  readonly #incoming: TargetedMessage;

  constructor(incoming: TargetedMessage) {
    this.#incoming = incoming;
  }

  get remoteAddress(): string | undefined {
    return plainAddress(this.#incoming.socket.remoteAddress);
  }

  get rawTarget(): string | undefined {
    return this.#incoming.rawTarget ?? this.#incoming.url;
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }
}

/** What is left to refuse: a Host header that is none. */
function refuseUnreadable(error: unknown): Response {
  const isRequestError = error instanceof Error && error.name === "RequestError";
  return new Response(isRequestError ? `${error.message}\n` : null, { status: isRequestError ? 400 : 500 });
}

function listen(server: Server, settings: ServerSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new ListenError(settings, error)));
    server.listen(settings.port, settings.host, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
}

/** Node closes idle connections when asked; those that become idle while draining are looked for again and again. */
async function drain(server: Server, timeoutMs: number): Promise<number> {
  let cut = 0;
  await new Promise<void>((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    const limit = setTimeout(() => {
      server.getConnections((_, count) => {
        cut = count;
        server.closeAllConnections();
      });
    }, timeoutMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(limit);
      resolve();
    });
    server.closeIdleConnections();
  });
  return cut;
}
