import {
  environmentName,
  flagName,
  type SettingName,
  settingDeclaration,
  settingNames,
} from "../../../src/settings.ts";
import { generatedNote, table } from "./table.ts";

const titles = { service: "Service", storage: "Storage", logging: "Logging", limits: "Limits" } as const;

function row(name: SettingName): readonly string[] {
  const { default: value, defaultText, description } = settingDeclaration(name);
  const shown = defaultText ?? (value === undefined ? "none" : `\`${JSON.stringify(value)}\``);
  return [`\`${flagName(name)}\``, `\`${environmentName(name)}\``, `\`${name}\``, shown, description];
}

/** `docs/settings.md`: every setting. */
export function settingsPage(): string {
  const groups = Object.entries(titles).map(([group, title]) => {
    const names = settingNames.filter((name) => settingDeclaration(name).group === group);
    return `## ${title}\n\n${table(["Flag", "Environment", "kinora.json", "Default", "Meaning"], names.map(row))}\n`;
  });
  return `${generatedNote}

# Settings

Each setting can be given as a flag of \`kinora serve\`, as an environment variable, or in \`kinora.json\` in the instance
root; the first of these that has it counts. A program that embeds the service hands settings to \`createService\` by the
names of \`kinora.json\`. A wrong or unknown setting stops the start with its name, its source and what to do.

${groups.join("\n")}`;
}
