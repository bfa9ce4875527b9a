import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What happens to the connection on which the next request or answer is seen. */
export type Fault =
  /** The request never arrives. */
  | "drop request"
  /** The request is carried out, its answer never comes back. */
  | "drop answer"
  /** Of the answer only the first bytes come back. */
  | "cut answer"
  /** The request is carried out, and the connection stays open without an answer. */
  | "withhold answer";

/** A way to a server on which connections break on purpose. */
export interface FaultyWay {
  readonly port: number;
  /** Faults of the next requests, one each, in this order; a request without one passes. */
  plan(...faults: readonly Fault[]): void;
  /** Forgets the faults that have not happened yet. */
  forget(): void;
  /** Faults that have not happened yet. */
  readonly planned: number;
  close(): Promise<void>;
}

/** Listens on a free port and passes bytes on to `port`. */
export async function openFaultyWay(port: number): Promise<FaultyWay> {
  const faults: Fault[] = [];
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // A reset is what these connections are for.
    socket.on("error", () => socket.destroy());
    return socket;
  };

  const server = createServer((client) => {
    const peer = track(connect(port, "127.0.0.1"));
    let fault: Fault | undefined;
    let webSocket = false;
    let withheld = "";
    const sever = () => {
      client.destroy();
      peer.destroy();
    };
    track(client).on("data", (bytes) => {
      // The upgrade to a WebSocket passes, so that faults meet requests of the database.
      const upgrade = bytes.toString("latin1", 0, 4) === "GET ";
      webSocket ||= upgrade;
      if (fault === undefined && !upgrade) fault = faults.shift();
      if (fault === "drop request") sever();
      else peer.write(bytes);
    });
    peer.on("data", (bytes) => {
      if (fault === undefined) {
        client.write(bytes);
        return;
      }
      // Over a WebSocket, smaller answers come before that of the statements; with theirs all is carried out.
      withheld += bytes.toString("latin1");
      if (webSocket && !/"type":"(execute|batch)"/.test(withheld)) return;
      if (fault === "drop answer") sever();
      else if (fault === "cut answer") client.write(bytes.subarray(0, bytes.length >> 1), sever);
    });
    client.on("close", () => peer.destroy());
    peer.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    plan: (...more) => faults.push(...more),
    forget: () => {
      faults.length = 0;
    },
    get planned() {
      return faults.length;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
