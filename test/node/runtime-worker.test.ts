import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasSqld, type Sqld, startSqld } from "../peers/sqld.ts";
import { bundleWorker } from "../runtimes/workerd/bundle.ts";
import { serveWorker, type WorkerServer } from "../runtimes/workerd/server.ts";
import { rawExchange } from "./raw-http.ts";

const entry = "test/node/worker-entry.ts";
const basic = (credentials: string) => ({ authorization: `Basic ${btoa(credentials)}` });

test("a Worker with the whole service is smaller than 1 MB, compressed", async () => {
  const script = await bundleWorker(entry, { minify: true });
  expect(gzipSync(script).length).toBeLessThan(1_000_000);
});

describe.skipIf(!hasSqld)("a Worker on workerd, its database a libSQL server", () => {
  const folder = mkdtempSync(join(tmpdir(), "kinora-worker-"));
  let database: Sqld;
  let worker: WorkerServer;
  const start = async (bindings: Readonly<Record<string, string>> = {}) =>
    serveWorker(
      await bundleWorker(entry),
      {
        KINORA_DATABASE_URL: database.url,
        KINORA_ADMIN_PASSWORD: "s3cret",
        KINORA_LOG_LEVEL: "error",
        ALICE_PASSWORD: "wonder",
        ...bindings,
      },
      folder,
    );
  beforeAll(async () => {
    database = await startSqld();
    worker = await start();
  });
  afterAll(async () => {
    await worker.close();
    await database.stop();
    await rm(folder, { recursive: true });
  });

  test("starts once for requests that come together", async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => fetch(`${worker.url}/API/whoami`, { headers: basic("admin:s3cret") })),
    );
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(Array(5).fill("admin"));
  });

  test.each([
    ["admin:s3cret", 200],
    ["alice:wonder", 200],
    ["alice:wrong", 401],
    ["bob:wonder", 401],
  ])("lets in whom one of the realms accepts: %s is %i", async (credentials, status) => {
    const answer = await fetch(`${worker.url}/API/version`, { headers: basic(credentials) });
    expect(answer.status).toBe(status);
  });

  test("reads the request target as it came", async () => {
    const authorization = `Authorization: ${basic("admin:s3cret").authorization}`;
    const request = (target: string) =>
      `GET ${target} HTTP/1.1\r\nHost: h\r\n${authorization}\r\nConnection: close\r\n\r\n`;
    expect(await rawExchange(worker.url, request("/API/whoami"))).toMatch(/^HTTP\/1\.1 200 /);
    expect(await rawExchange(worker.url, request("/x/../API/whoami"))).toMatch(/^HTTP\/1\.1 400 /);
    expect(await rawExchange(worker.url, request("/%2e/API/whoami"))).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("refuses a Host header that would shift the path", async () => {
    const request = "GET / HTTP/1.1\r\nHost: h/livez?\r\nConnection: close\r\n\r\n";
    expect(await rawExchange(worker.url, request)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("with a wrong binding answers 503 and says nothing of it to the caller", async () => {
    const broken = await start({ KINORA_PROT: "1", KINORA_DATABASE_AUTH_TOKEN: "hush" });
    const answer = await fetch(`${broken.url}/API/whoami`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(await answer.text()).not.toMatch(/KINORA|hush/);
    await broken.close();
  });
});
