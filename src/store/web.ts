import type { Client } from "@libsql/client/web";
import type { Connections } from "./connections.ts";
import type { Database } from "./database.ts";
import { remoteDatabase } from "./remote.ts";
import { connectServer, defaultTimeoutMs, type ServerOptions } from "./server.ts";

/** Opens a database on a libSQL server from Workers, over HTTP. */
export async function openWeb(options: ServerOptions): Promise<Database> {
  return remoteDatabase({
    connections: connectionEachTime(options),
    isolated: true,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
  });
}

/** On Workers neither a promise nor a connection may be shared between requests. A new client costs no round trip. */
function connectionEachTime(options: ServerOptions): Connections<Client> {
  return {
    lend() {
      const connection = connectServer(options);
      return { connection, retire: () => undefined, giveBack: () => connection.close() };
    },
    close: () => undefined,
  };
}
