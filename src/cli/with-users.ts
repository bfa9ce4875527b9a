import { platform } from "#platform";
import { createUserAdministration, type UserAdministration } from "../identity/user-administration.ts";
import { createUserSource, type UserSource } from "../identity/user-source.ts";
import { logOf } from "../logging/log.ts";
import { schemaState } from "../store/migration.ts";
import { openStore } from "../store/store.ts";
import { CommandError, type Invocation } from "./command.ts";
import { loadSettings } from "./load-settings.ts";
import { missingDatabaseFile, openDatabase } from "./open-database.ts";

/** Does something to the users of an instance that has been started before, whether it runs at the moment or not. */
export async function withUsers(
  invocation: Invocation,
  work: (administration: UserAdministration, users: UserSource) => Promise<void>,
): Promise<number> {
  const settings = await loadSettings(invocation.settings);
  const missing = await missingDatabaseFile(settings);
  if (missing !== undefined) throw new CommandError(`${missing} does not exist; start the server once: kinora serve`);
  const database = await openDatabase(settings);
  try {
    const { pending } = await schemaState(database);
    if (pending.length > 0)
      throw new CommandError("The schema of the database is not current; run kinora migrate first");
    const store = await openStore({ database, site: settings.site, log: logOf("store") });
    const hasher = await platform.passwordHasher();
    await work(createUserAdministration(store, hasher, { userName: "system" }), createUserSource(store));
  } finally {
    await database.close();
  }
  return 0;
}
