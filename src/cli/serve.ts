import { platform } from "#platform";
import { logOf } from "../logging/log.ts";
import { setUpLogging } from "../logging/set-up.ts";
import { openFileLimit, openFilesWarning, readLimits } from "../runtime/open-files.ts";
import type { AnsweringService, RunningServer, ServerSettings } from "../runtime/running-server.ts";
import { createServiceOn, type StartReport } from "../service.ts";
import { type Settings, settingNames } from "../settings.ts";
import type { Command } from "./command.ts";
import { loadSettings } from "./load-settings.ts";
import { stopSignal } from "./stop-signal.ts";
import { processLogOutput, type Terminal } from "./terminal.ts";

/** `kinora serve` */
export const command: Command = {
  description:
    "Starts the server and prints one line, ready http://HOST:PORT, when it accepts requests. SIGTERM or SIGINT lets the requests under way finish and ends it; a second one ends it at once. The log goes to standard error.",
  settings: settingNames,
  async run({ settings: flags, terminal }) {
    const settings = await loadSettings(flags);
    const output = processLogOutput();
    setUpLogging(settings, output);
    surviveStrayRejections();
    const stop = stopSignal();
    const service = await createServiceOn(platform, settings);
    try {
      const server = await startServer(service, settings);
      await warnOfOpenFiles();
      tellStart(service.started, settings, server.url, terminal);
      const signal = await stop;
      logOf("server").info("Stopping", { signal });
      const cut = await server.stop();
      if (cut > 0) logOf("server").warn("Requests were cut off after the drain time-out", { connections: cut });
    } finally {
      await service.close();
      output.flush();
    }
    return 0;
  },
};

/** A promise that nobody waited for, most likely of a plugin, is a defect to be told, but no reason to stop serving. */
function surviveStrayRejections(): void {
  process.on("unhandledRejection", (error) =>
    logOf("server").error("A promise was rejected and nobody waited", { error }),
  );
}

async function warnOfOpenFiles(): Promise<void> {
  const warning = openFilesWarning(openFileLimit((await readLimits()) ?? ""));
  if (warning !== undefined) logOf("server").warn(warning);
}

/** The server of the runtime at hand; the other one is never loaded. */
async function startServer(service: AnsweringService, settings: ServerSettings): Promise<RunningServer> {
  const { serve } =
    platform.runtime === "deno" ? await import("../runtime/deno.ts") : await import("../runtime/node.ts");
  return serve(service, settings);
}

function tellStart(started: StartReport, settings: Settings, url: string, terminal: Terminal): void {
  const log = logOf("server");
  for (const { source, line, message, fix } of started.warnings) {
    log.warn(`${source}:${line}: ${message}. ${fix}`);
  }
  const { generatedAdminPassword } = started;
  if (generatedAdminPassword !== undefined) {
    terminal.out(
      `First start: the user admin was created with the password ${generatedAdminPassword}\nIt is not shown again. Log in, for example: curl -u admin:${generatedAdminPassword} ${url}/API/whoami\n`,
    );
  }
  log.info("Ready", { url, runtime: platform.runtime, site: settings.site, securityIni: started.securityIni });
  terminal.out(`ready ${url}\n`);
}
