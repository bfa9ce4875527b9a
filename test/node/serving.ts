import type { Service } from "../../src/mod.ts";
import type { AnsweringService } from "../../src/runtime/running-server.ts";
import type { ServerService } from "../../src/service.ts";

/** A service for `serve`: every service can be served, the public type only does not tell it. */
export function serving(service: Service): AnsweringService {
  return service as ServerService;
}
