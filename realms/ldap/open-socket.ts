import { connect, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { LdapFailure } from "./failure.ts";
import type { LdapServer } from "./settings.ts";
import { requestStartTls } from "./start-tls.ts";

export interface OpenSocketOptions {
  readonly tls: ConnectionOptions;
  /** Until the connection is there, encryption included. */
  readonly timeoutMs: number;
}

/**
 * Connects to a server, encrypted as its settings say.
 *
 * @throws LdapFailure `unreachable`, also for a certificate that is not trusted
 */
export async function openSocket(server: LdapServer, { tls, timeoutMs }: OpenSocketOptions): Promise<Socket> {
  const opened: Socket[] = [];
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    for (const socket of opened) socket.destroy();
  }, timeoutMs);
  try {
    const { host, port, encryption } = server;
    if (encryption === "TLS") return await ready(opened, connectTls({ ...tls, host, port }), "secureConnect");
    const plain = await ready(opened, connect({ host, port }), "connect");
    if (encryption === "none") return plain;
    await requestStartTls(plain);
    const encrypted = await ready(opened, connectTls({ ...tls, socket: plain }), "secureConnect");
    encrypted.once("close", () => plain.destroy());
    return encrypted;
  } catch (error) {
    for (const socket of opened) socket.destroy();
    if (late) throw new LdapFailure("unreachable", `No connection within ${timeoutMs / 1000} s`, error);
    if (error instanceof LdapFailure) throw error;
    throw new LdapFailure("unreachable", error instanceof Error ? error.message : String(error), error);
  } finally {
    clearTimeout(timer);
  }
}

function ready<S extends Socket>(opened: Socket[], socket: S, event: "connect" | "secureConnect"): Promise<S> {
  opened.push(socket);
  return new Promise((resolve, reject) => {
    const closed = (): void => reject(new Error("The server closes the connection"));
    socket.once("close", closed);
    // Stays: an error of a connection that is given up already must not end the process.
    socket.on("error", reject);
    socket.once(event, () => {
      socket.removeListener("close", closed);
      socket.setNoDelay(true);
      socket.setKeepAlive(true);
      resolve(socket);
    });
  });
}
