import type { IncomingMessage, ServerResponse } from "node:http";
import { slowestBodyBytesPerSecond } from "./running-server.ts";

/** Looks after the bodies that clients are sending. */
export interface BodyWatch {
  watch(incoming: IncomingMessage, outgoing: ServerResponse): void;
  stop(): void;
}

interface Watched {
  readonly outgoing: ServerResponse;
  /** Bytes that the socket had received, and when, at the beginning of the present window. */
  bytes: number;
  since: number;
}

const checkIntervalMs = 500;

/**
 * Closes connections whose body stands still or trickles: in each window of the time-out it must bring at least 1 KiB a
 * second. A body that the service itself has not asked for is not its client's fault and is given a new window.
 */
export function watchBodies(timeoutMs: number): BodyWatch {
  const bodies = new Map<IncomingMessage, Watched>();
  const least = (timeoutMs / 1000) * slowestBodyBytesPerSecond;
  let timer: ReturnType<typeof setInterval> | undefined;

  function check(): void {
    const now = performance.now();
    for (const [incoming, body] of bodies) {
      if (incoming.complete || incoming.destroyed) {
        bodies.delete(incoming);
        continue;
      }
      if (now - body.since < timeoutMs) continue;
      const received = incoming.socket.bytesRead;
      const heldBack = incoming.readableLength > 0;
      if (heldBack || received - body.bytes >= least) {
        body.bytes = received;
        body.since = now;
      } else {
        bodies.delete(incoming);
        giveUp(incoming, body.outgoing);
      }
    }
    if (bodies.size === 0) stop();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(incoming, outgoing) {
      bodies.set(incoming, { outgoing, bytes: incoming.socket.bytesRead, since: performance.now() });
      timer ??= setInterval(check, checkIntervalMs).unref();
    },
    stop,
  };
}

/** Says why, as far as nothing was answered yet, and closes the connection. */
function giveUp(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { socket } = incoming;
  if (!outgoing.headersSent && socket.writable) {
    socket.end("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  }
  socket.destroySoon();
}
