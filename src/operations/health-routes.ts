import { KinoraError } from "../errors.ts";
import { type RouteTable, routes } from "../http/route-table.ts";
import type { ObjectHealth } from "../security/lifecycle.ts";
import type { Store } from "../store/store.ts";

/** What readiness depends on. */
export interface HealthDeps {
  readonly store: Store;
  readonly health: () => Promise<readonly ObjectHealth[]>;
}

/** Probes for a load balancer or an orchestrator; they answer without login and tell nothing but up or down. */
export function healthRoutes({ store, health }: HealthDeps): RouteTable {
  const route = routes();

  route.get("/livez", { summary: "Whether the process answers at all", role: "open", output: "text" }, () => "alive");

  route.get(
    "/readyz",
    { summary: "Whether the service can do its work: database and realms", role: "open", output: "text" },
    async () => {
      await store.query({ sql: "select 1" });
      const ill = (await health()).filter(({ ok }) => !ok);
      if (ill.length === 0) return "ready";
      throw new KinoraError("unavailable", {
        explanation: `Not ready: ${ill.map(({ name }) => name).join(", ")}`,
        headers: { "retry-after": "5" },
      });
    },
  );

  route.get(
    "/APInoauth/is-online",
    { summary: "Whether the service is online", role: "open", output: "text" },
    () => "online",
  );
  return route;
}
