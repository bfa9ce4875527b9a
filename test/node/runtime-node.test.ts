import { afterEach, describe, expect, test } from "vitest";
import { type Answer, PlainAnswer } from "../../src/http/answer.ts";
import { serve } from "../../src/runtime/node.ts";
import { ListenError, type RunningServer } from "../../src/runtime/running-server.ts";
import type { ServerRequest } from "../../src/service/server-request.ts";
import { settingsWith } from "../../src/settings.ts";
import { rawConnection, rawExchange } from "./raw-http.ts";

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

async function start(
  fetch: (request: Request, connection: ServerRequest) => Response | Promise<Response>,
  settings: Parameters<typeof settingsWith>[0] = {},
): Promise<RunningServer> {
  const server = await serve(
    { answer: (sent) => fetch(sent.request, sent) },
    settingsWith({ port: 0, drainTimeoutSeconds: 5, ...settings }),
  );
  running.push(server);
  return server;
}

/** Answers with what the service is told of the connection. */
const mirror = (_: Request, connection: ServerRequest) =>
  Response.json({
    target: connection.rawTarget,
    address: connection.remoteAddress,
    authorization: connection.header("authorization") ?? null,
    twice: connection.header("x-twice") ?? null,
  });

const get = (target: string, headers = "Host: h\r\n") =>
  `GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`;
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));

describe("the service is told", () => {
  test.each(["/", "/a/../b", "/a/%2e%2e/b", "/a\\b", "//x//y", "/a;b=c/%zz?q=1#f", "http://other:99/abs?x=1", "*"])(
    "the request target as it came: %s",
    async (target) => {
      const { url } = await start(mirror);
      expect(bodyOf(await rawExchange(url, get(target))).target).toBe(target);
    },
  );

  test("the address and the headers", async () => {
    const { url } = await start(mirror);
    const headers = "Host: h\r\nAuthorization: Basic eA==\r\nX-Twice: 1\r\nX-Twice: 2\r\n";
    expect(bodyOf(await rawExchange(url, get("/", headers)))).toMatchObject({
      address: "127.0.0.1",
      authorization: "Basic eA==",
      twice: "1, 2",
    });
  });

  test("IPv4 addresses as such, also when the server listens on both families", async () => {
    const { url } = await start(mirror, { host: "::" });
    const answer = await fetch(url.replace("[::]", "127.0.0.1"));
    expect(await answer.json()).toMatchObject({ address: "127.0.0.1" });
  });
});

describe("an answer of known parts", () => {
  const answering = async (answer: Answer) => {
    const server = await serve({ answer: () => answer }, settingsWith({ port: 0 }));
    running.push(server);
    return server.url;
  };

  test.each(["plain", "žluťoučký kůň", "\u{1f3ac}"])("is written with its length: %s", async (body) => {
    const url = await answering(
      new PlainAnswer(201, { "content-type": "text/plain; charset=utf-8", etag: '"1"' }, body),
    );
    const answer = await fetch(url);
    const { status, headers } = answer;
    expect([status, headers.get("etag"), headers.get("content-length")]).toEqual([
      201,
      '"1"',
      String(new TextEncoder().encode(body).length),
    ]);
    expect(await answer.text()).toBe(body);
  });

  test.each([
    [200, "0"],
    [204, null],
    [304, null],
  ])("without a body has status %i and the length %s", async (status, length) => {
    const url = await answering(new PlainAnswer(status, { "x-request-id": "a" }, null));
    const head = await rawExchange(url, get("/"));
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(/content-length: (\d+)/i.exec(head)?.[1] ?? null).toBe(length);
    expect(head).not.toMatch(/transfer-encoding/i);
  });

  test("is the same to requests that the adapter takes: other methods, other hosts, promises", async () => {
    const plain = new PlainAnswer(200, { "content-type": "text/plain; charset=utf-8" }, "text");
    const url = await answering(plain);
    expect(await (await fetch(url, { method: "POST", body: "x" })).text()).toBe("text");
    expect(await rawExchange(url, get("/", "Host: H.Example\r\n"))).toMatch(/\r\n\r\ntext$/);
    const server = await serve({ answer: () => Promise.resolve(plain) }, settingsWith({ port: 0 }));
    running.push(server);
    expect(await (await fetch(server.url)).text()).toBe("text");
  });
});

