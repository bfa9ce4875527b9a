import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { denoProgram, fromRoot } from "../tools/program.ts";
import { basic, type RunningCli, serveWith, testFolder } from "./cli.ts";
import { rawConnection, rawExchange } from "./raw-http.ts";

/** The start task of deno.json, word for word, with the packages that npm installed. */
function startTask(): readonly string[] {
  const { tasks } = JSON.parse(readFileSync(fromRoot("deno.json"), "utf8"));
  const [, run = "", ...rest] = String(tasks.start).split(" ");
  const flags = rest.filter((word) => word.startsWith("--"));
  return [
    run,
    "--no-prompt",
    "--node-modules-dir=manual",
    `--config=${fromRoot("deno.json")}`,
    ...flags,
    fromRoot("src/cli/deno.ts"),
    "serve",
  ];
}

const environment = { KINORA_ADMIN_PASSWORD: "s3cret" };
const start = (args: readonly string[] = []) =>
  serveWith(denoProgram(), [...startTask(), "--port", "0", ...args], { environment });
const authorization = `Authorization: ${basic("admin", "s3cret").authorization}`;
const get = (target: string, host = "h") =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\nConnection: close\r\n\r\n`;

describe("a server on Deno, with the permissions of its start task", () => {
  let server: RunningCli;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  test("answers", async () => {
    const answer = await fetch(`${server.url}/API/whoami`, { headers: basic("admin", "s3cret") });
    expect(await answer.text()).toBe("admin");
  });

  test("reads the request target as it came", async () => {
    expect(await rawExchange(server.url, get("/API/whoami"))).toMatch(/^HTTP\/1\.1 200 /);
    for (const target of ["/x/../API/whoami", "/%2e/API/whoami", "/API\\whoami", "/API/who%ami", "/API/whoami%00"]) {
      expect(await rawExchange(server.url, get(target))).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  test.each(["a b", "h/livez?", "user@h", "h#x", "[::1"])("refuses the Host header %j", async (host) => {
    expect(await rawExchange(server.url, get("/", host))).toMatch(/^HTTP\/1\.1 400 /);
  });

  test.each(["h", "h:80", "example.org", "[::1]:8080", "127.0.0.1"])("takes the Host header %j", async (host) => {
    expect(await rawExchange(server.url, get("/API/whoami", host))).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test("a body that stands still on Deno is answered 408", async () => {
  const server = await start(["--body-timeout-seconds", "1"]);
  const connection = await rawConnection(server.url);
  connection.send(
    `PUT /API/user/bob HTTP/1.1\r\nHost: h\r\n${authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{`,
  );
  expect(await connection.until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 408 /);
});

test("SIGTERM lets the request under way on Deno finish", async () => {
  const server = await start();
  const connection = await rawConnection(server.url);
  const body = '{"userName":"bob"}';
  connection.send(
    `PUT /API/user/bob HTTP/1.1\r\nHost: h\r\n${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await fetch(`${server.url}/livez`); // the server has seen what was sent before
  const stopped = server.stop();
  connection.send(body.slice(5));
  expect(await connection.until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 20\d /);
  connection.socket.end();
  expect(await stopped).toBe(0);
});

test("a Deno that lacks a permission says which", async () => {
  const words = startTask().filter((word) => word !== "--allow-write");
  await expect(serveWith(denoProgram(), [...words, "--port", "0"], { cwd: testFolder() })).rejects.toThrow(
    /Requires write access to .*run again with the --allow-write flag\nThe README lists/,
  );
});
