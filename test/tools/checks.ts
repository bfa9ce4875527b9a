import { checkDocs } from "./docs.ts";
import { run, tool } from "./program.ts";
import type { Tally } from "./tally.ts";

interface Check {
  readonly name: string;
  /** The exit code, 0 when all is well. */
  run(): Promise<number>;
}

export const lint: Check = {
  name: "lint and format",
  run: () => run(tool("biome"), ["check", "--error-on-warnings", "."]),
};
export const types: Check = { name: "types", run: () => run(tool("tsc"), ["--noEmit", "-p", "."]) };
export const unused: Check = {
  name: "unused code",
  run: () => run(tool("knip"), ["--config", "test/knip.json", "--treat-config-hints-as-errors"]),
};
export const generatedDocs: Check = { name: "generated docs", run: checkDocs };

/** Runs every check, also after one failed; each counts as one test. */
export async function runChecks(): Promise<Tally> {
  let passed = 0;
  let failed = 0;
  for (const check of [lint, types, unused, generatedDocs]) {
    const code = await check.run().catch((error: unknown) => {
      console.error(error);
      return 1;
    });
    if (code === 0) passed++;
    else failed++;
    console.log(`${code === 0 ? "ok" : "FAILED"}: ${check.name}`);
  }
  return { passed, failed, skipped: [] };
}
