import { onTestFinished } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migration.ts";
import { core } from "../../src/store/migrations/0001-core.ts";
import { openStore, type Store, type StoreOptions } from "../../src/store/store.ts";
import { makeDatabase } from "./database.ts";

/** Several instances on one database with the store's own tables; all is closed when the test ends. */
export interface TestInstances {
  database(): Promise<Database>;
  store(options?: Omit<StoreOptions, "database">): Promise<Store>;
}

export async function makeInstances(): Promise<TestInstances> {
  const made = await makeDatabase();
  const opened: Database[] = [];
  onTestFinished(async () => {
    for (const database of opened) await database.close();
    await made.remove();
  });
  const open = async () => {
    const database = await made.open();
    opened.push(database);
    return database;
  };
  await migrate(await open(), { migrations: [core] });
  return { database: open, store: async (options) => openStore({ ...options, database: await open() }) };
}
