import { testFiles } from "virtual:test-files";
import { type File, startTests, type Task, type Test, type VitestRunner } from "@vitest/runner";
import { useDatabaseMaker } from "./database.ts";
import type { FileResult, TestResult } from "./result.ts";

const timeout = 120_000;
const strayErrors: string[] = [];
addEventListener("unhandledrejection", (event) => strayErrors.push(describeError(event.reason)));

/** A worker that runs one file of the portable suite for each request: `/?file=test/portable/x.test.ts`. */
export default {
  async fetch(request: Request, environment: { readonly DATABASE_MAKER: string }): Promise<Response> {
    useDatabaseMaker(environment.DATABASE_MAKER);
    const file = new URL(request.url).searchParams.get("file") ?? "";
    return Response.json(await runFile(file));
  },
};

async function runFile(filepath: string): Promise<FileResult> {
  const runner: VitestRunner = {
    config: {
      root: "/",
      setupFiles: [],
      name: undefined,
      passWithNoTests: false,
      testNamePattern: undefined,
      allowOnly: false,
      sequence: { seed: 1, hooks: "stack", setupFiles: "list" },
      chaiConfig: undefined,
      maxConcurrency: 5,
      testTimeout: timeout,
      hookTimeout: timeout,
      retry: 0,
      includeTaskLocation: false,
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    },
    importFile: (path) => (testFiles[path] ?? (() => Promise.reject(new Error(`${path} is not in the bundle`))))(),
  };
  strayErrors.length = 0;
  const files = await startTests([filepath], runner);
  const errors = [...files.flatMap(suiteErrors), ...strayErrors];
  return { errors, tests: files.flatMap((file) => testsOf(file)) };
}

/** What failed outside of tests: loading the file, or a hook. */
function suiteErrors(task: Task): readonly string[] {
  if (task.type !== "suite") return [];
  return [...(task.result?.errors ?? []).map(describeError), ...task.tasks.flatMap(suiteErrors)];
}

function testsOf(task: Task | File): readonly TestResult[] {
  return task.type === "suite" ? task.tasks.flatMap(testsOf) : [resultOf(task)];
}

function resultOf(test: Test): TestResult {
  const state = test.result?.state;
  return {
    name: test.fullTestName,
    state: state === "pass" || state === "fail" ? state : "skip",
    errors: (test.result?.errors ?? []).map(describeError),
  };
}

function describeError(error: unknown): string {
  if (error === null || typeof error !== "object") return String(error);
  const { message, diff, stack } = error as { message?: string; diff?: string; stack?: string };
  return [message, diff, stack].filter(Boolean).join("\n");
}
