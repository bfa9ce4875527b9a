import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a directory server that a test can make worse. */
export interface Way {
  /** `ldap://127.0.0.1:PORT` */
  readonly url: string;
  /** `stall`: what is sent is swallowed, and nothing comes back. `sever`: the connection ends at the next request. */
  mode: "pass" | "stall" | "sever";
  /** Connections made so far. */
  readonly made: number;
  /** The most that were open at one time. */
  readonly most: number;
  /** Ends the connections that are open. */
  sever(): void;
  close(): Promise<void>;
}

/** Listens on a free port, or on the one given, and passes bytes on to `port`. */
export async function openWay(port: number, own = 0): Promise<Way> {
  const sockets = new Set<Socket>();
  let made = 0;
  let open = 0;
  let most = 0;
  let mode: Way["mode"] = "pass";
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // A reset is what these connections are for.
    socket.on("error", () => socket.destroy());
    return socket;
  };
  const server = createServer((client) => {
    const peer = track(connect(port, "127.0.0.1"));
    made += 1;
    open += 1;
    most = Math.max(most, open);
    track(client).on("data", (bytes) => {
      if (mode === "pass") peer.write(bytes);
      else if (mode === "sever") client.destroy();
    });
    peer.on("data", (bytes) => {
      if (mode !== "stall") client.write(bytes);
    });
    client.on("close", () => {
      open -= 1;
      peer.destroy();
    });
    peer.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(own, "127.0.0.1", resolve));
  return {
    url: `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get mode() {
      return mode;
    },
    set mode(next) {
      mode = next;
    },
    get made() {
      return made;
    },
    get most() {
      return most;
    },
    sever() {
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
