import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../../src/store/migration.ts";
import { openServer } from "../../../src/store/server.ts";
import { type Sqld, startSqld } from "../../peers/sqld.ts";

/**
 * Starts a libSQL server for each POST and stops it at DELETE: what a test in workerd cannot do for itself. The database
 * is empty, or with `?migrated` a copy of one that was migrated, because migrating takes longer than many a test.
 */
export interface DatabaseMaker {
  readonly url: string;
  close(): Promise<void>;
}

export async function startDatabaseMaker(): Promise<DatabaseMaker> {
  const running = new Map<string, Sqld & { readonly folder: string }>();
  const folders = await mkdtemp(join(tmpdir(), "kinora-sqld-"));
  const template = await makeTemplate(join(folders, "template"));
  let made = 0;
  const start = async (migrated: boolean): Promise<string> => {
    const folder = join(folders, String(++made));
    if (migrated) await cp(template, folder, { recursive: true });
    const sqld = await startSqld({ folder });
    running.set(sqld.url, { ...sqld, folder });
    return sqld.url;
  };
  const stop = async (url: string): Promise<void> => {
    const sqld = running.get(url);
    running.delete(url);
    await sqld?.stop();
    if (sqld !== undefined) await rm(sqld.folder, { recursive: true, force: true });
  };
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://maker");
    try {
      if (request.method === "POST") {
        response.end(await start(searchParams.has("migrated")));
      } else {
        await stop(searchParams.get("url") ?? "");
        response.end();
      }
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.close();
      await Promise.all([...running.keys()].map(stop));
      await rm(folders, { recursive: true, force: true });
    },
  };
}

/** The folder of a server that has stopped, its database migrated. */
async function makeTemplate(folder: string): Promise<string> {
  const sqld = await startSqld({ folder });
  const database = await openServer({ url: sqld.url });
  await migrate(database);
  await database.close();
  await sqld.stop();
  return folder;
}
