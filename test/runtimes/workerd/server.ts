import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** The package says where its binary is. It is CommonJS and has no types. */
const workerd: { readonly default: string; readonly compatibilityDate: string } = createRequire(import.meta.url)(
  "workerd",
);

/** A script served by the real workerd. */
export interface WorkerServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a bundled script, with text bindings, on a free port; outbound connections may go anywhere, also to this
 * machine. Configuration and script are written to `folder`.
 */
export async function serveWorker(
  script: string,
  bindings: Readonly<Record<string, string>>,
  folder: string,
): Promise<WorkerServer> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "worker.js"), script);
  writeFileSync(join(folder, "config.capnp"), configuration(bindings));
  const child = spawn(workerd.default, ["serve", "--control-fd=3", join(folder, "config.capnp")], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const port = await listeningPort(child);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function configuration(bindings: Readonly<Record<string, string>>): string {
  const entries = Object.entries(bindings).map(
    ([name, value]) => `( name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)} )`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ( name = "main", worker = .main ),
    ( name = "network", network = ( allow = ["public", "private", "local"] ) ),
  ],
  sockets = [ ( name = "http", address = "127.0.0.1:0", http = (), service = "main" ) ],
);
const main :Workerd.Worker = (
  modules = [ ( name = "worker.js", esModule = embed "worker.js" ) ],
  compatibilityDate = "${workerd.compatibilityDate}",
  bindings = [ ${entries.join(", ")} ],
  globalOutbound = "network",
);
`;
}

/** The port of the socket, which workerd tells on its control descriptor as a line of JSON. */
function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`workerd ended at its start with code ${code}`)));
    let said = "";
    (child.stdio[3] as Readable).on("data", (chunk) => {
      said += chunk;
      const line = said.split("\n").find((part) => part.includes('"listen"'));
      if (line !== undefined) resolve((JSON.parse(line) as { readonly port: number }).port);
    });
  });
}
