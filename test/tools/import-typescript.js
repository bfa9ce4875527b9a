import { existsSync } from "node:fs";

/**
 * Imports a TypeScript module beside this file with the loader that a plain install brings.
 *
 * @param {string} specifier
 */
export async function importTypeScript(specifier) {
  if ("Deno" in globalThis) return import(new URL(specifier, import.meta.url).href);
  if (!existsSync(new URL("../../node_modules/tsx", import.meta.url))) {
    console.error("The dependencies are not installed. Run `npm install` first");
    process.exit(1);
  }
  const { tsImport } = await import("tsx/esm/api");
  return tsImport(specifier, import.meta.url);
}
