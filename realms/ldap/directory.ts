import type { PluginLog } from "../../src/plugin/mod.ts";
import type { LdapConnection, LdapEntry } from "./connection.ts";
import type { Connections } from "./connections.ts";
import { escapeDnValue, escapeFilterValue, fillTemplate } from "./escape.ts";
import { LdapFailure } from "./failure.ts";
import type { LdapSettings } from "./settings.ts";

/** What the directory says of a user who has proven who they are. */
export interface DirectoryUser {
  readonly entry: LdapEntry;
  /** Entries of the user's groups. */
  readonly groups: readonly LdapEntry[];
}

export interface Directory {
  /**
   * Asks the directory about a name and a password.
   *
   * @returns the user, `"unknown"` when no entry or more than one has the name, `"refused"` for a wrong password
   * @throws LdapFailure when the directory cannot tell
   */
  prove(userName: string, password: string): Promise<DirectoryUser | "unknown" | "refused">;
}

/** The entry that a name stands for: read already, when the technical user has read it. */
interface Found {
  readonly dn: string;
  readonly entry: LdapEntry | undefined;
}

export interface DirectoryDeps {
  readonly settings: LdapSettings;
  readonly connections: Connections;
  readonly log: PluginLog;
}

export function createDirectory({ settings, connections, log }: DirectoryDeps): Directory {
  const { users, technicalUser, groups, usernameAttribute, realNameAttribute, attributes } = settings;
  const wanted = [...new Set([usernameAttribute, realNameAttribute, ...attributes])];
  const noAttribute = ["1.1"];

  async function find(userName: string): Promise<Found | undefined> {
    if ("base" in users) {
      const filter = fillTemplate(users.filter, [userName], escapeFilterValue);
      const entries = await connections.asTechnicalUser((connection) =>
        connection.search({
          base: users.base,
          scope: "sub",
          filter,
          attributes: technicalUser === undefined ? noAttribute : wanted,
          // Of two the first must not be taken: which one is meant cannot be told.
          enough: 2,
        }),
      );
      const [entry] = entries;
      if (entries.length > 1) log.warn("More than one entry has a user name; none is taken", { userName });
      if (entry === undefined || entries.length > 1) return undefined;
      return { dn: entry.dn, entry: technicalUser === undefined ? undefined : entry };
    }
    const dn = fillTemplate(users.template, [userName], escapeDnValue);
    if (technicalUser === undefined) return { dn, entry: undefined };
    const entry = await connections.asTechnicalUser((connection) => readEntry(connection, dn));
    return entry && { dn, entry };
  }

  async function readEntry(connection: LdapConnection, base: string): Promise<LdapEntry | undefined> {
    try {
      const filter = "(objectClass=*)";
      const [entry] = await connection.search({ base, scope: "base", filter, attributes: wanted });
      return entry;
    } catch (error) {
      if (error instanceof LdapFailure && error.kind === "no such entry") return undefined;
      throw error;
    }
  }

  async function findGroups(connection: LdapConnection, dn: string, userName: string): Promise<readonly LdapEntry[]> {
    if (groups === undefined) return [];
    const filter = fillTemplate(groups.filter, [dn, userName], escapeFilterValue);
    return connection.search({ base: groups.base, scope: "sub", filter, attributes: [groups.nameAttribute] });
  }

  async function describe(connection: LdapConnection, { dn, entry: known }: Found): Promise<DirectoryUser> {
    const entry = known ?? (await readEntry(connection, dn));
    const [userName] = entry?.values(usernameAttribute) ?? [];
    if (entry === undefined || userName === undefined) {
      const reader = technicalUser === undefined ? "The user" : "bindDN";
      throw new LdapFailure("refused", `${reader} cannot read ${usernameAttribute} of the user's entry`);
    }
    return { entry, groups: await findGroups(connection, dn, userName) };
  }

  return {
    async prove(userName, password) {
      const found = await find(userName);
      if (found === undefined) {
        await takeAsLong(connections);
        return "unknown";
      }
      const proven = await connections.forBind(async (connection) => {
        try {
          await connection.bind(found.dn, password);
        } catch (error) {
          if (!(error instanceof LdapFailure) || error.kind !== "refused credentials") throw error;
          log.debug("The directory refuses a login", { dn: found.dn, reason: error.message });
          return "refused";
        }
        return technicalUser === undefined ? describe(connection, found) : "good";
      });
      if (proven !== "good") return proven;
      return connections.asTechnicalUser((connection) => describe(connection, found));
    },
  };
}

/**
 * Asks for an anonymous bind, which costs the same round trips as the bind that a known name would get: the time of an
 * answer does not tell which names there are. What comes of it makes no difference.
 */
async function takeAsLong(connections: Connections): Promise<void> {
  try {
    await connections.forBind((connection) => connection.bind("", ""));
  } catch (error) {
    if (!(error instanceof LdapFailure)) throw error;
  }
}
