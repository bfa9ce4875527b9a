import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** A server process of the benchmark. */
export interface BenchServer {
  readonly base: string;
  readonly pid: number;
  /** Of an embedded database; empty where there is none. */
  readonly databaseFile: string;
  stop(): Promise<void>;
}
export type Runtime = "node" | "deno";

const root = fileURLToPath(new URL("../..", import.meta.url));
const deno = join(root, "test/node_modules/.bin/deno");
export const adminPassword = "bench-password";

let nextPort = 19_300;

function commandFor(runtime: Runtime, file: string): readonly [string, readonly string[]] {
  if (runtime === "deno") return [deno, ["run", "-A", "--quiet", file]];
  return file.endsWith(".js") ? [process.execPath, [file]] : [process.execPath, ["--import", "tsx", file]];
}

/** Waits for the ready line in the file that takes the server's output. */
async function whenReady(child: ChildProcess, log: string, what: string): Promise<void> {
  for (;;) {
    const output = readFileSync(log, "utf8");
    if (/^ready http/m.test(output)) return;
    if (child.exitCode !== null)
      throw new Error(`${what} ended with ${child.exitCode} before it was ready:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function launch(
  runtime: Runtime,
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  instanceRoot?: string,
): Promise<BenchServer> {
  const port = nextPort++;
  const [command, before] = commandFor(runtime, join(root, file));
  const all = [...before, ...args.map((argument) => argument.replace("{port}", String(port)))];
  // A file, so that reading the output costs nobody a processor while the load runs.
  const log = join(mkdtempSync(join(tmpdir(), "kinora-bench-log-")), "output.log");
  const output = openSync(log, "w");
  const child = spawn(command, all, {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", ...environment },
    stdio: ["ignore", output, output],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  await whenReady(child, log, `${runtime} ${file}`);
  if (child.pid === undefined) throw new Error(`${file} has no process id`);
  return {
    base: `http://127.0.0.1:${port}`,
    pid: child.pid,
    databaseFile: instanceRoot === undefined ? "" : join(instanceRoot, "data/kinora.db"),
    stop: () =>
      new Promise((resolve) => {
        child.on("exit", () => {
          rmSync(dirname(log), { recursive: true, force: true });
          if (instanceRoot !== undefined) rmSync(instanceRoot, { recursive: true, force: true });
          resolve();
        });
        child.kill("SIGTERM");
      }),
  };
}

/** Bare hono with the same answer. */
export function startBare(runtime: Runtime): Promise<BenchServer> {
  return launch(runtime, "bench/auth/bare.ts", ["{port}"]);
}

/** How many of a primitive the runtime does in a second, by itself. */
export async function primitive(
  runtime: Runtime,
  kind: "argon2id" | "RS256" | "ES256",
  seconds: number,
): Promise<number> {
  const [command, before] = commandFor(runtime, join(root, "bench/auth/primitives.ts"));
  const { stdout } = await promisify(execFile)(command, [...before, kind, String(seconds)], { cwd: root });
  return Number(stdout);
}

/** Kinora from its command line, on a fresh embedded database. */
export function startKinora(
  runtime: Runtime,
  options: { readonly accessLog: boolean; readonly ini?: string },
): Promise<BenchServer> {
  const instanceRoot = mkdtempSync(join(tmpdir(), "kinora-bench-"));
  if (options.ini !== undefined) writeFileSync(join(instanceRoot, "security.ini"), options.ini);
  const file = runtime === "deno" ? "src/cli/deno.ts" : "src/cli/kinora.js";
  const args = ["serve", "--port", "{port}", "--instance-root", instanceRoot];
  const environment = {
    KINORA_ADMIN_PASSWORD: adminPassword,
    KINORA_LOG_FORMAT: "json",
    KINORA_ACCESS_LOG: String(options.accessLog),
  };
  return launch(runtime, file, args, environment, instanceRoot);
}
