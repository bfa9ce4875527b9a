import type { Plugin } from "./contract.ts";
import { type ExportedPlugin, pluginsOf } from "./exported-plugins.ts";

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
export interface ExtProblem {
  /** The module, as `./name`. */
  readonly source: string;
  /** What is wrong. Sentence case, no final period. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}

/** What an ext folder gave: the plugins, and everything that is wrong in it. */
export interface ExtPlugins {
  /**
   * In the order of the modules' names. Each has, behind its own names, those by which `security.ini` can tell it from
   * others: `./file.ts`, when it is the module's only plugin or its default export, and `./file.ts#exportName`.
   */
  readonly plugins: readonly Plugin[];
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
  const plugins: Plugin[] = [];
  const problems: ExtProblem[] = [];
  const taken = new Map(builtIn.flatMap(({ names }) => names.map((name): [string, string] => [name, "Kinora itself"])));

  for (const entry of entries) {
    const source = `./${entry.name}`;
    const report = (message: string, fix: string) => problems.push({ source, message, fix });
    const namespace = await importEntry(modules, entry, timeoutMs, report);
    if (!namespace) continue;
    for (const exported of pluginsOf(namespace.value, report)) {
      const { plugin } = exported;
      for (const name of plugin.names) {
        const other = taken.get(name);
        if (other === source) report(`Two of its plugins have the name ${name}`, "Give one of them another name");
        else if (other !== undefined) {
          report(`Its plugin ${name} has the name of a plugin of ${other}`, "Give one of them another name");
        }
        taken.set(name, source);
      }
      plugins.push(withPlace(exported, source));
    }
  }
  return { plugins, problems };
}

type Report = (message: string, fix: string) => void;

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

/** Adds the names that say where the plugin comes from. */
function withPlace({ plugin, exportName, alone }: ExportedPlugin, source: string): Plugin {
  const places: string[] = [];
  if (alone || exportName === "default") places.push(source);
  if (exportName !== undefined) places.push(`${source}#${exportName}`);
  // Copied by hand: the plugin may be an object of a class, whose methods a spread would lose.
  const { kind, names, description, properties, predefined, essential, sections, global } = plugin;
  return {
    kind,
    names: [...names, ...places],
    ...(description !== undefined && { description }),
    ...(properties !== undefined && { properties }),
    ...(predefined !== undefined && { predefined }),
    ...(essential !== undefined && { essential }),
    ...(sections !== undefined && { sections }),
    ...(global !== undefined && { global }),
    create: (values: never, context) => plugin.create(values, context),
  };
}
