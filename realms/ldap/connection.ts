import type { Socket } from "node:net";
import { Client, type Entry, FilterParser, ResultCodeError, type SearchOptions } from "ldapts";
import { failureOfResult, LdapFailure, type LdapFailureKind } from "./failure.ts";
import type { LdapServer } from "./settings.ts";

/** An entry of the directory. */
export interface LdapEntry {
  readonly dn: string;
  /** The values of an attribute that are text, whatever the letter case of its name. */
  values(attribute: string): readonly string[];
}

export interface LdapSearch {
  readonly base: string;
  /** The entry itself, or all below it as well. */
  readonly scope: "base" | "sub";
  /** As RFC 4515 writes it. */
  readonly filter: string;
  readonly attributes: readonly string[];
  /** Entries after which the server may stop; without it a limit of the server is a failure. */
  readonly enough?: number;
}

/** One connection to a directory server, for one operation at a time. Every failure is an {@link LdapFailure}. */
export interface LdapConnection {
  readonly server: LdapServer;
  /** Whether it can still be used. */
  readonly usable: boolean;
  /** Who it acts for from now on. */
  bind(name: string, password: string): Promise<void>;
  search(search: LdapSearch): Promise<readonly LdapEntry[]>;
  close(): void;
}

/** Bytes of the largest answer to an operation; a server that sends more is given up. */
const largestAnswer = 8 * 1024 * 1024;

/** Speaks LDAP over a connected socket, which is not replaced when it ends. */
export function speakLdap(server: LdapServer, socket: Socket, timeoutMs: number): LdapConnection {
  let usable = true;
  let received = 0;
  let givenUp: LdapFailure | undefined;
  const giveUp = (kind: LdapFailureKind, message: string): void => {
    givenUp ??= new LdapFailure(kind, message);
    close();
  };
  const close = (): void => {
    usable = false;
    socket.destroy();
  };
  socket.once("close", close);
  socket.on("data", (data: Uint8Array) => {
    received += data.byteLength;
    if (received > largestAnswer) giveUp("refused", `The server's answer is larger than ${largestAnswer} bytes`);
  });
  const client = new Client({
    // Connected and encrypted already: the library is not to do either.
    url: "ldap://localhost",
    createConnection: () => {
      if (!usable) throw new Error("The connection has ended");
      return socket;
    },
  });

  async function ask<T>(operation: "bind" | "search", work: () => Promise<T>): Promise<T> {
    received = 0;
    const seconds = timeoutMs / 1000;
    const timer = setTimeout(
      () => giveUp("unreachable", `The ${operation} has no answer after ${seconds} s`),
      timeoutMs,
    );
    try {
      return await work();
    } catch (error) {
      if (error instanceof ResultCodeError) throw failureOfResult(operation, error.code, error.message);
      close();
      const reason = error instanceof Error ? error.message : String(error);
      throw givenUp ?? new LdapFailure("lost", `The connection ends during the ${operation}: ${reason}`, error);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    server,
    get usable() {
      return usable;
    },
    bind: (name, password) => ask("bind", () => client.bind(name, password)),
    search({ base, scope, filter, attributes, enough }) {
      const options: SearchOptions = {
        scope,
        filter: FilterParser.parseString(filter),
        attributes: [...attributes],
        derefAliases: "never",
        timeLimit: Math.ceil(timeoutMs / 1000),
        ...(enough === undefined ? {} : { sizeLimit: enough }),
      };
      return ask("search", async () => (await client.search(base, options)).searchEntries.map(entryOf));
    },
    close,
  };
}

function entryOf({ dn, ...attributes }: Entry): LdapEntry {
  const values = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(attributes)) {
    const texts = [value].flat().filter((one) => typeof one === "string");
    values.set(name.toLowerCase(), texts);
  }
  return { dn, values: (attribute) => values.get(attribute.toLowerCase()) ?? [] };
}
