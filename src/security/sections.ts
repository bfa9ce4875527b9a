import type { IniEntry, IniSection } from "./ini.ts";
import type { Problems } from "./problem.ts";
import type { Suggest } from "./suggest.ts";

const names = ["main", "users", "roles", "urls"] as const;

/** The entries of each section of a `security.ini`. */
export type Sections = Readonly<Record<(typeof names)[number], readonly IniEntry[]>>;

/** Takes the known sections; others, wrong letter case and lines that look like a header are errors. */
export function takeSections(sections: readonly IniSection[], problems: Problems, suggest: Suggest): Sections {
  const byName = new Map(sections.map((section) => [section.name, section]));
  const taken = { main: [], users: [], roles: [], urls: [] } as Record<(typeof names)[number], readonly IniEntry[]>;
  for (const section of sections) {
    const { name, entries } = section;
    for (const { key, at } of entries) {
      if (!key.startsWith("[")) continue;
      problems.error(at, {
        code: "unknown-section",
        message: "The line looks like a section header and is not one",
        fix: "Write the header alone on its line, without a comment behind it: [name]",
      });
    }
    const meant = names.find((known) => known === name.toLowerCase());
    if (name === "" && byName.has("main")) ignored(section, problems);
    else if (name === "") taken.main = entries;
    else if (meant === name) taken[meant] = entries;
    else {
      // Read as what it is meant to be, so that one run shows all that is wrong in it.
      if (meant !== undefined && !byName.has(meant)) taken[meant] = entries;
      unknown(section, meant ?? (name === "filters" ? "main" : suggest(name, names)), problems);
    }
  }
  return taken;
}

function ignored({ entries }: IniSection, problems: Problems): void {
  const at = entries[0]?.at ?? { line: 1, column: 1 };
  problems.error(at, {
    code: "ignored-lines",
    message: "These lines stand in front of every section and would be ignored",
    fix: "Move them into [main]",
  });
}

function unknown({ name, at }: IniSection, meant: string | undefined, problems: Problems): void {
  problems.error(at, {
    code: "unknown-section",
    message: `There is no section [${name.slice(0, 100)}]`,
    fix: meant === undefined ? `The sections are ${names.map((known) => `[${known}]`).join(", ")}` : `Write [${meant}]`,
  });
}
