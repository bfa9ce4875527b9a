import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A server process of the benchmark. */
export interface BenchServer {
  readonly base: string;
  readonly pid: number;
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

function whenReady(child: ChildProcess, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
      if (/^ready http/m.test(output)) resolve();
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.on("exit", (code) => reject(new Error(`${what} ended with ${code} before it was ready:\n${output}`)));
  });
}

async function launch(
  runtime: Runtime,
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cleanUp: () => void,
): Promise<BenchServer> {
  const port = nextPort++;
  const [command, before] = commandFor(runtime, join(root, file));
  const all = [...before, ...args.map((argument) => argument.replace("{port}", String(port)))];
  const child = spawn(command, all, {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await whenReady(child, `${runtime} ${file}`);
  if (child.pid === undefined) throw new Error(`${file} has no process id`);
  return {
    base: `http://127.0.0.1:${port}`,
    pid: child.pid,
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners("exit");
        child.on("exit", () => {
          cleanUp();
          resolve();
        });
        child.kill("SIGTERM");
      }),
  };
}

/** Bare hono with the same answer. */
export function startBare(runtime: Runtime): Promise<BenchServer> {
  return launch(runtime, "bench/auth/bare.ts", ["{port}"], {}, () => {});
}

/** Kinora from its command line, on a fresh embedded database. */
export function startKinora(
  runtime: Runtime,
  options: { readonly accessLog: boolean; readonly ini?: string },
): Promise<BenchServer> {
  const instanceRoot = mkdtempSync(join(tmpdir(), "kinora-bench-"));
  if (options.ini !== undefined) writeFileSync(join(instanceRoot, "security.ini"), options.ini);
  const file = runtime === "deno" ? "src/cli/main.ts" : "src/cli/kinora.js";
  const args = [
    "serve",
    "--port",
    "{port}",
    "--instance-root",
    instanceRoot,
    "--access-log",
    String(options.accessLog),
  ];
  return launch(runtime, file, args, { KINORA_ADMIN_PASSWORD: adminPassword, KINORA_LOG_FORMAT: "json" }, () =>
    rmSync(instanceRoot, { recursive: true, force: true }),
  );
}
