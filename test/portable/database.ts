import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An empty database of one test. */
export interface TestDatabase {
  /** What `databaseUrl` is set to. */
  readonly url: string;
  remove(): Promise<void>;
}

/** An embedded file on Node and Deno. The runner of workerd puts a real libSQL server in the place of this module. */
export async function makeDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "kinora-test-"));
  return {
    url: `file:${join(folder, "kinora.db")}`,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
