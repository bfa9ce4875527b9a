// A module resolution hook of Node (node:module, register). It runs in a thread of its own, where nothing turns
// TypeScript into JavaScript, and is therefore JavaScript.

/**
 * @typedef {object} Resolved
 * @property {string} url
 * @property {string} [format]
 */

/** @type {Readonly<Record<string, string>>} */
let server = {};
/** @type {readonly string[]} */
let folders = [];

/**
 * @param {object} data
 * @param {Readonly<Record<string, string>>} data.server URLs of the running server's modules, by specifier
 * @param {readonly string[]} data.folders URLs of folders with plugin modules, each with a slash at its end
 */
export function initialize(data) {
  server = data.server;
  folders = data.folders;
}

/**
 * Gives plugins the running server where they import it by name, and reads their files as ES modules, although an ext
 * folder has no `package.json` that says so.
 *
 * @param {string} specifier
 * @param {object} context
 * @param {(specifier: string, context: object) => Promise<Resolved>} next
 */
export async function resolve(specifier, context, next) {
  const target = Object.hasOwn(server, specifier) ? server[specifier] : undefined;
  if (target !== undefined) return next(target, context);
  const resolved = await next(specifier, context);
  return isPluginModule(resolved.url) ? { ...resolved, format: "module" } : resolved;
}

/** @param {string} url */
function isPluginModule(url) {
  if (!/\.[jt]s$/.test(url)) return false;
  const folder = folders.find((one) => url.startsWith(one));
  return folder !== undefined && !url.slice(folder.length).includes("node_modules/");
}
