import type { Database } from "./database.ts";
import { remoteDatabase } from "./remote.ts";
import { connectServer, type ServerOptions } from "./server.ts";

/**
 * Connects to a libSQL server from Workers, over HTTP.
 *
 * Each call has a client of its own, because there neither a promise nor a connection may be shared between requests;
 * making one costs no round trip.
 */
export async function openWeb(options: ServerOptions): Promise<Database> {
  return remoteDatabase({
    isolated: true,
    lend: () => {
      const client = connectServer(options);
      return { client, giveBack: () => client.close() };
    },
    close: () => undefined,
  });
}
