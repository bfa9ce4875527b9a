import type { KinoraError } from "../errors.ts";
import type { Result, Statement } from "./database.ts";
import type { Query } from "./query.ts";

/** Who makes a change. */
export interface Actor {
  readonly userName: string;
  /** The user that `RunAs` named, when the caller acts for another. */
  readonly runAs?: string;
  readonly requestId?: string;
}

/** What happened to an entity, in the terms of the specification's triggers. */
export interface ChangeEvent {
  /** `item`, `collection`, `access`, `shape`, `metadata`, `group` … */
  readonly entity: string;
  /** `CREATE`, `DELETE`, `MODIFY`, `CHANGE` … */
  readonly action: string;
  readonly entityId: string;
  /** The output keys of the specification. */
  readonly keys: Readonly<Record<string, string | readonly string[]>>;
  /** What observers of the change are told beyond the keys; not kept. */
  readonly detail?: unknown;
}

export interface AddOptions {
  /** What `commit` throws when this statement breaks a unique index or a primary key. */
  readonly unique?: KinoraError;
  /** Its result is not among those that `commit` answers; for statements that accompany a caller's own. */
  readonly silent?: boolean;
}

/**
 * One unit of work: collected first, then written in one atomic batch, which is one round trip.
 *
 * Statements, guards and events keep the order in which they were added; events are written last.
 */
export interface Change {
  readonly actor: Actor;
  /** What was recorded so far. */
  readonly events: readonly ChangeEvent[];
  /** Adds statements. */
  add(...queries: Query[]): Change;
  /** Adds one statement with a meaning for its broken unique constraint, or whose result nobody wants. */
  add(query: Query, options: AddOptions): Change;
  /**
   * Adds a condition: a select of one value inside the batch. Unless the value is true (neither 0, null nor no row)
   * nothing at all is written and `commit` throws `otherwise`. `changes()` in it tells of the statement before.
   */
  require(condition: Statement, otherwise: KinoraError): Change;
  /** Records an event: written in the same batch into the table `event`, and shown to the observers before. */
  record(event: ChangeEvent): Change;
  /** Calls `done` after the batch was written, never otherwise. */
  onCommit(done: () => void): Change;
  /**
   * Lets the observers add their part, then writes everything or nothing. A change is committed once.
   *
   * Answers the results of the added statements in their order. When the connection broke and the change turns out to
   * be written all the same, the results are gone: reading their properties throws `unavailable`.
   *
   * @throws KinoraError what a guard or a unique constraint was given; `unavailable` when the database cannot write
   * @throws ConstraintError for any other constraint
   */
  commit(): Promise<readonly Result[]>;
}
