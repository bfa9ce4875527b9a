import { dirname, relative, resolve } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { fromRoot } from "../../tools/program.ts";

/**
 * Bundles files of the portable suite with the sources as a bundler for Workers would, and gives the script. Fails
 * when portable code imports a module of a platform.
 */
export function bundleTests(files: readonly string[]): Promise<string> {
  return bundleWorker("test/runtimes/workerd/worker.ts", {
    plugins: [testFiles(files), testReplacements()],
    sourcemap: "inline",
    sourcesContent: false,
  });
}

/** Bundles the module of a Worker, by its path in the project, as a bundler for Workers would. */
export async function bundleWorker(entry: string, options: BuildOptions = {}): Promise<string> {
  const result = await build({
    entryPoints: [fromRoot(entry)],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2023",
    platform: "neutral",
    mainFields: ["browser", "module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
    ...options,
    plugins: [rawText(), ownNames(), ...(options.plugins ?? [])],
  });
  return result.outputFiles?.[0]?.text ?? "";
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

/** The package's own names, as its `exports` give them. */
function ownNames(): Plugin {
  const names: Readonly<Record<string, string>> = {
    kinora: "src/mod.ts",
    "kinora/plugin": "src/plugin/mod.ts",
    "kinora/testing": "src/plugin/testing/mod.ts",
    "kinora/worker": "src/runtime/worker.ts",
  };
  return {
    name: "own-names",
    setup(build) {
      build.onResolve({ filter: /^kinora(?:\/\w+)?$/ }, ({ path }) => {
        const source = names[path];
        return source === undefined ? undefined : { path: fromRoot(source) };
      });
    },
  };
}

/** What tests import that is another thing inside workerd. */
function testReplacements(): Plugin {
  return {
    name: "test-replacements",
    setup(build) {
      build.onResolve({ filter: /^vitest$/ }, () => ({ path: fromRoot("test/runtimes/workerd/vitest.ts") }));
      build.onResolve({ filter: /\/(?:database|platform)\.ts$/ }, ({ path, importer }) => {
        const wanted = relative(fromRoot(""), resolve(dirname(importer), path));
        const own = /^test\/portable\/(database|platform)\.ts$/.exec(wanted)?.[1];
        return own === undefined ? undefined : { path: fromRoot(`test/runtimes/workerd/${own}.ts`) };
      });
    },
  };
}
