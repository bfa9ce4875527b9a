import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../src/store/database.ts";
import { openEmbedded } from "../../src/store/embedded.ts";

/** An empty database of one test. */
export interface TestDatabase {
  /** What `databaseUrl` is set to. */
  readonly url: string;
  /** Opens it as one instance of the service does; several times for several instances. */
  open(): Promise<Database>;
  remove(): Promise<void>;
}

/** An embedded file on Node and Deno. The runner of workerd puts a real libSQL server in the place of this module. */
export async function makeDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "kinora-test-"));
  const url = `file:${join(folder, "kinora.db")}`;
  return {
    url,
    open: () => openEmbedded({ url, synchronous: "normal" }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** One that need not be migrated any more, where a copy is made faster than that. Not so on Node and Deno. */
export function makeMigratedDatabase(): Promise<TestDatabase> {
  return makeDatabase();
}
