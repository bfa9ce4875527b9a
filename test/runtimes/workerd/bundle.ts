import { dirname, relative, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { fromRoot } from "../../tools/program.ts";

/**
 * Bundles files of the portable suite with the sources as a bundler for Workers would, and gives the script. Fails
 * when portable code imports a module of a platform.
 */
export async function bundleTests(files: readonly string[]): Promise<string> {
  const result = await build({
    entryPoints: [fromRoot("test/runtimes/workerd/worker.ts")],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2023",
    platform: "neutral",
    mainFields: ["browser", "module", "main"],
    conditions: ["workerd", "worker", "browser"],
    define: { "process.env.NODE_ENV": '"test"' },
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "error",
    plugins: [testFiles(files), rawText(), replacements()],
  });
  return result.outputFiles[0]?.text ?? "";
}

/** `virtual:test-files` */
function testFiles(files: readonly string[]): Plugin {
  const lines = files.map((file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(fromRoot(file))}),`);
  return {
    name: "test-files",
    setup(build) {
      build.onResolve({ filter: /^virtual:test-files$/ }, ({ path }) => ({ path, namespace: "test-files" }));
      build.onLoad({ filter: /./, namespace: "test-files" }, () => ({
        contents: `export const testFiles = {${lines.join("\n")}};`,
        resolveDir: fromRoot("test"),
      }));
    },
  };
}

/** `./data.jsonl?raw` is the text of the file, as vitest has it. */
function rawText(): Plugin {
  return {
    name: "raw-text",
    setup(build) {
      build.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path.slice(0, -"?raw".length)),
        namespace: "raw-text",
      }));
      build.onLoad({ filter: /./, namespace: "raw-text" }, async ({ path }) => ({
        contents: await (await import("node:fs/promises")).readFile(path, "utf8"),
        loader: "text",
      }));
    },
  };
}

/** The parts that differ inside workerd, and the package's own names. */
function replacements(): Plugin {
  const names: Readonly<Record<string, string>> = {
    vitest: "test/runtimes/workerd/vitest.ts",
    kinora: "src/mod.ts",
    "kinora/plugin": "src/plugin/mod.ts",
    "kinora/testing": "src/plugin/testing/mod.ts",
  };
  return {
    name: "replacements",
    setup(build) {
      build.onResolve({ filter: /^(vitest|kinora|kinora\/\w+)$/ }, ({ path }) => {
        const source = names[path];
        return source === undefined ? undefined : { path: fromRoot(source) };
      });
      build.onResolve({ filter: /\/database\.ts$/ }, ({ path, importer, kind }) => {
        const wanted = kind === "entry-point" ? path : relative(fromRoot(""), resolve(dirname(importer), path));
        return wanted === "test/portable/database.ts"
          ? { path: fromRoot("test/runtimes/workerd/database.ts") }
          : undefined;
      });
    },
  };
}
