import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasSlapd, type Slapd, startSlapd } from "../peers/slapd.ts";
import { binding, type LdapTexts, openRealm, outcome, searching, withGroups } from "./ldap-client.ts";
import { entries } from "./ldap-entries.ts";
import { openWay } from "./ldap-way.ts";

/** A server that says what a test wants to each connection. */
async function serve(talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => socket.destroy()));
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An answer to StartTLS with message id 1. */
const startTlsAnswer = (result: number) => Buffer.of(0x30, 12, 2, 1, 1, 0x78, 7, 10, 1, result, 4, 0, 4, 0);

describe.skipIf(!hasSlapd)("a connection to a real directory", () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd(entries, ["security ssf=1"]);
  });
  afterAll(() => slapd?.stop());

  /** Addresses and what encrypts them. */
  const encrypted = (): Readonly<Record<string, LdapTexts>> => ({
    LDAPS: { url: slapd.secureUrl },
    StartTLS: { url: slapd.url, useStartTLS: "true" },
    "StartTLS by default": { url: slapd.url },
  });

  describe.each(["LDAPS", "StartTLS", "StartTLS by default"])("by %s", (kind) => {
    const { useStartTLS: _, ...plain } = searching("");
    const open = (more: LdapTexts) => openRealm({ ...plain, ...withGroups, ...encrypted()[kind], ...more });

    test("is there when the authority is trusted", async () => {
      const realm = await open({ caFile: slapd.caFile });
      expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
      expect(await outcome(realm.login("alice", "wrong"))).toBe("rejected");
      expect((await realm.account("alice", "wonder"))?.attributes?.groups).toHaveLength(2);
      expect(realm.log()).toEqual([expect.stringMatching(/^The directory refuses a login/)]);
    });

    test.each([
      ["another authority is trusted", () => ({ caFile: slapd.otherCaFile })],
      ["only the runtime's authorities are", () => ({})],
    ])("is not there when %s", async (_name, more) => {
      const realm = await open(more());
      expect(await realm.login("alice", "wonder")).toBe("unavailable");
      expect(realm.log("error")).toEqual([expect.stringMatching(/certificate|issuer/i)]);
      expect(await realm.health()).toBe(false);
    });

    test("is not there when the certificate is for another name", async () => {
      // An address of this machine for which the certificate was not issued.
      const url = (encrypted()[kind]?.url ?? "").replace("127.0.0.1", "127.0.0.2");
      const way = await elsewhere(Number(new URL(url).port));
      const realm = await open({ url: url.replace(/:\d+$/, `:${way}`), caFile: slapd.caFile });
      expect(await realm.login("alice", "wonder")).toBe("unavailable");
      expect(realm.log("error")).toEqual([expect.stringMatching(/127\.0\.0\.2|not valid for name|altnames/i)]);
    });

    test("is there with any certificate when that is wanted", async () => {
      const realm = await open({ verifyCertificate: "false" });
      expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
    });

    test("is used again by further logins", async () => {
      const way = await openWay(kind === "LDAPS" ? slapd.securePort : slapd.port);
      onTestFinished(() => way.close());
      const url = kind === "LDAPS" ? way.url.replace("ldap:", "ldaps:") : way.url;
      const realm = await open({ url, caFile: slapd.caFile });
      for (let at = 0; at < 5; at++) expect(await outcome(realm.login("alice", "wonder"))).toBe("hello alice");
      expect(way.made).toBe(2);
    });
  });

  /** Hands connections to 127.0.0.2 on. */
  async function elsewhere(port: number): Promise<number> {
    const { connect } = await import("node:net");
    const server = createServer((client) => {
      const peer = connect(port, "127.0.0.1");
      client.on("error", () => peer.destroy()).pipe(peer);
      peer.on("error", () => client.destroy()).pipe(client);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.2", resolve));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  test("is refused by a server that wants it encrypted, which no login survives", async () => {
    const realm = await openRealm(binding(slapd.url));
    expect(await realm.login("alice", "wonder")).toBe("unavailable");
    expect(realm.log("error")).toEqual([expect.stringMatching(/result 13/)]);
  });

  test("keeps the password to itself when what comes before TLS was put there by somebody else", async () => {
    // What is sent along with the answer would make the real answer to the first bind, over TLS, a part of itself: a
    // bind that succeeds. Everything else goes to the real server.
    const pretended = Buffer.of(0x30, 26, 2, 1, 2, 0x61, 21, 10, 1, 0, 4, 0, 4, 14);
    const real = await openWay(slapd.port);
    onTestFinished(() => real.close());
    const { connect } = await import("node:net");
    const url = await serve((client) => {
      const peer = connect(Number(new URL(real.url).port), "127.0.0.1");
      let answers = 0;
      client.on("data", (data) => peer.write(data)).on("close", () => peer.destroy());
      peer.on("data", (data) => client.write(answers++ === 0 ? Buffer.concat([data, pretended]) : data));
      peer.on("close", () => client.destroy());
    });
    const realm = await openRealm({ ...binding(url), useStartTLS: "true", caFile: slapd.caFile });
    expect(await realm.login("alice", "wrong")).toBe("unavailable");
    expect(await realm.login("alice", "wonder")).toBe("unavailable");
    expect(realm.log("error")).toEqual([expect.stringMatching(/more than the server's answer/)]);
  });

  test("is not made when the file of the authority is missing or has no certificate", async () => {
    await expect(openRealm({ ...searching(slapd.url), caFile: "no-such-file.pem" })).rejects.toThrow(
      "caFile cannot be read",
    );
    const key = slapd.caFile.replace(/\.pem$/, ".key");
    expect(await readFile(key, "utf8")).toMatch(/PRIVATE KEY/);
    await expect(openRealm({ ...searching(slapd.url), caFile: key })).rejects.toThrow(/no certificate in PEM form/);
  });
});

describe("a server that is no good one", () => {
  test.each<[string, (socket: Socket) => void, RegExp]>([
    ["does not know StartTLS", (socket) => socket.once("data", () => socket.write(startTlsAnswer(2))), /result 2/],
    ["closes at StartTLS", (socket) => socket.once("data", () => socket.end()), /closes the connection/],
    ["answers another message", (socket) => socket.write(Buffer.of(0x30, 3, 2, 1, 9)), /something else/],
    ["answers no LDAP", (socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"), /./],
    [
      "answers without an end",
      (socket) => socket.write(Buffer.concat([Buffer.of(0x30, 0x82, 0xff, 0xff), Buffer.alloc(5000)])),
      /too long/,
    ],
    [
      "speaks no TLS after StartTLS",
      (socket) => {
        socket.once("data", () => {
          socket.write(startTlsAnswer(0));
          socket.once("data", () => socket.end("not TLS at all"));
        });
      },
      /./,
    ],
    [
      "closes after StartTLS",
      (socket) => {
        socket.once("data", () => {
          socket.write(startTlsAnswer(0));
          socket.once("data", () => socket.end());
        });
      },
      /./,
    ],
    [
      "is silent after StartTLS",
      (socket) => socket.once("data", () => socket.write(startTlsAnswer(0))),
      /No connection within 0.3 s/,
    ],
    ["is silent", () => undefined, /No connection within 0.3 s/],
  ])("%s: nobody can be told", async (_, talk, reason) => {
    const realm = await openRealm({ ...binding(await serve(talk)), useStartTLS: "true", connectTimeoutSeconds: "0.3" });
    expect(await realm.login("alice", "wonder")).toBe("unavailable");
    expect(realm.log("error")).toEqual([expect.stringMatching(reason)]);
  });

  test("sends an endless answer: the connection is given up", async () => {
    let sent = 0;
    const url = await serve((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      socket.once("data", () => {
        socket.write(Buffer.of(0x30, 0x84, 0x40, 0, 0, 0));
        more();
      });
      socket.on("drain", more);
    });
    const realm = await openRealm(binding(url));
    expect(await realm.login("alice", "wonder")).toBe("unavailable");
    expect(realm.log("error")).toEqual([expect.stringMatching(/larger than 8388608 bytes/)]);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });
});
