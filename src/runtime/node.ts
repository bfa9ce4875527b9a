import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type Answer, PlainAnswer, respond } from "../http/answer.ts";
import { FetchRequest, type ServerRequest } from "../service/server-request.ts";
import { watchBodies } from "./body-watch.ts";
import {
  type AnsweringService,
  ListenError,
  plainAddress,
  type RunningServer,
  type ServerSettings,
  serverUrl,
} from "./running-server.ts";

const checkIntervalMs = 1000;

/** Serves over HTTP on Node. Rejects with a `ListenError` when the address cannot be had. */
export async function serve(service: AnsweringService, settings: ServerSettings): Promise<RunningServer> {
  let draining = false;
  const bodies = watchBodies(settings.bodyTimeoutSeconds * 1000);
  const listener = getRequestListener(
    // The listener is the only caller and always hands over what node:http made.
    (request, { incoming }) => {
      const message = incoming as Message;
      return respond(message.answer ?? service.answer(new FetchRequest(request, new NodeRequest(message))));
    },
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
      if (isPlain(incoming)) {
        const answer = service.answer(new NodeRequest(incoming));
        if (answer instanceof PlainAnswer) return write(answer, outgoing);
        (incoming as Message).answer = answer;
      } else {
        keepTarget(incoming);
      }
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

/** A message that remembers what was found out about it before the adapter gets it. */
interface Message extends IncomingMessage {
  /** The request target as it came. */
  rawTarget?: string | undefined;
  answer?: Answer | Promise<Answer>;
}

const plainTarget = /^\/[^\\]*$/;
/** A name or address with no port or a usual one; others are left to the adapter to judge. */
const plainHost = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

/** The last one that was found plain: most requests name the same. */
let knownHost: string | undefined;

/** Whether there is nothing in the request that the adapter would have to judge: most are so. */
function isPlain({ method, url = "", headers: { host = "" } }: IncomingMessage): boolean {
  if (method !== "GET" || !plainTarget.test(url)) return false;
  if (host === knownHost) return true;
  if (!plainHost.test(host)) return false;
  knownHost = host;
  return true;
}

/**
 * The adapter refuses targets that the URL parser would change, before the service sees the request. The service reads
 * the raw target itself and has an error document for each, so the adapter is given a harmless one instead.
 */
function keepTarget(message: Message): void {
  const target = message.url ?? "/";
  if (plainTarget.test(target)) return;
  message.rawTarget = target;
  message.url = "/";
}

/** Writes the answer to a GET in one piece. */
function write({ status, headers, body }: PlainAnswer, outgoing: ServerResponse): void {
  const lines: string[] = [];
  for (const name in headers) lines.push(name, headers[name] as string);
  const length = body === null ? 0 : Buffer.byteLength(body);
  if (status !== 204 && status !== 304) lines.push("content-length", String(length));
  // Text of ASCII alone is the same bytes in both, and latin1 is copied faster.
  outgoing.writeHead(status, lines).end(body, length === body?.length ? "latin1" : "utf8");
}

/** A request as node:http has it. What is asked for is looked up there, and a `Request` is made only for who asks. */
class NodeRequest implements ServerRequest {
  readonly #message: Message;

  constructor(message: Message) {
    this.#message = message;
  }

  get method(): string {
    return this.#message.method ?? "GET";
  }

  get rawTarget(): string {
    return this.#message.rawTarget ?? this.#message.url ?? "/";
  }

  get url(): string {
    return `http://${this.#message.headers.host}${this.#message.url}`;
  }

  get remoteAddress(): string | undefined {
    return plainAddress(this.#message.socket.remoteAddress);
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }

  get request(): Request {
    const { rawHeaders } = this.#message;
    const headers = new Headers();
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? "", rawHeaders[i + 1] ?? "");
    return new Request(this.url, { method: this.method, headers });
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
