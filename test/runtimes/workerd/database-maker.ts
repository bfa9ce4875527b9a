import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Sqld, startSqld } from "../../peers/sqld.ts";

/** Starts a libSQL server for each POST and stops it at DELETE: what a test in workerd cannot do for itself. */
export interface DatabaseMaker {
  readonly url: string;
  close(): Promise<void>;
}

export async function startDatabaseMaker(): Promise<DatabaseMaker> {
  const running = new Map<string, Sqld>();
  const stop = async (url: string): Promise<void> => {
    const sqld = running.get(url);
    running.delete(url);
    await sqld?.stop();
  };
  const server = createServer(async (request, response) => {
    try {
      if (request.method === "POST") {
        const sqld = await startSqld();
        running.set(sqld.url, sqld);
        response.end(sqld.url);
      } else {
        await stop(new URL(request.url ?? "", "http://maker").searchParams.get("url") ?? "");
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
    },
  };
}
