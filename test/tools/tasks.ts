import { existsSync } from "node:fs";
import { lint, runChecks, types, unused } from "./checks.ts";
import { writeDocs } from "./docs.ts";
import { installTestTools } from "./install.ts";
import { fromRoot, run, tool } from "./program.ts";

const tasks: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  check: async () => (await runChecks()).failed,
  format: (args) => run(tool("biome"), ["check", "--write", ...(args.length > 0 ? args : ["."])]),
  lint: () => lint.run(),
  types: () => types.run(),
  unused: () => unused.run(),
  docs: () => writeDocs(),
  bench: ([name = "", ...args]) => {
    const script = `bench/${name}.ts`;
    if (/^[a-z-]+$/.test(name) && existsSync(fromRoot(script))) {
      return run(process.execPath, ["--import", "tsx", script, ...args]);
    }
    console.error(`There is no benchmark ${JSON.stringify(name)}`);
    return Promise.resolve(1);
  },
};

/** Runs one task of development and gives the exit code. */
export async function runTask([name = "", ...args]: readonly string[]): Promise<number> {
  const task = tasks[name];
  if (task === undefined) {
    console.error(`usage: node test/tools.js ${Object.keys(tasks).join("|")}`);
    return 1;
  }
  await installTestTools();
  return task(args);
}
