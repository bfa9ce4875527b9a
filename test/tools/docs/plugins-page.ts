import { builtInPlugins } from "../../../plugins/built-in.ts";
import type { Plugin, PluginKind, PropertyDeclaration, PropertyTable, PropertyType } from "../../../src/plugin/mod.ts";
import { generatedNote, table } from "./table.ts";

const titles: Readonly<Record<PluginKind, string>> = {
  filter: "Filters",
  realm: "Realms",
  authenticationStrategy: "Authentication strategies",
  authenticationListener: "Authentication listeners",
  userInfoProvider: "User-info providers",
  credentialsMatcher: "Credentials matchers",
};

function propertyRow([name, declared]: [string, PropertyType | PropertyDeclaration]): readonly string[] {
  const {
    type,
    kind,
    default: value,
    description = "",
    required,
  } = typeof declared === "string" ? ({ type: declared } as PropertyDeclaration) : declared;
  const shown = value === undefined ? (required ? "required" : "") : `\`${JSON.stringify(value)}\``;
  return [`\`${name}\``, kind === undefined ? type : `${type} (${kind})`, shown, description];
}

function pluginSection({ names, description = "", properties }: Plugin): string {
  const [short, ...others] = names;
  const also = others.length === 0 ? "" : `\n\nAlso as ${others.map((name) => `\`${name}\``).join(", ")}.`;
  const isTable = properties !== undefined && !("~standard" in properties);
  const rows = isTable ? Object.entries(properties as PropertyTable).map(propertyRow) : [];
  const listed = rows.length === 0 ? "" : `\n\n${table(["Property", "Type", "Default", "Meaning"], rows)}`;
  return `### ${short}\n\n${description}${also}${listed}\n`;
}

/** `docs/security-ini-reference.md`: every built-in plugin with its names and properties. */
export function pluginsPage(): string {
  const sections = Object.entries(titles).map(([kind, title]) => {
    const own = builtInPlugins.filter((plugin) => plugin.kind === kind);
    return own.length === 0 ? "" : `## ${title}\n\n${own.map(pluginSection).join("\n")}`;
  });
  return `${generatedNote}

# Reference of security.ini

What can be named in \`[main]\` and \`[urls]\`, with its properties. See [security.ini](security-ini.md) for how the file
works.

${sections.filter(Boolean).join("\n")}`;
}
