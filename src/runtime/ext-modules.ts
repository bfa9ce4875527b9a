import { readdir, readFile, realpath } from "node:fs/promises";
import { register } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ExtEntry, ExtModules } from "../plugin/loader.ts";
import { readsTypeScript, resolveHook, serverModules } from "./places.ts";

/**
 * Plugin modules from the file system, for Node and Deno: every `.ts`, `.js` and `.mjs` file of the folder, and every
 * folder in it that has a `package.json`.
 *
 * A module needs no `node_modules` beside it: where it imports `kinora`, `kinora/plugin` or `kinora/testing` it gets
 * the running server. On Node a resolve hook does this, on Deno the import map of `deno.json`.
 */
export function fileExtModules(runtime: "node" | "deno"): ExtModules {
  return {
    async list(folder) {
      const names = await readdir(folder).catch(noneWhenMissing);
      if (names.length === 0) return [];
      const found = await Promise.all(names.map((name) => readEntry(name, join(folder, name))));
      const entries = found.filter((entry) => entry !== undefined);
      if (runtime === "node") {
        if (entries.some(({ entry }) => mayBeTypeScript(entry))) await readTypeScript();
        const folders = [await realpath(folder), ...entries.map(({ path }) => dirname(path))];
        registerHook([...new Set(folders)]);
      }
      return entries.map(({ entry }) => entry);
    },
    import: (url) => import(url),
  };
}

function noneWhenMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}

interface FoundEntry {
  readonly entry: ExtEntry;
  /** The file or folder with links resolved. */
  readonly path: string;
}

async function readEntry(name: string, at: string): Promise<FoundEntry | undefined> {
  if (name.startsWith(".")) return undefined;
  const manifest = await readManifest(at);
  if (manifest !== undefined) {
    const path = await realpath(at);
    return { entry: packageEntry(name, path, manifest), path };
  }
  if (!/\.(?:ts|js|mjs)$/.test(name) || name.endsWith(".d.ts")) return undefined;
  const path = await realpath(at);
  return { entry: { name, location: { url: pathToFileURL(path).href } }, path };
}

/** The text of a folder's `package.json`, or `undefined` when there is none. */
async function readManifest(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, "package.json"), "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

function packageEntry(name: string, folder: string, manifest: string): ExtEntry {
  let main: string | undefined;
  try {
    main = mainOf(JSON.parse(manifest));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { name, location: { problem: `Its package.json is not JSON: ${reason}` } };
  }
  if (main === undefined) return { name, location: { problem: "Its package.json names no main module" } };
  return { name, location: { url: pathToFileURL(join(folder, main)).href } };
}

/** The main module by `exports` or `main`, as far as a package of one module uses them. */
function mainOf(manifest: unknown): string | undefined {
  const { exports, main } = (manifest ?? {}) as { exports?: unknown; main?: unknown };
  const target = targetOf(exports) ?? main;
  return typeof target === "string" && target !== "" ? target : undefined;
}

function targetOf(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  const conditions = exports as Readonly<Record<string, unknown>>;
  return targetOf(conditions["."] ?? conditions.import ?? conditions.default);
}

/** Folders that a hook of this process knows already. */
const hooked = new Set<string>();

/** Lets the modules of these folders import the running server by its name. */
function registerHook(folders: readonly string[]): void {
  const added = folders.map((folder) => `${pathToFileURL(folder).href}/`).filter((url) => !hooked.has(url));
  if (added.length === 0) return;
  for (const url of added) hooked.add(url);
  register(resolveHook, { data: { server: serverModules, folders: added } });
}

/** A package may be made of both. */
function mayBeTypeScript({ name, location }: ExtEntry): boolean {
  return !/\.m?js$/.test(name) || ("url" in location && location.url.endsWith(".ts"));
}

let typeScriptAsked = false;

/** Node before 22.18 reads no TypeScript, and the start bundle did not need it so far. */
async function readTypeScript(): Promise<void> {
  if (readsTypeScript || typeScriptAsked || nodeReadsTypeScript()) return;
  typeScriptAsked = true;
  const { register } = await import("tsx/esm/api");
  register();
}

function nodeReadsTypeScript(): boolean {
  const features: NodeJS.ProcessFeatures & { readonly typescript?: "strip" | "transform" | false } = process.features;
  return features.typescript !== undefined && features.typescript !== false;
}
