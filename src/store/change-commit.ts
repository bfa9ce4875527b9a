import { KinoraError } from "../errors.ts";
import type { Actor, AddOptions, Change, ChangeEvent } from "./change.ts";
import type { Database, Result, Statement } from "./database.ts";
import { ConstraintError } from "./faults.ts";
import { guardConstraint, guardStatement } from "./guard.ts";
import { type Query, toStatement } from "./query.ts";
import { type WriteOnce, writeOnce } from "./write-once.ts";

/** What a store gives to its changes. */
export interface ChangeContext {
  readonly database: Database;
  readonly now: () => number;
  readonly observers: readonly ((change: Change) => void | Promise<void>)[];
  /** Told of an `onCommit` function that threw; the change is written by then. */
  readonly hookFailed: (error: unknown) => void;
}

/** One statement of the batch and what its failure means. */
interface Part {
  readonly statement: Statement;
  /** Its result is one of those that `commit` answers. */
  readonly wanted: boolean;
  readonly guard?: KinoraError;
  readonly unique?: KinoraError;
}

/** Starts an empty change. */
export function startChange(context: ChangeContext, actor: Actor): Change {
  const write = writeOnce(context.database, context.now);
  const parts: Part[] = [];
  const events: ChangeEvent[] = [];
  const hooks: (() => void)[] = [];
  let state: "open" | "committed" = "open";

  function collect(part: Part): void {
    if (state !== "open") throw new Error("A change that was committed takes nothing more");
    parts.push(part);
  }

  const change: Change = {
    actor,
    events,
    add(...queries: readonly (Query | AddOptions)[]) {
      const last = queries.at(-1);
      const options = last !== undefined && !isQuery(last) ? last : {};
      for (const query of queries) {
        if (!isQuery(query)) continue;
        const { unique, silent = false } = options;
        collect({ statement: toStatement(query), wanted: !silent, ...(unique === undefined ? {} : { unique }) });
      }
      return change;
    },
    require(condition, otherwise) {
      collect({ statement: guardStatement(condition), wanted: false, guard: otherwise });
      return change;
    },
    record(event) {
      if (state !== "open") throw new Error("A change that was committed takes no event");
      events.push(event);
      return change;
    },
    onCommit(done) {
      hooks.push(done);
      return change;
    },
    async commit() {
      if (state !== "open") throw new Error("A change is committed once");
      for (const observer of context.observers) await observer(change);
      const at = context.now();
      for (const event of events) collect({ statement: eventStatement(event, actor, at), wanted: false });
      state = "committed";
      const results = await writeParts(write, parts);
      for (const hook of hooks) runHook(hook, context.hookFailed);
      return results;
    },
  };
  return change;
}

async function writeParts(write: WriteOnce, parts: readonly Part[]): Promise<readonly Result[]> {
  if (parts.length === 0) return [];
  try {
    const results = await write(parts.map(({ statement }) => statement));
    return results.filter((_, index) => parts[index]?.wanted);
  } catch (error) {
    throw meaning(error, parts);
  }
}

/** The error that the failed statement was given, or the error itself. */
function meaning(error: unknown, parts: readonly Part[]): unknown {
  if (!(error instanceof ConstraintError) || error.statementIndex === undefined) return error;
  const part = parts[error.statementIndex];
  if (part?.guard !== undefined && error.constraint === guardConstraint) return withCause(part.guard, error);
  if (part?.unique !== undefined && error.kind === "unique") return withCause(part.unique, error);
  return error;
}

/** The same error with a fresh stack and the database's own words behind it. */
function withCause(error: KinoraError, cause: Error): KinoraError {
  return new KinoraError(error.code, error.details, { cause });
}

function isQuery(value: Query | AddOptions): value is Query {
  return "sql" in value || "toSQL" in value;
}

function eventStatement(event: ChangeEvent, actor: Actor, at: number): Statement {
  return {
    sql: "insert into event (at, entity, action, entity_id, keys, actor, run_as, request_id) values (?, ?, ?, ?, ?, ?, ?, ?)",
    args: [
      at,
      event.entity,
      event.action,
      event.entityId,
      JSON.stringify(event.keys),
      actor.userName,
      actor.runAs ?? null,
      actor.requestId ?? null,
    ],
  };
}

function runHook(hook: () => void, failed: (error: unknown) => void): void {
  try {
    hook();
  } catch (error) {
    failed(error);
  }
}
