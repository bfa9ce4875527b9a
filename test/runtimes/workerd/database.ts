import { openWeb } from "../../../src/store/web.ts";
import type { TestDatabase } from "../../portable/database.ts";

let databaseMaker = "";

/** Tells where databases can be asked for. */
export function useDatabaseMaker(url: string): void {
  databaseMaker = url;
}

/** A real libSQL server of its own, started by the runner outside of workerd. */
export function makeDatabase(): Promise<TestDatabase> {
  return askFor(databaseMaker);
}

export function makeMigratedDatabase(): Promise<TestDatabase> {
  return askFor(`${databaseMaker}?migrated`);
}

async function askFor(target: string): Promise<TestDatabase> {
  const made = await fetch(target, { method: "POST" });
  if (!made.ok) throw new Error(`No libSQL server could be started: ${await made.text()}`);
  const url = await made.text();
  return {
    url,
    open: () => openWeb({ url }),
    async remove() {
      await fetch(`${databaseMaker}?url=${encodeURIComponent(url)}`, { method: "DELETE" });
    },
  };
}
