import { connect, type Socket } from "node:net";

/** A connection on which a test says exactly what it wants, byte by byte. */
export interface RawConnection {
  readonly socket: Socket;
  send(text: string): void;
  /** All that was received, once the text has come. */
  until(text: string): Promise<string>;
  /** All that was received, once the other side has closed. */
  closed(): Promise<string>;
}

/** Connects to `http://HOST:PORT`. */
export async function rawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const look of waiting) look();
  };
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
    wake();
  });
  socket.on("close", wake);
  socket.on("error", wake); // a reset is an end like any other here
  const when = (condition: () => boolean): Promise<string> =>
    new Promise((resolve) => {
      const look = () => {
        if (condition()) resolve(received);
      };
      waiting.push(look);
      look();
    });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  return {
    socket,
    send: (text) => {
      socket.write(Buffer.from(text, "latin1"));
    },
    until: (text) => when(() => received.includes(text)),
    closed: () => when(() => socket.closed),
  };
}

/** Sends one request and gives the whole answer; the request must ask for the connection to be closed. */
export async function rawExchange(url: string, text: string): Promise<string> {
  const connection = await rawConnection(url);
  connection.send(text);
  return connection.closed();
}
