import { type Client, createClient } from "@libsql/client/web";
import type { Database } from "./database.ts";
import { remoteDatabase } from "./remote.ts";
import { integerMode } from "./results.ts";

export interface ServerOptions {
  /** `libsql:`, `https:`, `http:` (HTTP) or `wss:`, `ws:` (one WebSocket, several times faster for small statements). */
  readonly url: string;
  readonly authToken?: string;
  /** What HTTP requests are sent with. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Statements in flight at once; more wait. Default 20. */
  readonly concurrency?: number;
  /** After so many milliseconds without an answer a request counts as lost. Default 30000. */
  readonly timeoutMs?: number;
}

/** The client's settings that a server over the network needs on every runtime. */
export function connectServer(options: ServerOptions): Client {
  return createClient({
    url: options.url,
    intMode: integerMode,
    fetch: timedFetch(options.fetch ?? fetch, options.timeoutMs ?? 30_000),
    ...(options.authToken === undefined ? {} : { authToken: options.authToken }),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
  });
}

/** Connects to a libSQL server. Nothing is sent until the first statement; a dropped connection is opened anew by itself. */
export async function openServer(options: ServerOptions): Promise<Database> {
  const client = connectServer(options);
  return remoteDatabase({
    isolated: false,
    lend: () => ({ client, giveBack: () => undefined }),
    close: () => client.close(),
  });
}

function timedFetch(send: typeof fetch, timeoutMs: number): (request: Request) => Promise<Response> {
  return (request) => send(request, { signal: AbortSignal.timeout(timeoutMs) });
}
