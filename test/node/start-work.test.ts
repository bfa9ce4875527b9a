import { build, type Metafile } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { bundleOptions } from "../../src/cli/load-main.js";

/** What a start on an embedded database loads, from the command line to the first answer. */
const loadedParts = [
  "src/cli/main.ts",
  "src/cli/serve.ts",
  "src/runtime/node.ts",
  "src/runtime/native-password.ts",
  "src/store/embedded.ts",
];

/**
 * The time of a start is nearly all spent on loading code. Counted here is what must be loaded; on the machine of the
 * published figures it is loaded, and the first request answered, in less than 200 ms.
 */
describe("a start without migrations", () => {
  let outputs: Metafile["outputs"];
  let loaded: ReadonlySet<string>;
  beforeAll(async () => {
    const { metafile } = await build({ ...bundleOptions, outdir: "none", write: false, metafile: true });
    outputs = metafile?.outputs ?? {};
    loaded = closure(outputs, loadedParts);
  });

  test("loads less than 2 MB of JavaScript in less than 60 files", () => {
    const bytes = [...loaded].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
    expect(bytes).toBeLessThan(2_000_000);
    expect(loaded.size).toBeLessThan(60);
  });

  test("loads nothing that only some configurations need", () => {
    const modules = [...loaded].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
    const heavy = modules.filter((path) =>
      /node_modules\/(?:ldapts|tsx|esbuild)\/|src\/cli\/(?:doctor|init|check)/.test(path),
    );
    expect(heavy).toEqual([]);
  });
});

/** The files that loading these modules loads as well. */
function closure(outputs: Metafile["outputs"], entries: readonly string[]): ReadonlySet<string> {
  const files = new Set<string>();
  const waiting = Object.keys(outputs).filter((file) => entries.includes(outputs[file]?.entryPoint ?? ""));
  if (waiting.length !== entries.length) throw new Error("A part of the start is no file of its own any more");
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const { path, kind, external } of outputs[file]?.imports ?? []) {
      if (kind === "import-statement" && !external) waiting.push(path);
    }
  }
  return files;
}
