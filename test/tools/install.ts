import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fromRoot, run } from "./program.ts";

/**
 * Installs what the tests and checks need into `test/node_modules`, unless the lock file is the one that was installed
 * last. Install scripts of these packages are not run.
 */
export async function installTestTools(): Promise<void> {
  const lock = createHash("sha256")
    .update(readFileSync(fromRoot("test/package-lock.json")))
    .digest("hex");
  const stamp = fromRoot("test/node_modules/.installed-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  if ("Deno" in globalThis && !existsSync(fromRoot("node_modules"))) {
    // vitest finds packages in node_modules only.
    await mustRun(process.execPath, ["install", "--node-modules-dir=auto"], fromRoot(""));
  }
  console.log("Fetching the test tools (once for each change of test/package-lock.json)");
  if ("Deno" in globalThis) {
    // Nothing but Deno is needed then.
    await mustRun(
      process.execPath,
      ["install", "--no-config", "--no-lock", "--node-modules-dir=auto"],
      fromRoot("test"),
    );
  } else {
    // Not `ci`: it refuses a lock file that lacks a tool's package for some other platform, and registries do lack some.
    const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await mustRun(...npm(args), fromRoot("test"));
  }
  writeFileSync(stamp, lock);
}

async function mustRun(program: string, args: readonly string[], folder: string): Promise<void> {
  const code = await run(program, args, { cwd: folder });
  if (code !== 0) throw new Error("The test tools could not be installed");
}

/** npm as it was started, so that no other version of it is needed on the PATH. */
function npm(args: readonly string[]): [program: string, args: readonly string[]] {
  const script = process.env.npm_execpath;
  return script?.endsWith(".js") ? [process.execPath, [script, ...args]] : ["npm", args];
}
