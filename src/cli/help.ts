import { environmentName, flagName, type SettingName, settingDeclaration } from "../settings.ts";
import type { Command } from "./command.ts";

const column = 34;
const width = 100;

/** The help of one command: usage, what it does, its flags, the settings that matter to it. */
export function commandHelp(name: string, command: Command): string {
  const flags = Object.entries(command.flags ?? {}).map(([flag, { value, description }]) =>
    entry(`--${flag}${value === undefined ? "" : ` ${value}`}`, description),
  );
  const words = [`kinora ${name}`, "[flags]", command.positionals].filter(Boolean).join(" ");
  return [
    `Usage: ${words}\n\n${wrap(command.description, 0)}`,
    flags.length > 0 ? `Flags:\n${flags.join("\n")}` : "",
    command.settings.length > 0 ? `Settings:\n${command.settings.map(settingEntry).join("\n")}` : "",
    "Every setting can also be an environment variable (KINORA_PORT for --port) or stand in kinora.json.",
  ]
    .filter(Boolean)
    .join("\n\n")
    .concat("\n");
}

function settingEntry(name: SettingName): string {
  const { type, description, default: fallback, defaultText } = settingDeclaration(name);
  const flag = type.toggle
    ? `${flagName(name)}, --no-${flagName(name).slice(2)}`
    : `${flagName(name)} ${placeholder(name)}`;
  const stated = Array.isArray(fallback) ? fallback.join(",") : fallback;
  const shown = stated === undefined || stated === "" ? defaultText : String(stated);
  const note = shown === undefined ? "" : ` Default: ${shown}.`;
  return entry(flag, `${description}${note}`.replaceAll("`", ""));
}

/** `PORT` for `port`, the choices where there are some. */
function placeholder(name: SettingName): string {
  const { label } = settingDeclaration(name).type;
  return label.includes("|") ? label : (environmentName(name).split("_").at(-1) ?? "VALUE");
}

/** A name and its description in two columns. */
export function entry(name: string, description: string): string {
  const text = wrap(description, column);
  const left = `  ${name}`;
  return left.length < column - 1 ? `${left.padEnd(column)}${text}` : `${left}\n${" ".repeat(column)}${text}`;
}

function wrap(text: string, indent: number): string {
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > width - indent) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}
