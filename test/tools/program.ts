import { type SpawnOptions, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** An absolute path from one that is relative to the project's folder. */
export function fromRoot(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The path of a program that the test tools brought. */
export function tool(name: string): string {
  return fromRoot(`test/node_modules/.bin/${name}`);
}

/**
 * The Deno that runs this, or the one among the test tools: the binary itself, because signals that are sent to the
 * package's start script do not reach it.
 */
export function denoProgram(): string {
  if ("Deno" in globalThis) return process.execPath;
  const install: { runInstall(): string } = createRequire(import.meta.url)("deno/install_api.cjs");
  return install.runInstall();
}

/** Runs a program in the project's folder, its output shown, and gives its exit code; 1 when it cannot be started. */
export function run(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: fromRoot(""), stdio: "inherit", ...options });
    child.on("error", (error) => {
      console.error(`${program} cannot be started: ${error.message}`);
      resolve(1);
    });
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
