import { pruneAuditTrail } from "../identity/audit-retention.ts";
import type { AuditTrail } from "../identity/audit-trail.ts";
import { sweepTokens } from "../identity/tokens.ts";
import type { Store } from "../store/store.ts";
import type { Configuration } from "./configuration.ts";

export interface UpkeepDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly configuration: Configuration;
}

/** Between two sweeps, on all instances together, in milliseconds. */
const sweepEveryMs = 60_000;
/** Each round removes a bounded number of rows; what is left over waits for the next sweep. */
const mostRounds = 20;
/** Milliseconds until the next tick is due. */
const restMs = 5000;

/** What has to be done now and then for users and the trail. */
export interface Upkeep {
  /**
   * Writes what waits for the audit trail; on one instance at a time removes expired tokens and old entries.
   *
   * @returns milliseconds after which to come back
   */
  tick(): Promise<number>;
}

export function createUpkeep({ store, audit, configuration }: UpkeepDeps): Upkeep {
  let sweepAt = Number.NEGATIVE_INFINITY;
  return {
    async tick() {
      await configuration.refresh();
      await audit.flush();
      if (store.now() < sweepAt) return restMs;
      sweepAt = store.now() + sweepEveryMs;
      // The lease is not given back: no other instance needs to sweep before it ends.
      if ((await store.leases.claim("identity-upkeep", sweepEveryMs)) === undefined) return restMs;
      for (let round = 0; round < mostRounds; round++) {
        const tokens = await sweepTokens(store);
        const entries = await pruneAuditTrail(store, configuration.property("auditTrailRetentionDays"));
        if (tokens + entries === 0) break;
      }
      return restMs;
    },
  };
}
