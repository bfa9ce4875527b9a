import { nearestName } from "../nearest-name.ts";
import { flagName, type SettingName, settingDeclaration, settingNames } from "../settings.ts";
import type { Command, FlagDeclaration } from "./command.ts";

/** What the words behind a command mean, or everything that is wrong with them. */
export interface ParsedArguments {
  readonly positionals: readonly string[];
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly settings: Readonly<Partial<Record<SettingName, string | boolean>>>;
  readonly problems: readonly string[];
}

interface KnownFlag {
  readonly takesValue: boolean;
  readonly declaration?: FlagDeclaration;
  readonly setting?: SettingName;
}

/**
 * Reads `--flag value`, `--flag=value`, `--toggle`, `--no-toggle` and positionals, in any order; `--` ends the flags.
 * A flag that is not known is refused with the nearest one that is.
 */
export function parseArguments(words: readonly string[], command: Command): ParsedArguments {
  const known = knownFlags(command);
  const positionals: string[] = [];
  const flags = new Map<string, string[]>();
  const settings: Partial<Record<SettingName, string | boolean>> = {};
  const problems: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      positionals.push(...rest.splice(0));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      positionals.push(word);
      continue;
    }
    const equals = word.indexOf("=");
    const name = equals < 0 ? word : word.slice(0, equals);
    const stated = equals < 0 ? undefined : word.slice(equals + 1);
    const flag = known.get(name);
    if (flag === undefined) {
      problems.push(unknownFlag(name, known.keys()));
      continue;
    }
    if (flag.setting !== undefined && settingDeclaration(flag.setting).type.toggle) {
      settings[flag.setting] = name.startsWith("--no-") ? false : (stated ?? true);
      continue;
    }
    if (!flag.takesValue && stated !== undefined) {
      problems.push(`${name} takes no value`);
      continue;
    }
    const value = flag.takesValue ? (stated ?? rest.shift()) : "";
    if (value === undefined) problems.push(`${name} needs a value`);
    else if (flag.setting !== undefined) settings[flag.setting] = value;
    else addFlag(flags, name.slice(2), value, flag.declaration, problems);
  }
  return { positionals, flags, settings, problems: [...problems, ...positionalProblems(positionals, command)] };
}

function knownFlags(command: Command): ReadonlyMap<string, KnownFlag> {
  const known = new Map<string, KnownFlag>([["--help", { takesValue: false }]]);
  for (const name of settingNames) {
    const { toggle } = settingDeclaration(name).type;
    known.set(flagName(name), { takesValue: toggle === undefined, setting: name });
    if (toggle) known.set(flagName(name).replace(/^--/, "--no-"), { takesValue: false, setting: name });
  }
  for (const [name, declaration] of Object.entries(command.flags ?? {})) {
    known.set(`--${name}`, { takesValue: declaration.value !== undefined, declaration });
  }
  return known;
}

function unknownFlag(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? `${name} is not a flag` : `${name} is not a flag; did you mean ${nearest}`;
}

function addFlag(
  flags: Map<string, string[]>,
  name: string,
  value: string,
  declaration: FlagDeclaration | undefined,
  problems: string[],
): void {
  const given = flags.get(name);
  if (given === undefined) flags.set(name, [value]);
  else if (declaration?.repeatable) given.push(value);
  else problems.push(`--${name} is given twice`);
}

function positionalProblems(positionals: readonly string[], command: Command): readonly string[] {
  const [least, most] = command.positionalCount ?? [0, 0];
  if (positionals.length > most) return [`${JSON.stringify(positionals[most])} is one word too many`];
  return positionals.length < least ? [`${command.positionals ?? "A word"} is missing`] : [];
}
