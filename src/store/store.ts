import type { SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import type { Actor, Change } from "./change.ts";
import { type ChangeContext, startChange } from "./change-commit.ts";
import type { Database, Row, Statement } from "./database.ts";
import { createIds, type Ids } from "./ids.ts";
import { createLeases, type Leases } from "./leases.ts";
import { createVersions, type Versions } from "./versions.ts";
import { writeOnce } from "./write-once.ts";

/** Everything that the domains do with the database. */
export interface Store {
  readonly database: Database;
  readonly ids: Ids;
  readonly leases: Leases;
  readonly versions: Versions;
  /** Reads rows. */
  query(statement: Statement): Promise<readonly Row[]>;
  /** Reads the rows of several statements from one moment of the database, in one round trip. */
  readAll(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
  /**
   * drizzle over the database, for typed reads and for building the statements of changes. It is loaded when it is
   * first asked for, because loading it takes longer than the rest of the start.
   */
  drizzle(): Promise<SqliteRemoteDatabase>;
  /** Starts a unit of work. */
  change(actor: Actor): Change;
  /** Lets `observer` see each change before it is written, in the order of registration; it may add its own part. */
  observe(observer: (change: Change) => void | Promise<void>): void;
  /** Milliseconds since the epoch. */
  now(): number;
  close(): Promise<void>;
}

/** The part of a log that the store writes to. */
export interface StoreLog {
  warn(message: string, properties?: Readonly<Record<string, unknown>>): void;
  error(message: string, properties?: Readonly<Record<string, unknown>>): void;
}

export interface StoreOptions {
  readonly database: Database;
  /** What ids begin with. Default `VX`. */
  readonly site?: string;
  /** Numbers reserved at once for an entity. Default 64. */
  readonly blockSize?: (entity: string) => number;
  readonly now?: () => number;
  /** Default: the console. */
  readonly log?: StoreLog;
  /** Given each promise that no caller waits for; on Workers `waitUntil` belongs here. */
  readonly background?: (work: Promise<void>) => void;
}

/** Opens the store over a database that has the schema already; see `migrate`. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { database, now = Date.now, log = console, background = () => undefined } = options;
  const observers: ((change: Change) => void | Promise<void>)[] = [];
  const context: ChangeContext = {
    write: writeOnce(database, now),
    now,
    observers,
    hookFailed: (error) => log.error("A function that runs after a commit failed", { error }),
  };
  return {
    database,
    ids: createIds({
      database,
      background,
      reservationFailed: (error) => log.warn("Ids cannot be reserved ahead", { error }),
      ...(options.site === undefined ? {} : { site: options.site }),
      ...(options.blockSize === undefined ? {} : { blockSize: options.blockSize }),
    }),
    leases: createLeases(database, now),
    versions: createVersions({
      database,
      now,
      background,
      lookFailed: (error) => log.warn("Versions cannot be read from the database", { error }),
    }),
    query: async (statement) => (await database.query(statement)).rows,
    readAll: async (statements) => (await database.batch(statements, "read")).map(({ rows }) => rows),
    drizzle: async () => (await import("./drizzle.ts")).drizzleOver(database),
    change: (actor) => startChange(context, actor),
    observe: (observer) => {
      observers.push(observer);
    },
    now,
    close: () => database.close(),
  };
}
