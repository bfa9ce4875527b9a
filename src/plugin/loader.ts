import type { Plugin } from "./contract.ts";
import { pluginsOf } from "./exported-plugins.ts";
import type { PluginModule } from "./registry.ts";

/** A plugin module of the ext folder: a file, or a folder with a `package.json`. */
export interface ExtEntry {
  /** Its name in the folder, for example `static-users.ts`. */
  readonly name: string;
  /** Where to import it from; a sentence of what is wrong when that cannot be told. */
  readonly location: { readonly url: string } | { readonly problem: string };
}

/** What the loader needs of a runtime that can load code while it runs. */
export interface ExtModules {
  /** The plugin modules of a folder; none when there is no such folder. */
  list(folder: string): Promise<readonly ExtEntry[]>;
  import(url: string): Promise<unknown>;
}

/** One thing that is wrong with a module of the ext folder. */
interface ExtProblem {
  /** The module, as `./name`. */
  readonly source: string;
  /** What is wrong. Sentence case, no final period. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}

/** What an ext folder gave: its modules in the order of their names, and everything that is wrong in it. */
export interface ExtPlugins {
  readonly modules: readonly PluginModule[];
  readonly problems: readonly ExtProblem[];
}

export interface LoadOptions {
  /** Milliseconds that one module may take to load. Default 10,000. */
  readonly timeoutMs?: number;
  /** Plugins that are there already: their names are taken. */
  readonly builtIn?: readonly Plugin[];
}

/**
 * Loads every plugin module of the ext folder, one after the other in the order of their names. A module that is wrong
 * does not keep the others from being looked at: all problems come in one run.
 */
export async function loadExtPlugins(
  modules: ExtModules,
  folder: string,
  { timeoutMs = 10_000, builtIn = [] }: LoadOptions = {},
): Promise<ExtPlugins> {
  const entries = [...(await modules.list(folder))].sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: PluginModule[] = [];
  const problems: ExtProblem[] = [];
  const taken = new Map(builtIn.flatMap(({ names }) => names.map((name): [string, string] => [name, "Kinora itself"])));

  for (const entry of entries) {
    const source = `./${entry.name}`;
    const report = (message: string, fix: string) => problems.push({ source, message, fix });
    const namespace = await importEntry(modules, entry, timeoutMs, report);
    if (!namespace) continue;
    const exports = pluginsOf(namespace.value, report);
    found.push({ file: entry.name, exports });
    claimNames(taken, source, Object.values(exports), report);
  }
  return { modules: found, problems };
}

type Report = (message: string, fix: string) => void;

/** Notes which module has which name, and reports names that are taken. */
function claimNames(taken: Map<string, string>, source: string, plugins: readonly Plugin[], report: Report): void {
  for (const plugin of new Set(plugins)) {
    for (const name of plugin.names) {
      const other = taken.get(name);
      if (other !== undefined) {
        const where = other === source ? "another of its plugins" : `a plugin of ${other}`;
        report(`Its plugin ${name} has the name of ${where}`, "Give one of them another name");
      }
      taken.set(name, source);
    }
  }
}

async function importEntry(
  modules: ExtModules,
  entry: ExtEntry,
  timeoutMs: number,
  report: Report,
): Promise<{ readonly value: unknown } | undefined> {
  if ("problem" in entry.location) {
    report(entry.location.problem, 'Name its main module in package.json, for example "exports": "./index.ts"');
    return undefined;
  }
  try {
    return await within(timeoutMs, modules.import(entry.location.url));
  } catch (error) {
    if (error instanceof LoadTimeout) {
      report(
        `The module has not finished loading after ${timeoutMs} ms`,
        "Move work that waits out of the top level of the module into create or start",
      );
    } else {
      report(`The module cannot be loaded: ${inOneLine(error)}`, "Repair the module, or take it out of the folder");
    }
    return undefined;
  }
}

/** Characters of another program's message that are shown. */
const longestMessage = 300;

class LoadTimeout extends Error {}

async function within(timeoutMs: number, loading: Promise<unknown>): Promise<{ readonly value: unknown }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LoadTimeout()), timeoutMs);
  });
  try {
    return { value: await Promise.race([loading, timeout]) };
  } finally {
    clearTimeout(timer);
  }
}

/** A message in one line: tools that read TypeScript put the place of an error into the lines behind the first. */
function inOneLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const line = text
    .replace(/\p{Cc}\[[0-9;]*m/gu, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length <= longestMessage ? line : `${line.slice(0, longestMessage)}…`;
}
