import type { PluginLog } from "../../src/plugin/mod.ts";
import type { LdapConnection } from "./connection.ts";
import { LdapFailure } from "./failure.ts";
import type { LdapServer } from "./settings.ts";

/** Milliseconds for which a server is left alone after a first failure; doubled with each further one. */
const shortestPauseMs = 1_000;
const longestPauseMs = 30_000;

export interface FailoverDeps {
  /** In the order in which they are preferred. */
  readonly servers: readonly LdapServer[];
  readonly now: () => number;
  readonly log: PluginLog;
}

/** Which servers work. A server that failed is left alone for a while, so that nobody waits for it again and again. */
export interface Failover {
  /**
   * Opens a connection to the first server that works and is not among `tried`; servers that fail are added to `tried`.
   *
   * @throws LdapFailure when there is none, at once when all are left alone
   */
  connect(open: (server: LdapServer) => Promise<LdapConnection>, tried: Set<LdapServer>): Promise<LdapConnection>;
  failed(server: LdapServer, failure: LdapFailure): void;
  worked(server: LdapServer): void;
  /** Whether a server before this one may be tried again. */
  hasBetter(server: LdapServer): boolean;
}

interface Standing {
  readonly server: LdapServer;
  /** 0 while the server works. */
  pauseMs: number;
  until: number;
}

export function createFailover({ servers, now, log }: FailoverDeps): Failover {
  const standings: readonly Standing[] = servers.map((server) => ({ server, pauseMs: 0, until: 0 }));
  let lastReason = "none was tried";
  const standingOf = (server: LdapServer) => standings.find((standing) => standing.server === server);

  function failed(server: LdapServer, { message }: LdapFailure): void {
    const standing = standingOf(server);
    // Many operations may fail at once; that is one failure.
    if (standing === undefined || standing.until > now()) return;
    pause(standing);
    lastReason = `${server.url}: ${message}`;
    log.error("A directory server fails", { url: server.url, reason: message, pauseSeconds: standing.pauseMs / 1000 });
  }

  function pause(standing: Standing): void {
    standing.pauseMs = Math.min(longestPauseMs, standing.pauseMs === 0 ? shortestPauseMs : standing.pauseMs * 2);
    standing.until = now() + standing.pauseMs;
  }

  return {
    async connect(open, tried) {
      for (const standing of standings) {
        const { server } = standing;
        if (tried.has(server) || standing.until > now()) continue;
        // Of a server that failed, one caller finds out whether it works again; the others do without it meanwhile.
        if (standing.pauseMs > 0) standing.until = now() + standing.pauseMs;
        try {
          return await open(server);
        } catch (error) {
          if (!(error instanceof LdapFailure)) throw error;
          tried.add(server);
          standing.until = 0;
          failed(server, error);
        }
      }
      throw new LdapFailure("unreachable", `No directory server works; ${lastReason}`);
    },
    failed,
    worked(server) {
      const standing = standingOf(server);
      if (standing === undefined || standing.pauseMs === 0) return;
      standing.pauseMs = 0;
      standing.until = 0;
      log.info("A directory server works again", { url: server.url });
    },
    hasBetter(server) {
      for (const standing of standings) {
        if (standing.server === server) return false;
        if (standing.until <= now()) return true;
      }
      return false;
    },
  };
}
