import { migrate, schemaState } from "../store/migration.ts";
import { migrations } from "../store/migrations/index.ts";
import type { Command } from "./command.ts";
import { loadSettings } from "./load-settings.ts";
import { missingDatabaseFile, openDatabase } from "./open-database.ts";

/** `kinora migrate` */
export const command: Command = {
  description:
    "Brings the database to the schema of this program, step by step, each in one transaction and under a lock. The start does this as well. A database of a newer program is refused.",
  flags: {
    "dry-run": { description: "Print what would be done, statement by statement, and do nothing." },
  },
  settings: ["instanceRoot", "databaseUrl", "databaseAuthToken"],
  async run({ flags, settings: given, terminal }) {
    const settings = await loadSettings(given);
    const dryRun = flags.has("dry-run");
    const missing = await missingDatabaseFile(settings);
    if (dryRun && missing !== undefined) {
      terminal.out(`${missing} does not exist; it would be made, and taken through ${migrations.length} steps\n`);
      return 0;
    }
    const database = await openDatabase(settings);
    try {
      const { from, to, steps } = await migrate(database, { dryRun });
      for (const { id, name, statements } of steps) {
        terminal.out(`${dryRun ? "would do" : "done"} ${id} ${name}\n`);
        if (!dryRun) continue;
        terminal.out(statements === undefined ? "  (computed from rows)\n" : statements.map(indented).join(""));
      }
      const { newest } = await schemaState(database);
      terminal.out(steps.length === 0 ? `The schema is current: ${newest}\n` : `Schema ${from} to ${to}\n`);
    } finally {
      await database.close();
    }
    return 0;
  },
};

function indented(statement: string): string {
  return `${statement.trim().replace(/^/gm, "  ")};\n`;
}
