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
  console.log("Fetching the test tools (once for each change of test/package-lock.json)");
  // Not `ci`: it refuses a lock file that lacks a tool's package for some other platform, and registries do lack some.
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const code = await run(...npm(args), { cwd: fromRoot("test") });
  if (code !== 0) throw new Error("The test tools could not be installed");
  writeFileSync(stamp, lock);
}

/** npm as it was started, so that no other version of it is needed on the PATH. */
function npm(args: readonly string[]): [program: string, args: readonly string[]] {
  const script = process.env.npm_execpath;
  return script?.endsWith(".js") ? [process.execPath, [script, ...args]] : ["npm", args];
}
