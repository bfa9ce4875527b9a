import { env, waitUntil } from "cloudflare:workers";
import { logOf } from "../logging/log.ts";
import { setUpLogging } from "../logging/set-up.ts";
import { readSettings, settingProblemLine } from "../read-settings.ts";
import type { Connection } from "../service/connection.ts";
import { createServiceOn, type Service, type ServiceOptions } from "../service.ts";
import { type Settings, settingsWith } from "../settings.ts";
import { platform } from "./platform-worker.ts";
import { rawTarget } from "./raw-target.ts";

/** What a Worker exports. */
export interface KinoraWorker {
  fetch(request: Request): Promise<Response>;
  /** For a cron trigger, each minute: does what is due in the background. */
  scheduled(): Promise<void>;
}

/** After a start that failed, requests are answered 503 for so long before another start is tried. */
const pauseAfterFailureMs = 5000;

/**
 * Makes the handlers of a Worker. Settings come from the bindings (`KINORA_DATABASE_URL`, `KINORA_DATABASE_AUTH_TOKEN`
 * as a secret, …) and from `options`, which count more. Plugins are passed in, because a Worker loads no code; so is the
 * text of `security.ini`, because it has no files.
 *
 * The service is made by the first request of an isolate and kept. Requests that come meanwhile make one of their own
 * and all but the first are dropped: on Workers no request may wait for what another one has under way.
 *
 * @example
 * ```ts
 * import securityIni from "./security.ini";
 * import staticUsers from "./static-users.ts";
 * import { createWorker } from "kinora/worker";
 *
 * export default createWorker({ securityIni, plugins: [staticUsers] });
 * ```
 */
export function createWorker(options: Omit<ServiceOptions, "database" | "background"> = {}): KinoraWorker {
  let service: Service | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  async function started(): Promise<Service> {
    if (service !== undefined) return service;
    const made = await start(options);
    if (service === undefined) service = made;
    else await made.close();
    return service;
  }

  return {
    async fetch(request) {
      const target = rawTarget(request);
      if (target === undefined) return new Response("Invalid host header\n", { status: 400 });
      if (service === undefined && Date.now() - failedAt < pauseAfterFailureMs) return notStarted();
      try {
        return await (await started()).fetch(request, connectionOf(request, target));
      } catch (error) {
        failedAt = Date.now();
        logOf("server").error("The service cannot start", { error });
        return notStarted();
      }
    },
    async scheduled() {
      await (await started()).tick();
    },
  };
}

async function start(options: Omit<ServiceOptions, "database" | "background">): Promise<Service> {
  const settings = { ...settingsOfBindings(), ...options };
  setUpLogging(settingsWith(settings), {
    write: (lines) => console.log(lines.trimEnd()),
    terminal: false,
    colours: false,
  });
  const service = await createServiceOn(platform, { ...settings, background: waitUntil });
  const { generatedAdminPassword } = service.started;
  if (generatedAdminPassword !== undefined) {
    console.log(`First start: the user admin was created with the password ${generatedAdminPassword}`);
  }
  return service;
}

/** Throws a `TypeError` that names every wrong binding. */
function settingsOfBindings(): Settings {
  const texts = Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const outcome = readSettings({ environment: Object.fromEntries(texts) });
  if (outcome.settings !== undefined) return outcome.settings;
  throw new TypeError(outcome.problems.map(settingProblemLine).join("\n"));
}

function notStarted(): Response {
  return new Response("The service cannot start; its log says why\n", {
    status: 503,
    headers: { "retry-after": String(pauseAfterFailureMs / 1000) },
  });
}

function connectionOf(request: Request, target: string): Connection {
  return {
    rawTarget: target,
    // Cloudflare sets this header itself; elsewhere a client could.
    remoteAddress: isCloudflare(request) ? (request.headers.get("cf-connecting-ip") ?? undefined) : undefined,
    header: (name) => request.headers.get(name) ?? undefined,
  };
}

function isCloudflare(request: Request): boolean {
  const { cf }: { readonly cf?: unknown } = request as { readonly cf?: unknown };
  return typeof cf === "object" && cf !== null && "colo" in cf;
}
