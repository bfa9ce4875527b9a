import { type Client, createClient } from "@libsql/client/web";
import { sharedConnection } from "./connections.ts";
import type { Database } from "./database.ts";
import { remoteDatabase } from "./remote.ts";
import { integerMode } from "./results.ts";

export interface ServerOptions {
  /** `libsql:`, `https:`, `http:` (HTTP) or `wss:`, `ws:` (one WebSocket, several times faster for small statements). */
  readonly url: string;
  readonly authToken?: string;
  /** What HTTP requests are sent with. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Calls in flight at once, on Workers writes; more wait. Default 20. */
  readonly concurrency?: number;
  /** After so many milliseconds without an answer the connection counts as lost. Default 30000. */
  readonly timeoutMs?: number;
}

/** Longer than any statement of the service takes. */
export const defaultTimeoutMs = 30_000;

/** A client for a server, as every runtime needs it. Nothing is sent yet. */
export function connectServer(options: ServerOptions): Client {
  const { fetch: send = fetch, timeoutMs = defaultTimeoutMs } = options;
  return createClient({
    url: options.url,
    intMode: integerMode,
    fetch: (request: Request) => send(request, { signal: AbortSignal.timeout(timeoutMs) }),
    ...(options.authToken === undefined ? {} : { authToken: options.authToken }),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
  });
}

/** Opens a database on a libSQL server. Nothing is sent before the first statement; a lost connection is opened anew. */
export async function openServer(options: ServerOptions): Promise<Database> {
  return remoteDatabase({
    connections: sharedConnection(
      () => connectServer(options),
      (client) => client.close(),
    ),
    isolated: false,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
  });
}