test("a Host header that is none is refused before the service sees the request", async () => {
  let asked = 0;
  const { url } = await start(() => {
    asked++;
    return new Response();
  });
  expect(await rawExchange(url, get("/", "Host: a b/@x\r\n"))).toMatch(/^HTTP\/1\.1 400 /);
  expect(asked).toBe(0);
});

describe("slow clients", () => {
  test("headers that do not end are answered 408 and the connection is closed", async () => {
    const { url } = await start(mirror, { headerTimeoutSeconds: 1 });
    const connection = await rawConnection(url);
    connection.send("GET / HTTP/1.1\r\nHost: h\r\nX-Slow: ");
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("a body that stands still is answered 408 and the connection is closed", async () => {
    const { url } = await start(async (request) => new Response(await request.text()), { bodyTimeoutSeconds: 1 });
    const connection = await rawConnection(url);
    connection.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc");
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("a body that trickles counts as one that stands still", async () => {
    const { url } = await start(async (request) => new Response(await request.text()), { bodyTimeoutSeconds: 1 });
    const connection = await rawConnection(url);
    connection.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n");
    const drip = setInterval(() => connection.send("x"), 50);
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(drip);
  });

  test("a body that the service has not asked for yet is waited with", async () => {
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const { url } = await start(
      async (request) => {
        await held;
        return new Response(String((await request.arrayBuffer()).byteLength));
      },
      { bodyTimeoutSeconds: 1 },
    );
    const size = 4_000_000;
    const answer = fetch(url, { method: "PUT", body: new Uint8Array(size) });
    const other = await rawConnection(url);
    other.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n");
    await other.closed(); // the time-out has passed for a body that was not sent
    go();
    expect(await (await answer).text()).toBe(String(size));
  });

  test("headers beyond the limit are answered 431", async () => {
    const { url } = await start(mirror, { maxHeaderBytes: 4096 });
    expect(await rawExchange(url, get("/", `Host: h\r\nX-Long: ${"x".repeat(5000)}\r\n`))).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe("stop", () => {
  test("lets a request under way finish, refuses new connections, and closes idle ones", async () => {
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const server = await start(async (request) => {
      if (new URL(request.url).pathname === "/slow") await held;
      return new Response("done");
    });
    const idle = await rawConnection(server.url);
    idle.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    await idle.until("done");
    const busy = await rawConnection(server.url);
    busy.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n");
    const alsoBusy = await rawConnection(server.url);
    alsoBusy.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\nGET /more HTTP/1.1\r\nHost: h\r\n\r\n");

    const stopped = server.stop();
    await idle.closed();
    await expect(rawConnection(server.url)).rejects.toThrow();
    go();
    expect(await busy.closed()).toContain("done");
    expect(await alsoBusy.closed()).toContain("done");
    expect(await stopped).toBe(0);
  });

  test("cuts what is not done after the drain time-out, and says how many", async () => {
    let reached: () => void = () => undefined;
    const underWay = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const never = () => {
      reached();
      return new Promise<Response>(() => undefined);
    };
    const server = await start(never, { drainTimeoutSeconds: 0 });
    const busy = await rawConnection(server.url);
    busy.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    await underWay;
    expect(await server.stop()).toBe(1);
    expect(await busy.closed()).toBe("");
  });
});

test("a port that is taken is told as such", async () => {
  const { url } = await start(mirror);
  const taken = serve(
    { answer: (sent) => mirror(sent.request, sent) },
    settingsWith({ port: Number(new URL(url).port) }),
  );
  await expect(taken).rejects.toThrow(ListenError);
  await expect(taken).rejects.toThrow(/listens on port \d+ on 127\.0\.0\.1 already; choose another port with --port/);
});
