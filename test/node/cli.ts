import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, onTestFinished } from "vitest";

const program = fileURLToPath(new URL("../../src/cli/kinora.js", import.meta.url));

/** How the program is run. */
export interface RunOptions {
  /** Working directory. Default: an empty folder. */
  readonly cwd?: string;
  /** Variables beside those that any program needs. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
}

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** A folder that is removed after the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "kinora-cli-"));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** After the test; for what `beforeAll` makes, after the file. */
function whenOver(work: () => void | Promise<void>): void {
  if (expect.getState().currentTestName === undefined) afterAll(work);
  else onTestFinished(work);
}

/** Runs `kinora` to its end. */
export async function kinora(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { child, said } = start(process.execPath, [program, ...args], options);
  child.stdin?.end(options.input ?? "");
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out: said.out, error: said.error };
}

/** A server that accepts requests. */
export interface RunningCli {
  readonly url: string;
  readonly said: { readonly out: string; readonly error: string };
  /** Sends SIGTERM, or another signal, and gives the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Runs `kinora serve` on a free port until the test ends; rejects when it ends before it is ready. */
export function kinoraServe(args: readonly string[], options: RunOptions = {}): Promise<RunningCli> {
  return serveWith(process.execPath, [program, "serve", "--port", "0", ...args], options);
}

/** Runs a server by any program. */
export async function serveWith(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunningCli> {
  const { child, said } = start(command, args, options);
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return closed;
  };
  whenOver(async () => {
    await stop("SIGKILL");
  });
  const url = await Promise.race([
    new Promise<string>((resolve) => {
      child.stdout?.on("data", () => {
        const line = /^ready (\S+)$/m.exec(said.out)?.[1];
        if (line !== undefined) resolve(line);
      });
    }),
    closed.then((code) => Promise.reject(new Error(`kinora ended with ${code} at its start: ${said.error}`))),
  ]);
  return { url, said, stop };
}

function start(command: string, args: readonly string[], { cwd, environment }: RunOptions) {
  const { PATH = "", HOME = "" } = process.env;
  const child: ChildProcess = spawn(command, args, {
    cwd: cwd ?? testFolder(),
    env: { PATH, HOME, ...environment },
  });
  const said = { out: "", error: "" };
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    said.out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    said.error += text;
  });
  return { child, said };
}

/** The value of an Authorization header. */
export function basic(user: string, password: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}
