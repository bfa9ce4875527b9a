import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The portable suite and, on Node 20, the tests that need a process, real peers or faults. */
export default defineConfig({
  root: fromRoot(""),
  cacheDir: fromRoot(".cache/vite"),
  // Deno runs the same files, with the modules that are written for it.
  ssr: { resolve: { conditions: ["Deno" in globalThis ? "deno" : "node", "module", "development|production"] } },
  resolve: {
    // The package's own names, as its `exports` give them to a plugin or an embedding program.
    alias: [
      { find: /^kinora\/plugin$/, replacement: fromRoot("src/plugin/mod.ts") },
      { find: /^kinora\/testing$/, replacement: fromRoot("src/plugin/testing/mod.ts") },
      { find: /^kinora\/worker$/, replacement: fromRoot("src/runtime/worker.ts") },
      { find: /^kinora$/, replacement: fromRoot("src/mod.ts") },
    ],
  },
  test: {
    include: ["test/portable/**/*.test.ts", "test/node/**/*.test.ts"],
    // Hostile input and real peers share two cores here; nothing asserts a time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "forks",
    // vitest would leave a processor to itself, which has little to do here.
    maxWorkers: availableParallelism(),
    setupFiles: "Deno" in globalThis ? [] : [fromRoot("test/runtimes/valid-answers.ts")],
  },
});
