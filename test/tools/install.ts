import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fromRoot, run } from "./program.ts";

/**
 * Installs what the tests and checks need into `test/node_modules`, unless the lock file is the one that was installed
 * last. Install scripts of these packages are not run.
 */
export async function installTestTools(): Promise<void> {
  if ("Deno" in globalThis) return installWithDeno();
  const lock = createHash("sha256")
    .update(readFileSync(fromRoot("test/package-lock.json")))
    .digest("hex");
  const stamp = fromRoot("test/node_modules/.installed-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.log("Fetching the test tools (once for each change of test/package-lock.json)");
  await installWithNpm();
  writeFileSync(stamp, lock);
}

async function installWithNpm(): Promise<void> {
  // Not `ci`: it refuses a lock file that lacks a tool's package for some other platform, and registries do lack some.
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const script = process.env.npm_execpath;
  // npm as it was started, so that no other version of it is needed on the PATH.
  const [program, first] = script?.endsWith(".js") ? [process.execPath, [script]] : ["npm", []];
  await mustRun(program, [...first, ...args], fromRoot("test"));
}

/** Of the tools, what the portable suite imports. */
const portableTools = ["vitest", "fast-check"] as const;

/** Needs nothing but Deno. vitest looks for packages in `node_modules` only, also for those of the project. */
async function installWithDeno(): Promise<void> {
  const install = ["install", "--node-modules-dir=auto"];
  if (!existsSync(fromRoot("node_modules"))) await mustRun(process.execPath, install, fromRoot(""));
  if (existsSync(fromRoot("test/node_modules"))) return;
  const { dependencies } = JSON.parse(readFileSync(fromRoot("test/package.json"), "utf8"));
  const chosen = Object.fromEntries(portableTools.map((name) => [name, dependencies[name]]));
  const folder = fromRoot(".cache/deno-test-tools");
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, JSON.stringify({ dependencies: chosen }));
  writeFileSync(`${folder}/deno.json`, JSON.stringify({ lock: false }));
  await mustRun(process.execPath, install, folder);
  renameSync(`${folder}/node_modules`, fromRoot("test/node_modules"));
}

async function mustRun(program: string, args: readonly string[], folder: string): Promise<void> {
  const code = await run(program, args, { cwd: folder });
  if (code !== 0) throw new Error("The test tools could not be installed");
}
