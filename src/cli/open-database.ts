import { stat } from "node:fs/promises";
import { platform } from "#platform";
import { databaseFile } from "../runtime/database-file.ts";
import { databaseUrl } from "../service/instance-files.ts";
import type { Settings } from "../settings.ts";
import type { Database } from "../store/database.ts";
import { CommandError } from "./command.ts";

/** The embedded file of the settings when it does not exist yet; opening it would make an empty one. */
export async function missingDatabaseFile(settings: Settings): Promise<string | undefined> {
  const url = databaseUrl(settings);
  if (!url.startsWith("file:")) return undefined;
  const path = databaseFile(url);
  return stat(path).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return path;
      throw new CommandError(`The database file ${path} cannot be reached: ${error.message}`);
    },
  );
}

/** Opens the database of the settings. */
export function openDatabase(settings: Settings): Promise<Database> {
  return platform.openDatabase(databaseUrl(settings), { authToken: settings.databaseAuthToken });
}
