import type { SettingName } from "../settings.ts";
import type { Terminal } from "./terminal.ts";

/** A flag of one command, beside the settings. */
export interface FlagDeclaration {
  /** The word for its value in the help, for example `PATH`. Absent: the flag takes no value. */
  readonly value?: string;
  /** May be given several times. */
  readonly repeatable?: boolean;
  /** One sentence. */
  readonly description: string;
}

/** What the command line said. */
export interface Invocation {
  readonly positionals: readonly string[];
  /** The flags of the command, by name without the dashes; those without a value are `""`. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  /** Settings given as flags. */
  readonly settings: Readonly<Partial<Record<SettingName, string | boolean>>>;
  readonly terminal: Terminal;
}

/** A command of `kinora`. */
export interface Command {
  /** The words behind the name, for example `NAME [ROLE …]`. */
  readonly positionals?: string;
  /** How many there may be. Default: none. */
  readonly positionalCount?: readonly [least: number, most: number];
  /** Sentences below the usage line. */
  readonly description: string;
  readonly flags?: Readonly<Record<string, FlagDeclaration>>;
  /** The settings that are offered as flags. Every command accepts every one; the help shows these. */
  readonly settings: readonly SettingName[];
  /** Does the work and gives the exit code. */
  run(invocation: Invocation): Promise<number>;
}

/** The value of a flag that was given, or `undefined`. The last one counts. */
export function flagValue(invocation: Invocation, name: string): string | undefined {
  return invocation.flags.get(name)?.at(-1);
}

/** The command cannot do what it was asked; the message says why and what to do. Exit code 1. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
