import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sourceFolders = ["src", "realms", "filters", "plugins"];
/** The parts that other code imports by name; all share their modules, so that each module runs once. */
const entryPoints = {
  main: "src/cli/main.ts",
  kinora: "src/mod.ts",
  "kinora-plugin": "src/plugin/mod.ts",
  "kinora-testing": "src/plugin/testing/mod.ts",
};
const keptBuilds = 5;

/**
 * Loads the command line. In a compiled package that is `main.js`. In a checkout the sources are bundled once into
 * `.cache/start/KEY`, where KEY changes with every source: loading some hundred TypeScript modules one by one takes most
 * of a second at every start, the bundle a tenth of one, and making it no longer than that.
 *
 * @returns {Promise<{ main(args: readonly string[]): Promise<number> }>}
 */
export async function loadMain() {
  const compiled = new URL("./main.js", import.meta.url);
  if (existsSync(compiled)) return import(compiled.href);
  const bundle = join(root, ".cache", "start", sourceKey());
  if (!existsSync(bundle) && !(await build(bundle))) return importSources();
  return import(pathToFileURL(join(bundle, "main.js")).href);
}

/** A name for the present state of all sources and dependencies: path, size and time of each file. */
function sourceKey() {
  const hash = createHash("sha256").update(process.version);
  const add = (/** @type {string} */ path) => {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  };
  for (const folder of sourceFolders) {
    if (!existsSync(join(root, folder))) continue;
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort()) {
      if (/\.(?:ts|js)$/.test(name)) add(join(root, folder, name));
    }
  }
  const installed = join(root, "node_modules", ".package-lock.json");
  for (const path of [join(root, "package.json"), installed]) if (existsSync(path)) add(path);
  return hash.digest("hex").slice(0, 24);
}

/**
 * Bundles into a folder of its own and moves it into place, so that programs that start at the same moment do not meet
 * half a bundle. `false` when nothing can be written here.
 *
 * @param {string} target
 */
async function build(target) {
  const temporary = `${target}.${randomUUID()}`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    await bundleInto(temporary);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (existsSync(target)) return true; // another program was faster
    if (code === "EACCES" || code === "EROFS" || code === "EPERM" || code === "ENOSPC") return false;
    throw error;
  }
  removeOldBuilds(dirname(target));
  return true;
}

/** @param {string} folder */
async function bundleInto(folder) {
  // The bundler that the TypeScript loader brings with it.
  const { build } = createRequire(createRequire(import.meta.url).resolve("tsx/package.json"))("esbuild");
  await build({ ...bundleOptions, outdir: folder });
}

/**
 * How the sources are bundled for the start: each command and each heavy part a file that is loaded when needed.
 *
 * @type {import("esbuild").BuildOptions}
 */
export const bundleOptions = {
  absWorkingDir: root,
  entryPoints,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  chunkNames: "part-[hash]",
  // What has native code, and what is loaded only now and then.
  external: ["libsql", "@node-rs/argon2", "tsx", "esbuild"],
  banner: {
    js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
  },
  // Stacks then name the source files: each module begins with a comment of its path.
  minify: false,
  logLevel: "error",
  plugins: [{ name: "places", setup: replacePlaces }],
};

/**
 * Modules that say where files of the project are do so in a bundle from where they were.
 *
 * @param {import("esbuild").PluginBuild} build
 */
function replacePlaces(build) {
  build.onLoad({ filter: /[\\/]src[\\/]runtime[\\/]places\.ts$/ }, () => ({
    contents: `
      export const resolveHook = ${JSON.stringify(new URL("../runtime/resolve-ext.js", import.meta.url).href)};
      const here = (name) => new URL(name, import.meta.url).href;
      export const serverModules = {
        kinora: here("./kinora.js"),
        "kinora/plugin": here("./kinora-plugin.js"),
        "kinora/testing": here("./kinora-testing.js"),
      };
      export const readsTypeScript = false;`,
    loader: "js",
  }));
}

/** @param {string} folder */
function removeOldBuilds(folder) {
  const builds = readdirSync(folder)
    .map((name) => ({ path: join(folder, name), time: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.time - a.time);
  for (const { path } of builds.slice(keptBuilds)) rmSync(path, { recursive: true, force: true });
}

async function importSources() {
  const { tsImport } = await import("tsx/esm/api");
  return tsImport("./main.ts", import.meta.url);
}
