import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createService, type Service } from "../../src/mod.ts";
import { serve } from "../../src/runtime/node.ts";
import type { RunningServer } from "../../src/runtime/running-server.ts";
import { settingsWith } from "../../src/settings.ts";
import { makeDatabase, type TestDatabase } from "../portable/database.ts";

const page = fileURLToPath(new URL("../../docs/authentication.md", import.meta.url));
let database: TestDatabase;
let service: Service;
let server: RunningServer;
beforeAll(async () => {
  database = await makeDatabase();
  service = await createService({
    database: await database.open(),
    adminPassword: "change-me",
    extDir: "no-such-folder",
  });
  server = await serve(service, { ...settingsWith({}), port: 0 });
});
afterAll(async () => {
  await server?.stop();
  await service?.close();
  await database?.remove();
});

const mark = "=== end of block";

test("every command of the page on authentication does what the page says", async () => {
  const text = await readFile(page, "utf8");
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```)?/g)];
  expect(blocks.length).toBe(text.match(/```sh/g)?.length);
  expect(blocks.length).toBeGreaterThan(10);
  // One shell for all of them: what one block sets, the next ones use.
  const script = blocks.map(
    ([, commands = ""]) => `${commands.replaceAll("http://localhost:8080", server.url)}\necho "${mark}"`,
  );
  const { stdout, stderr } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script.join("\n")]);
  const said = stdout.split(`${mark}\n`).map((part) => part.trim().split(/\s+/).join(" "));
  for (const [i, [, commands = "", expected = ""]] of blocks.entries()) {
    expect(said[i], `${commands}\n${stderr}`).toBe(expected.trim().split(/\s+/).join(" "));
  }
});
