import type { Socket } from "node:net";
import { BerReader } from "ldapts";
import { LdapFailure } from "./failure.ts";

/** Asks for StartTLS: an extended request of RFC 4511 §4.14 with message id 1. */
const request = Buffer.concat([
  Buffer.of(0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16),
  Buffer.from("1.3.6.1.4.1.1466.20037", "latin1"),
]);
const extendedResponse = 0x78;
/** Bytes of the longest answer that is read. */
const longestAnswer = 4096;

/**
 * Agrees with the server of a new connection that TLS begins. The connection has nothing else to read then: bytes that
 * come along with the answer were sent by somebody in between to be taken for what the server says over TLS, and are
 * refused. (The library's own StartTLS keeps them.)
 *
 * @throws LdapFailure
 */
export function requestStartTls(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const finish = (failure?: Error): void => {
      socket.removeListener("data", read);
      socket.removeListener("close", closed);
      socket.pause();
      if (failure === undefined) resolve();
      else reject(failure);
    };
    const closed = (): void => finish(unreachable("The server closes the connection instead of starting TLS"));
    const read = (data: Buffer): void => {
      received = Buffer.concat([received, data]);
      try {
        if (isWholeAnswer(received)) finish();
      } catch (error) {
        finish(error instanceof Error ? error : unreachable(String(error)));
      }
    };
    socket.on("data", read);
    socket.on("close", closed);
    socket.write(request);
  });
}

/** Whether the answer is there, and good; `false` while more of it is to come. */
function isWholeAnswer(received: Buffer): boolean {
  const reader = new BerReader(received);
  const started = reader.readSequence();
  if (started === null || reader.remain < reader.length) {
    if (received.length > longestAnswer) throw unreachable("The server's answer to StartTLS is too long");
    return false;
  }
  if (reader.remain > reader.length) throw unreachable("There is more than the server's answer to StartTLS");
  const messageId = reader.readInt();
  if (messageId !== 1) throw unreachable("The server answers something else than StartTLS");
  reader.readSequence(extendedResponse);
  const result = reader.readEnumeration();
  if (result !== 0) throw unreachable(`The server does not start TLS: result ${result}`);
  return true;
}

function unreachable(message: string): LdapFailure {
  return new LdapFailure("unreachable", message);
}
