// Where files of the project are. The program's start bundle has a module of its own in the place of this one.

// The compiled package has the same files as JavaScript.
const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
const here = (path: string) => new URL(path, import.meta.url).href;

/** The module resolution hook for plugins. */
export const resolveHook = here("./resolve-ext.js");

/** The modules that plugins and embedding programs import by name. */
export const serverModules: Readonly<Record<string, string>> = {
  kinora: here(`../mod.${extension}`),
  "kinora/plugin": here(`../plugin/mod.${extension}`),
  "kinora/testing": here(`../plugin/testing/mod.${extension}`),
};

/** Whether something in this process reads TypeScript already: the sources themselves were loaded so. */
export const readsTypeScript = extension === "ts";
