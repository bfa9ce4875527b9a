import { FilterParser } from "ldapts";
import type { Health, PluginContext, Realm } from "../../src/plugin/mod.ts";
import { accountOf } from "./account.ts";
import { type Connections, createConnections } from "./connections.ts";
import { answerUnasked } from "./credentials.ts";
import { createDirectory } from "./directory.ts";
import { LdapFailure } from "./failure.ts";
import { type LdapProperties, type LdapSettings, readSettings } from "./settings.ts";
import { readTrust } from "./tls-trust.ts";

/**
 * Makes the realm; connects to nothing before the first login.
 *
 * @throws Error with a sentence for each property that is wrong
 */
export async function createLdapRealm(properties: LdapProperties, { log, now }: PluginContext): Promise<Realm> {
  const settings = readSettings(properties);
  checkFilters(settings);
  const connections = createConnections({ settings, tlsOptions: await readTrust(settings), now, log });
  const directory = createDirectory({ settings, connections, log });

  return {
    accepts: "password",
    reuseSeconds: properties.reuseSeconds,
    start() {
      for (const { url, encryption, host } of settings.servers) {
        if (isThisMachine(host)) continue;
        if (encryption === "none") log.warn("Passwords are sent to a directory server without encryption", { url });
        else if (!settings.verifyCertificate) log.warn("The certificate of a directory server is not checked", { url });
      }
    },
    stop: () => connections.close(),
    health: () => healthOf(connections),
    async authenticate(credentials) {
      if (credentials.kind !== "password") return "not mine";
      const unasked = answerUnasked(credentials, settings.exceptUsers);
      if (unasked !== undefined) return unasked;
      try {
        const user = await directory.prove(credentials.userName, credentials.password);
        if (user === "unknown") return "not mine";
        if (user === "refused") return "rejected";
        const account = accountOf(user, settings);
        if (account === undefined) log.warn("An entry's user name cannot be used", { dn: user.entry.dn });
        return account ?? "not mine";
      } catch (error) {
        if (!(error instanceof LdapFailure)) throw error;
        const write = error.kind === "unreachable" || error.kind === "lost" ? log.debug : log.error;
        write("The directory cannot tell", { reason: error.message });
        return "unavailable";
      }
    },
  };
}

function checkFilters({ users, groups }: LdapSettings): void {
  const filters = [
    ["userSearchFilter", "filter" in users ? users.filter : undefined],
    ["groupSearchFilter", groups?.filter],
  ];
  for (const [name, filter] of filters) {
    if (filter === undefined) continue;
    try {
      FilterParser.parseString(filter.replace(/\{[01]\}/g, "x"));
    } catch (cause) {
      throw new Error(`${name} is no search filter, such as (objectClass=person)`, { cause });
    }
  }
}

async function healthOf(connections: Connections): Promise<Health> {
  try {
    const search = { base: "", scope: "base", filter: "(objectClass=*)", attributes: ["1.1"] } as const;
    await connections.asTechnicalUser((connection) => connection.search(search));
  } catch (error) {
    if (!(error instanceof LdapFailure)) throw error;
    if (error.kind === "unreachable" || error.kind === "lost") return { ok: false, message: error.message };
  }
  // Any result of a search comes from a server that works.
  return { ok: true };
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
