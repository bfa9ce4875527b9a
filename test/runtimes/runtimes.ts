import { existsSync } from "node:fs";
import { denoProgram, fromRoot } from "../tools/program.ts";
import type { Tally } from "../tools/tally.ts";
import { testFiles } from "./test-files.ts";
import { runVitest } from "./vitest.ts";

/** A runtime on which tests are run; files are chosen by parts of their names, all when there are none. */
export interface Runtime {
  readonly title: string;
  run(filters: readonly string[]): Promise<Tally>;
}

const portable = (filters: readonly string[]) => testFiles("test/portable", filters);

/** Every runtime that is tested, by the name that `--only` takes. */
export const runtimes: Readonly<Record<"node" | "node24" | "deno" | "workerd", Runtime>> = {
  node: {
    title: `Node ${process.versions.node}: portable suite and the tests of Node`,
    run: (filters) =>
      runVitest({
        label: "node",
        program: process.execPath,
        files: [...portable(filters), ...testFiles("test/node", filters)],
      }),
  },
  node24: {
    title: "Node 24: portable suite",
    run(filters) {
      const program = fromRoot(`test/node_modules/node-${process.platform}-${process.arch}/bin/node`);
      return existsSync(program)
        ? runVitest({ label: "node24", program, files: portable(filters) })
        : notHere("Node 24");
    },
  },
  deno: {
    title: "Deno: portable suite",
    run: (filters) =>
      runVitest({
        label: "deno",
        program: denoProgram(),
        programArgs: ["run", "-A", "--node-modules-dir=manual"],
        files: portable(filters),
      }),
  },
  workerd: {
    title: "workerd: portable suite against a libSQL server",
    async run(filters) {
      // Loaded when it is needed: the bundler is one of the tools that may have been fetched only now.
      const { runInWorkerd } = await import("./workerd/run.ts");
      return runInWorkerd(filters);
    },
  },
};

/** The packages of a runtime that are published for a few platforms only are optional. */
async function notHere(what: string): Promise<Tally> {
  const platform = `${process.platform}-${process.arch}`;
  return { passed: 0, failed: 0, skipped: [`${what}: the whole suite (no package for ${platform})`] };
}
