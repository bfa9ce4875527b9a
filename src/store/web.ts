import type { Client } from "@libsql/client/web";
import type { Connections } from "./connections.ts";
import type { Database } from "./database.ts";
import { remoteDatabase } from "./remote.ts";
import { connectServer, defaultTimeoutMs, type ServerOptions } from "./server.ts";
import { delay } from "./time.ts";
import { writeTurns } from "./write-turns.ts";

/**
 * A server writes one after the other anyway, and may stand still for good when many wait in it on connections of their
 * own: seen with twenty.
 */
const mostWriters = 4;

/** Opens a database on a libSQL server from Workers, over HTTP. */
export async function openWeb(options: ServerOptions): Promise<Database> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  return remoteDatabase({
    connections: connectionEachTime(options),
    isolated: true,
    timeoutMs,
    inTurn: writeTurns({
      most: options.concurrency ?? mostWriters,
      longestMs: timeoutMs,
      now: Date.now,
      // Not all at the same moment.
      pause: () => delay(5 + Math.random() * 20),
    }),
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
