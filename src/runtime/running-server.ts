import type { Answer } from "../http/answer.ts";
import type { ServerRequest } from "../service/server-request.ts";
import type { Settings } from "../settings.ts";

/** What a server hands requests to. */
export interface AnsweringService {
  /** Never throws and never rejects. */
  answer(request: ServerRequest): Answer | Promise<Answer>;
}

/** The settings that a server looks at. */
export type ServerSettings = Pick<
  Settings,
  | "host"
  | "port"
  | "maxHeaderBytes"
  | "headerTimeoutSeconds"
  | "bodyTimeoutSeconds"
  | "keepAliveTimeoutSeconds"
  | "drainTimeoutSeconds"
>;

/** A server that accepts requests. */
export interface RunningServer {
  /** `http://HOST:PORT`, with the port that was taken. */
  readonly url: string;
  /**
   * Stops accepting, lets the requests under way finish for at most the drain time-out, then closes what is left.
   * Resolves to the number of connections that had to be cut.
   */
  stop(): Promise<number>;
}

/** The server cannot listen; the message says why and what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";

  constructor(settings: Pick<Settings, "host" | "port">, cause: unknown) {
    super(listenMessage(settings, cause), { cause });
  }
}

function listenMessage({ host, port }: Pick<Settings, "host" | "port">, cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const place = `port ${port} on ${host}`;
  if (code === "EADDRINUSE") return `Another program listens on ${place} already; choose another port with --port`;
  if (code === "EACCES") return `This user may not listen on ${place}; ports below 1024 need a privilege`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `${host} is no address of this machine; correct --host`;
  return `The server cannot listen on ${place}: ${cause instanceof Error ? cause.message : String(cause)}`;
}

/** `http://127.0.0.1:8080`, `http://[::1]:8080` */
export function serverUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** An IPv4 address as such, also where a socket for both families shows it inside an IPv6 address. */
export function plainAddress(address: string | undefined): string | undefined {
  return address?.startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
}

/** A body that gets less than this through in a second, over the whole time-out, is given up. */
export const slowestBodyBytesPerSecond = 1024;
