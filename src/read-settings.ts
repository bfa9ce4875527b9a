import { nearestName } from "./nearest-name.ts";
import type { SettingType } from "./setting-types.ts";
import {
  environmentName,
  flagName,
  type SettingName,
  type Settings,
  settingDeclaration,
  settingNames,
  settingsWith,
} from "./settings.ts";

/** A wrong or unknown setting. */
export interface SettingProblem {
  /** The name as it stands in its source: `--prot`, `KINORA_PORT`, `"port"`. */
  readonly name: string;
  /** Where it was found: `command line`, `environment`, or the path of the file. */
  readonly source: string;
  readonly message: string;
  readonly fix: string;
}

/** Where settings come from, strongest first. */
export interface SettingSources {
  /** Flags by setting name. The command line reports unknown flags itself. */
  readonly flags?: Readonly<Partial<Record<SettingName, string | boolean>>>;
  /** All environment variables; only `KINORA_*` is looked at, and an empty one counts as absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The text of `kinora.json` and the path that problems name. */
  readonly file?: { readonly path: string; readonly text: string };
}

/** The settings in force, or everything that is wrong with the sources. */
export type SettingsOutcome =
  | { readonly settings: Settings; readonly problems: readonly [] }
  | { readonly settings: undefined; readonly problems: readonly SettingProblem[] };

/** Environment names that belong to the project but are no settings of the service. */
const foreignPrefix = "KINORA_TEST_";

/**
 * Reads every setting by the precedence flag, environment, `kinora.json`, default. All problems of all sources are
 * reported at once; a value that a stronger source overrides is checked as well.
 */
export function readSettings(sources: SettingSources): SettingsOutcome {
  const found = [
    ...fromFile(sources.file),
    ...fromEnvironment(sources.environment ?? {}),
    ...Object.entries(sources.flags ?? {}).map(
      ([name, raw]): Found => ({
        name: name as SettingName,
        raw,
        shown: flagName(name as SettingName),
        source: "command line",
      }),
    ),
  ];
  const problems: SettingProblem[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const entry of found) {
    if ("fix" in entry) {
      problems.push(entry);
      continue;
    }
    const { type } = settingDeclaration(entry.name);
    const reading = type.read(entry.raw);
    if ("expected" in reading) problems.push(unreadable(entry, reading.expected));
    else
      values[entry.name] = entry.folder === undefined ? reading.value : fromFolder(type, entry.folder, reading.value);
  }
  if (problems.length > 0) return { settings: undefined, problems };
  return { settings: settingsWith(values as Partial<Settings>), problems: [] };
}

/** `--port "80a" (command line): must be a whole number …; …`: one line for a person. */
export function settingProblemLine(problem: SettingProblem): string {
  return `${problem.name} (${problem.source}): ${problem.message}. ${problem.fix}.`;
}

/** A stated value, by the name it has in its source. */
interface FoundValue {
  readonly name: SettingName;
  readonly raw: unknown;
  readonly shown: string;
  readonly source: string;
  /** Of the file that it stands in. */
  readonly folder?: string;
}
type Found = FoundValue | SettingProblem;

function unreadable(entry: FoundValue, expected: string): SettingProblem {
  const declaration = settingDeclaration(entry.name);
  const value = declaration.secret ? "the value" : JSON.stringify(entry.raw);
  const fallback = declaration.default === undefined ? declaration.defaultText : JSON.stringify(declaration.default);
  const otherwise = fallback === undefined ? "" : `; the default is ${fallback}`;
  return {
    name: entry.shown,
    source: entry.source,
    message: `${value} must be ${expected}`,
    fix: `Correct the value or leave the setting out${otherwise}`,
  };
}

function fromEnvironment(environment: Readonly<Record<string, string | undefined>>): readonly Found[] {
  const byName = new Map(settingNames.map((name) => [environmentName(name), name]));
  return Object.entries(environment).flatMap(([shown, raw]): readonly Found[] => {
    if (!shown.startsWith("KINORA_") || shown.startsWith(foreignPrefix) || raw === undefined || raw === "") return [];
    const name = byName.get(shown);
    return [
      name === undefined ? unknown(shown, "environment", byName.keys()) : { name, raw, shown, source: "environment" },
    ];
  });
}

function fromFile(file: SettingSources["file"]): readonly Found[] {
  if (file === undefined) return [];
  let content: unknown;
  try {
    content = JSON.parse(file.text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ name: "kinora.json", source: file.path, message: `is not JSON: ${reason}`, fix: "Correct the file" }];
  }
  if (content === null || typeof content !== "object" || Array.isArray(content)) {
    const fix = 'Write an object of settings, for example { "port": 8080 }';
    return [{ name: "kinora.json", source: file.path, message: "must be one JSON object", fix }];
  }
  const folder = file.path.replace(/[^\\/]*$/, "");
  return Object.entries(content).map(([key, raw]): Found => {
    if (key === "instanceRoot") {
      const fix = "Set it by --instance-root or KINORA_INSTANCE_ROOT";
      return { name: '"instanceRoot"', source: file.path, message: "cannot stand in the file that it leads to", fix };
    }
    const name = settingNames.find((known) => known === key);
    return name === undefined
      ? unknown(`"${key}"`, file.path, settingNames, key)
      : { name, raw, shown: `"${key}"`, source: file.path, folder };
  });
}

function fromFolder(type: SettingType<unknown>, folder: string, value: unknown): unknown {
  return type.from === undefined ? value : type.from(folder, value);
}

function unknown(shown: string, source: string, known: Iterable<string>, written = shown): SettingProblem {
  const nearest = nearestName(written, known);
  return {
    name: shown,
    source,
    message: "is not a setting of Kinora",
    fix: nearest === undefined ? "Remove it; `kinora serve --help` lists all settings" : `Did you mean ${nearest}`,
  };
}
