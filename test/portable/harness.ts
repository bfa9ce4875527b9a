import type { Plugin, Service } from "../../src/mod.ts";
import { defaultSecurityIni } from "../../src/security/default-ini.ts";
import { createServiceOn } from "../../src/service.ts";
import { type Settings, settingsWith } from "../../src/settings.ts";
import type { Database } from "../../src/store/database.ts";
import { cheapPlatform } from "./cheap-hashing.ts";
import { makeMigratedDatabase } from "./database.ts";
import { platform } from "./platform.ts";

/** How a service of a test is made. */
export interface StartOptions {
  /** The text of `security.ini`. Default: the built-in one. */
  readonly ini?: string;
  readonly plugins?: readonly Plugin[];
  readonly settings?: Partial<Settings>;
  /** How the service reaches other systems. */
  readonly fetch?: typeof fetch;
  /** `full`: passwords cost what they cost a service that is run. Default: little, most tests are not about it. */
  readonly passwordHashing?: "full" | "cheap";
  /** What the service is given in place of its database: one that watches it. */
  readonly watched?: (database: Database) => Database;
}

/** Sends a request to a path, whose bytes reach the service as they stand. */
export type Fetcher = (path: string, init?: RequestInit) => Promise<Response>;

/** A whole service on an empty database of its own. */
export interface TestService {
  readonly service: Service;
  /** Without credentials. */
  readonly fetch: Fetcher;
  /** As the user `admin`. */
  readonly admin: Fetcher;
  /** With Basic credentials. */
  as(user: string, password: string): Fetcher;
  /** Milliseconds since the epoch, by the service's clock. */
  now(): number;
  /** The service's clock, which stands still but for this. */
  advance(milliseconds: number): void;
  /** Closes the service and removes its database. */
  close(): Promise<void>;
}

/** Of the user `admin` in every test service. */
export const adminPassword = "correct horse battery staple";

/** Begins at a round moment, so that times in answers can be told. */
const firstMoment = Date.UTC(2026, 0, 1);

/**
 * Starts a service, on every runtime: over an embedded file on Node and Deno, over a real libSQL server on workerd. No
 * file of the working directory is read.
 */
export async function startService(options: StartOptions = {}): Promise<TestService> {
  const { watched = (opened) => opened } = options;
  const database = await makeMigratedDatabase();
  let now = firstMoment;
  const service = await createServiceOn(options.passwordHashing === "full" ? platform : cheapPlatform, {
    ...settingsWith({ adminPassword, extDir: "no-such-folder", ...options.settings }),
    database: watched(await database.open()),
    now: () => now,
    ticking: false,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    ...(options.plugins === undefined ? {} : { plugins: options.plugins }),
    securityIni: options.ini ?? defaultSecurityIni,
  }).catch(async (error: unknown) => {
    await database.remove();
    throw error;
  });
  const send = sender(service);
  const as = (user: string, password: string): Fetcher => {
    const authorization = basic(user, password);
    return (path, init = {}) => send(path, { ...init, headers: { authorization, ...plainHeaders(init.headers) } });
  };
  return {
    service,
    fetch: send,
    admin: as("admin", adminPassword),
    as,
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    async close() {
      await service.close();
      await database.remove();
    },
  };
}

/** The value of an Authorization header for a name and a password, as UTF-8. */
export function basic(user: string, password: string): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))}`;
}

const peer = { remoteAddress: "192.0.2.1", port: 80, secure: false };
const host = "http://localhost";

declare global {
  /** Told of every answer, where the runner looks at answers as well. */
  var tellAnswer: ((target: string, answer: Response) => void) | undefined;
}

/** A `Request` shows its URL as the URL parser rewrote it; the connection carries the target as it was sent. */
function sender(service: Service): Fetcher {
  return async (path, init) => {
    const url = path.startsWith("/") && URL.canParse(`${host}${path}`) ? `${host}${path}` : host;
    const answer = await service.fetch(new Request(url, init), { ...peer, rawTarget: path });
    globalThis.tellAnswer?.(`${init?.method ?? "GET"} ${path}`, answer);
    return answer;
  };
}

function plainHeaders(headers: RequestInit["headers"]): Record<string, string> {
  return Object.fromEntries(new Headers(headers).entries());
}
