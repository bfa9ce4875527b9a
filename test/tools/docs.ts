import { readFile, writeFile } from "node:fs/promises";
import { conformancePage } from "./docs/conformance-page.ts";
import { endpointsPage } from "./docs/endpoints-page.ts";
import { errorsPage } from "./docs/errors-page.ts";
import { pluginsPage } from "./docs/plugins-page.ts";
import { propertiesPage } from "./docs/properties-page.ts";
import { rolesPage } from "./docs/roles-page.ts";
import { settingsPage } from "./docs/settings-page.ts";
import { fromRoot } from "./program.ts";

/** The pages of `docs/` that are made from declarations and tests. */
const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  "docs/configuration-properties.md": propertiesPage,
  "docs/conformance.md": conformancePage,
  "docs/endpoints.md": endpointsPage,
  "docs/errors.md": errorsPage,
  "docs/roles.md": rolesPage,
  "docs/security-ini-reference.md": pluginsPage,
  "docs/settings.md": settingsPage,
};

/** Writes every generated page. */
export async function writeDocs(): Promise<number> {
  for (const [path, make] of Object.entries(pages)) await writeFile(fromRoot(path), await make());
  return 0;
}

/** Tells which generated pages are not what they would be made to: the number of them. */
export async function checkDocs(): Promise<number> {
  let stale = 0;
  for (const [path, make] of Object.entries(pages)) {
    const present = await readFile(fromRoot(path), "utf8").catch(() => "");
    if (present === (await make())) continue;
    console.error(`${path} is not up to date: run \`npm run docs\``);
    stale += 1;
  }
  return stale;
}
