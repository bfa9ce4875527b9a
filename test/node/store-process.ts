import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

/** Another process on the same database. */
export interface OtherProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** The next line that it says; `undefined` when it has ended. */
  line(): Promise<string | undefined>;
  /** Kills it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
}

/** Runs a TypeScript file of this folder in a process of its own. */
export function startProcess(file: string, ...args: readonly string[]): OtherProcess {
  const child = spawn(process.execPath, ["--import", "tsx", fileURLToPath(new URL(file, import.meta.url)), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    line: async () => (await lines.next()).value,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
