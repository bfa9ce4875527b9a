import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { kinora, kinoraServe, testFolder } from "./cli.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs", "getting-started.md"), "utf8");

/** The commands of the page's shell blocks, continued lines joined, with what the comment behind promises. */
const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) =>
  block
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [command = "", promise] = line.split(/ +# /);
      return { command: command.replace(/\s+/g, " ").trim(), promise };
    }),
);
const [inIni = ""] = [...page.matchAll(/^```ini\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);

/** Runs `curl` with the page's words; gives what it prints and the status. */
async function curl(words: string): Promise<string> {
  const { stdout } = await promisify(execFile)("bash", ["-c", `${words} -s -w ' %{http_code}'`]);
  return stdout.trim();
}

function isAsPromised(printed: string, promise: string | undefined): boolean {
  const status = Number(printed.slice(-3));
  if (promise === undefined || promise.startsWith("a ")) return status === 200;
  return /^\d{3}/.test(promise) ? status === Number(promise.slice(0, 3)) : printed === `${promise} 200`;
}

describe("what the page tells a new user to do", () => {
  test("works, from the first start to a realm of one's own [spec: plugin-install] [spec: several-realms]", async () => {
    const cwd = testFolder();
    cpSync(join(root, "examples"), join(cwd, "examples"), { recursive: true });
    const done: string[] = [];
    let server: Awaited<ReturnType<typeof kinoraServe>> | undefined;
    let password = "";

    async function start(flags: readonly string[]): Promise<void> {
      await server?.stop();
      server = await kinoraServe(flags, { cwd });
      const made = /with the password (\S+)$/m.exec(server.said.out)?.[1];
      if (made !== undefined) password = made;
    }

    for (const { command, promise } of commands) {
      done.push(command);
      if (command === "npm install") continue;
      if (command.startsWith("npm start")) {
        if (command.includes("archive") && done.some((one) => one.startsWith("cp "))) addToIni(cwd);
        await start(
          command
            .split(" ")
            .slice(3)
            .filter((word, i, words) => word !== "--port" && words[i - 1] !== "--port"),
        );
      } else if (command.startsWith("cp ")) {
        const [, from = "", to = ""] = command.split(" ");
        mkdirSync(join(cwd, dirname(`${to}x`)), { recursive: true });
        cpSync(join(cwd, from), join(cwd, to, from.split("/").at(-1) ?? ""));
      } else if (command.startsWith("npx kinora ")) {
        if (command.includes("check")) addToIni(cwd);
        const ran = await kinora(command.split(" ").slice(2), { cwd, input: "wonder\n" });
        expect([command, ran.code, ran.error]).toEqual([command, 0, ""]);
        if (promise !== undefined) expect(ran.out).toContain(promise);
      } else {
        const printed = await curl(
          command.replace(/http:\/\/localhost:\d+/, server?.url ?? "").replace("PASSWORD", password),
        );
        expect([command, printed, isAsPromised(printed, promise)]).toEqual([command, printed, true]);
      }
    }
    expect(done.length).toBeGreaterThan(12);
  });
});

/** What the page says to write into `security.ini`, once. */
function addToIni(cwd: string): void {
  const path = join(cwd, "archive", "config", "security.ini");
  const ini = readFileSync(path, "utf8");
  if (!ini.includes(inIni)) writeFileSync(path, ini.replace(/^securityManager\.realms = .*\n/m, inIni));
}
