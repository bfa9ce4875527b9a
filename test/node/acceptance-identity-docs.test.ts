import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createService, type Service } from "../../src/mod.ts";
import { serve } from "../../src/runtime/node.ts";
import type { RunningServer } from "../../src/runtime/running-server.ts";
import { defaultSecurityIni } from "../../src/security/default-ini.ts";
import { settingsWith } from "../../src/settings.ts";
import { makeDatabase, type TestDatabase } from "../portable/database.ts";
import { serving } from "./serving.ts";

const page = (name: string) => readFile(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), "utf8");
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
  server = await serve(serving(service), { ...settingsWith({}), port: 0 });
});
afterAll(async () => {
  await server?.stop();
  await service?.close();
  await database?.remove();
});

const mark = "=== end of block";

test("every command of the page on authentication does what the page says", async () => {
  const text = await page("authentication.md");
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

test("every configuration of the page on bearer tokens starts", async () => {
  const text = await page("bearer-tokens.md");
  const blocks = [...text.matchAll(/```ini\n([\s\S]*?)```/g)].map(([, lines = ""]) => lines);
  expect(blocks.length).toBeGreaterThan(2);
  for (const lines of blocks) {
    const own = lines.replace(/^oauth2Auth = .*\n/, "").replace(/\$\{file:[^}]+\}/, "secret");
    const made = await makeDatabase();
    const started = await createService({
      database: await made.open(),
      adminPassword: "change-me",
      extDir: "no-such-folder",
      ticking: false,
      securityIni: defaultSecurityIni.replace("oauth2Auth.allowConfigUpdate = true\n", own),
      fetch: () => Promise.reject(new TypeError("nothing can be reached")),
    });
    expect(started.started.warnings).toEqual([]);
    await started.close();
    await made.remove();
  }
});
