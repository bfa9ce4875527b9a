import type { PluginLog } from "../../src/plugin/mod.ts";
import { type LdapConnection, speakLdap } from "./connection.ts";
import { createFailover } from "./failover.ts";
import { LdapFailure } from "./failure.ts";
import { openSocket } from "./open-socket.ts";
import { createPool, type Pool } from "./pool.ts";
import type { LdapServer, LdapSettings } from "./settings.ts";
import type { TlsOptionsFor } from "./tls-trust.ts";

export interface ConnectionsDeps {
  readonly settings: LdapSettings;
  readonly tlsOptions: TlsOptionsFor;
  readonly now: () => number;
  readonly log: PluginLog;
}

type Work<T> = (connection: LdapConnection) => Promise<T>;

/** Connections to whichever server works. Work that a server leaves unanswered is done anew with another one. */
export interface Connections {
  /** As the technical user, or anonymously when there is none. */
  asTechnicalUser<T>(work: Work<T>): Promise<T>;
  /** As nobody in particular: the work begins with a bind. */
  forBind<T>(work: Work<T>): Promise<T>;
  close(): void;
}

export function createConnections({ settings, tlsOptions, now, log }: ConnectionsDeps): Connections {
  const { servers, poolSize, connectTimeoutMs, operationTimeoutMs, technicalUser } = settings;
  const failover = createFailover({ servers, now, log });
  const poolOf = () =>
    createPool({
      size: poolSize,
      waitMs: operationTimeoutMs,
      now,
      // The first server is returned to as soon as it may work again.
      wanted: ({ server }) => !failover.hasBetter(server),
    });
  const searching = poolOf();
  const binding = poolOf();

  async function open(server: LdapServer): Promise<LdapConnection> {
    const socket = await openSocket(server, { tls: tlsOptions(server), timeoutMs: connectTimeoutMs });
    return speakLdap(server, socket, operationTimeoutMs);
  }

  async function openAsTechnicalUser(server: LdapServer): Promise<LdapConnection> {
    const connection = await open(server);
    if (technicalUser === undefined) return connection;
    try {
      await connection.bind(technicalUser.name, technicalUser.password);
      return connection;
    } catch (error) {
      connection.close();
      if (!(error instanceof LdapFailure) || error.kind !== "refused credentials") throw error;
      throw new LdapFailure("unreachable", `The server refuses bindDN with bindPassword: ${error.message}`, error);
    }
  }

  async function use<T>(
    pool: Pool,
    opener: (server: LdapServer) => Promise<LdapConnection>,
    work: Work<T>,
  ): Promise<T> {
    const tried = new Set<LdapServer>();
    let lost = 0;

    /** Whether the work may be done anew after a failure. */
    function goesOn({ server }: LdapConnection, failure: LdapFailure): boolean {
      if (failure.kind !== "lost" && failure.kind !== "unreachable") {
        // The server has answered, if not as was hoped.
        failover.worked(server);
        return false;
      }
      // The connection may have been an old one: the same server gets one more chance.
      if (failure.kind === "lost" && lost++ === 0) return true;
      tried.add(server);
      failover.failed(server, failure);
      return tried.size < servers.length;
    }

    for (;;) {
      const done = await pool.use(
        () => failover.connect(opener, tried),
        async (connection) => {
          try {
            const result = await work(connection);
            failover.worked(connection.server);
            return { result };
          } catch (error) {
            if (error instanceof LdapFailure && goesOn(connection, error)) return undefined;
            throw error;
          }
        },
      );
      if (done !== undefined) return done.result;
    }
  }

  return {
    asTechnicalUser: (work) => use(searching, openAsTechnicalUser, work),
    forBind: (work) => use(binding, open, work),
    close() {
      searching.close();
      binding.close();
    },
  };
}
