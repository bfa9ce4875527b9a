import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { fromRoot, run } from "../tools/program.ts";
import { nothing, type Tally } from "../tools/tally.ts";

/** How vitest is run on one runtime. */
export interface VitestRun {
  /** Names the runtime in files and output. */
  readonly label: string;
  /** The runtime's program and the arguments before the script. */
  readonly program: string;
  readonly programArgs?: readonly string[];
  /** Paths in the project. */
  readonly files: readonly string[];
}

/** The parts of vitest's JSON report that are read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Runs vitest and counts; a file that cannot be loaded and an error outside of tests count as one failure each. */
export async function runVitest(options: VitestRun): Promise<Tally> {
  if (options.files.length === 0) return nothing;
  const reportFile = fromRoot(`.cache/test-report-${options.label}.json`);
  mkdirSync(fromRoot(".cache"), { recursive: true });
  rmSync(reportFile, { force: true });
  const code = await run(options.program, [
    ...(options.programArgs ?? []),
    fromRoot("test/node_modules/vitest/vitest.mjs"),
    "run",
    ...["--config", fromRoot("test/vitest.config.ts")],
    ...["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`],
    ...options.files,
  ]);
  const tally = existsSync(reportFile) ? count(JSON.parse(readFileSync(reportFile, "utf8")), options.label) : undefined;
  if (tally === undefined) return { ...nothing, failed: 1 };
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

function count(report: Report, label: string): Tally {
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const unloadable = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  const skipped = tests.filter((test) => test.status !== "passed" && test.status !== "failed");
  return {
    passed: tests.filter((test) => test.status === "passed").length,
    failed: tests.filter((test) => test.status === "failed").length + unloadable.length,
    skipped: skipped.map((test) => `${label}: ${test.fullName}`),
  };
}
