/**
 * Kinora as a library: a media asset service that answers Fetch requests, and what plugins are written with.
 *
 * @module
 */
import { platform } from "#platform";
import { createServiceOn, type Service, type ServiceOptions } from "./service.ts";

/**
 * Makes a service: opens and migrates the database, creates what a first start creates, loads `security.ini` and the
 * plugins. Takes any setting by its name (see `docs/settings.md`), and the defaults of a run from the command line;
 * the environment is not read.
 *
 * @throws StartError with every problem of `security.ini` and the plugins
 * @throws KinoraError `unavailable` when the database cannot be used
 *
 * @example
 * ```ts
 * import { createService } from "kinora";
 *
 * const service = await createService({ databaseUrl: "file:data/kinora.db", adminPassword: "change me" });
 * const answer = await service.fetch(
 *   new Request("http://localhost/API/whoami", { headers: { authorization: `Basic ${btoa("admin:change me")}` } }),
 * );
 * console.log(await answer.text()); // admin
 * await service.close();
 * ```
 */
export function createService(options?: ServiceOptions): Promise<Service> {
  return createServiceOn(platform, options);
}

export { type ErrorCode, KinoraError } from "./errors.ts";
export type * from "./plugin/contract.ts";
export {
  defineAuthenticationListener,
  defineAuthenticationStrategy,
  defineCredentialsMatcher,
  defineFilter,
  defineRealm,
  defineUserInfoProvider,
} from "./plugin/define.ts";
export type { Connection } from "./service/connection.ts";
export { StartError } from "./service/start-error.ts";
export type { Service, ServiceOptions, StartReport } from "./service.ts";
