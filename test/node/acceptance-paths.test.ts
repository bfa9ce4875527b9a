import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineFilter } from "../../src/mod.ts";
import { serve } from "../../src/runtime/node.ts";
import type { RunningServer } from "../../src/runtime/running-server.ts";
import { settingsWith } from "../../src/settings.ts";
import { pathTricks } from "../portable/acceptance-path-tricks.ts";
import { adminPassword, basic, startService, type TestService } from "../portable/harness.ts";
import { rawConnection, rawExchange } from "./raw-http.ts";
import { serving } from "./serving.ts";

/** Answers whatever reaches it, and says with which segments. */
const probe = defineFilter({
  names: ["ProbeFilter"],
  create: () => ({
    handle: ({ segments }) =>
      new Response(null, { headers: { "x-served": encodeURIComponent(JSON.stringify(segments)) } }),
  }),
});

const ini = `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
securityManager.realms = $serviceRealm
probe = ProbeFilter
invalidRequest.blockSemicolon = false
invalidRequest.blockBackslash = false
invalidRequest.blockNonAscii = false
[urls]
/exact = tokenAuth[permissive], authcBasic, probe
/deep/** = tokenAuth[permissive], authcBasic, probe
/flat/* = tokenAuth[permissive], authcBasic, probe
/user/** = deny
/API/whoami = authcBasic
/** = probe
`;

let kinora: TestService;
let server: RunningServer;
beforeAll(async () => {
  kinora = await startService({ plugins: [probe], ini });
  server = await serve(serving(kinora.service), settingsWith({ port: 0 }));
});
afterAll(async () => {
  await server.stop();
  await kinora.close();
});

/** Sends a request as it stands; gives the status, what the probe saw, and the whole answer. */
async function send(method: string, target: string, ...headers: readonly string[]) {
  const lines = [`${method} ${target} HTTP/1.1`, "Host: h", "Connection: close", ...headers, "", ""];
  const answer = await rawExchange(server.url, lines.join("\r\n"));
  const served = /^x-served: (\S+)/im.exec(answer)?.[1];
  const segments: readonly string[] = served === undefined ? [] : JSON.parse(decodeURIComponent(served).toLowerCase());
  return { status: Number(answer.slice(9, 12)), served: served !== undefined, segments, answer };
}

const owner = `Authorization: ${basic("admin", adminPassword)}`;
const stranger = `Authorization: ${basic("admin", "wrong")}`;
const rules = [
  { rule: "/exact", word: "exact", covers: (path: readonly string[]) => path.length === 1 && path[0] === "exact" },
  { rule: "/deep/**", word: "deep", covers: (path: readonly string[]) => path[0] === "deep" },
  { rule: "/flat/*", word: "flat/page", covers: (path: readonly string[]) => path.length === 2 && path[0] === "flat" },
];

describe.each(rules)("over a socket, $rule", ({ word, covers }) => {
  test.each(pathTricks(word))("$name: nobody is served without credentials", async ({ targets }) => {
    for (const target of targets) {
      for (const bytes of new Set([target, rawBytesOf(target)])) {
        const { served, segments, status } = await send("GET", bytes);
        expect([bytes, served && covers(segments)]).toEqual([bytes, false]);
        expect([bytes, status]).toEqual([bytes, expect.toBeOneOf([200, 400, 401, 403])]);
      }
    }
  });

  test("the owner is served", async () => {
    expect(await send("GET", `/API/${word}`, owner)).toMatchObject({ status: 200, segments: word.split("/") });
  });

  test.each(["HEAD", "OPTIONS", "PUT", "POST", "DELETE", "PATCH", "TRACE", "PROPFIND", "MKCOL", "SEARCH"])(
    "%s is no way in either",
    async (method) => {
      expect(await send(method, `/${word}`, "Content-Length: 0")).toMatchObject({ status: 401, served: false });
    },
  );

  test.each(["BREW", "get", "CONNECT", "G\tET", ""])("the method %j serves nothing", async (method) => {
    expect(await send(method, `/${word}`)).toMatchObject({ served: false });
  });
});

/** The target with what it has encoded beyond ASCII as bare bytes, as no library would send it. */
function rawBytesOf(target: string): string {
  return target.replace(/%([89a-f][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

describe("over a socket, a route that only its chain protects", () => {
  test.each(pathTricks("user"))("$name: does not answer", async ({ targets }) => {
    for (const target of targets) {
      const { answer } = await send("GET", target, owner);
      expect([target, answer.includes("UserListDocument")]).toEqual([target, false]);
    }
  });
});

describe("over a socket, credentials", () => {
  test("sent twice: the first header counts, as in the reference", async () => {
    expect((await send("GET", "/API/whoami", stranger, owner)).status).toBe(401);
    expect((await send("GET", "/API/whoami", owner, stranger)).status).toBe(200);
  });

  test.each([
    ["folded over two lines", `Authorization:\r\n ${basic("admin", adminPassword)}`],
    ["behind another name", `X-Authorization: ${basic("admin", adminPassword)}`],
    ["with a NUL", `Authorization: ${basic("admin", adminPassword)}\0`],
    ["with 10,000 characters", `Authorization: Basic ${"A".repeat(10_000)}`],
    ["that are empty", "Authorization:"],
    ["with blanks only", "Authorization:    "],
    ["without a payload", "Authorization: Basic"],
    ["with two blanks", `Authorization: ${basic("admin", "wrong").replace(" ", "  ")}`],
  ])("%s cause no failure", async (_, header) => {
    expect((await send("GET", "/API/whoami", header)).status).toEqual(expect.toBeOneOf([200, 400, 401]));
  });
});

describe("over a socket, messages that two servers read in two ways", () => {
  const trailing = "GET /deep/x HTTP/1.1\r\nHost: h\r\n\r\n";
  test.each([
    ["both lengths", ["Content-Length: 5", "Transfer-Encoding: chunked"], `0\r\n\r\n${trailing}`],
    ["two lengths", ["Content-Length: 0", `Content-Length: ${trailing.length}`], trailing],
    ["a length that is none", ["Content-Length: +5"], "hello"],
    ["an encoding that is none", ["Transfer-Encoding: xchunked"], `0\r\n\r\n${trailing}`],
    ["an encoding named twice", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], `0\r\n\r\n${trailing}`],
    ["a blank before the colon", ["Transfer-Encoding : chunked"], `0\r\n\r\n${trailing}`],
    ["chunks that are none", ["Transfer-Encoding: chunked"], "zz\r\nhello\r\n0\r\n\r\n"],
    ["a chunk longer than it says", ["Transfer-Encoding: chunked"], "1\r\nhello\r\n0\r\n\r\n"],
    ["no host", ["Host: other"], ""],
  ])("%s: nothing protected is served, and the server goes on", async (_, headers, body) => {
    const connection = await rawConnection(server.url);
    connection.send(["POST /deep/x HTTP/1.1", "Host: h", ...headers, "", body].join("\r\n"));
    connection.socket.end();
    expect(await connection.closed()).not.toMatch(/^x-served:/im);
    expect((await send("GET", "/API/whoami", owner)).status).toBe(200);
  });
});
