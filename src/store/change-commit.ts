import type { KinoraError } from "../errors.ts";
import type { Actor, AddOptions, Change, ChangeEvent } from "./change.ts";
import type { Result, Statement } from "./database.ts";
import { ConstraintError } from "./faults.ts";
import { guardConstraint, guardStatement } from "./guard.ts";
import { type Query, toStatement } from "./query.ts";
import type { WriteOnce } from "./write-once.ts";

/** What a store gives to its changes. */
export interface ChangeContext {
  readonly write: WriteOnce;
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
  const parts: Part[] = [];
  const events: ChangeEvent[] = [];
  const hooks: (() => void)[] = [];
  let state: "open" | "observed" | "closed" = "open";

  function refuseWhenClosed(): void {
    if (state === "closed") throw new Error("A change that was committed takes nothing more");
  }

  function collect(part: Part): void {
    refuseWhenClosed();
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
      refuseWhenClosed();
      events.push(event);
      return change;
    },
    onCommit(done) {
      refuseWhenClosed();
      hooks.push(done);
      return change;
    },
    async commit() {
      if (state !== "open") throw new Error("A change is committed once");
      state = "observed";
      for (const observer of context.observers) await observer(change);
      const at = context.now();
      for (const event of events) collect({ statement: eventStatement(event, actor, at), wanted: false });
      state = "closed";
      const results = await writeParts(context, parts);
      for (const hook of hooks) runHook(hook, context.hookFailed);
      return results;
    },
  };
  return change;
}

async function writeParts(context: ChangeContext, parts: readonly Part[]): Promise<readonly Result[]> {
  if (parts.length === 0) return [];
  try {
    const results = await context.write(parts.map(({ statement }) => statement));
    return results.filter((_, index) => parts[index]?.wanted);
  } catch (error) {
    throw meaning(error, parts);
  }
}

/** The error that the failed statement was given, or the error itself. */
function meaning(error: unknown, parts: readonly Part[]): unknown {
  if (!(error instanceof ConstraintError) || error.statementIndex === undefined) return error;
  const part = parts[error.statementIndex];
  if (part?.guard !== undefined && error.constraint === guardConstraint) return part.guard;
  if (part?.unique !== undefined && error.kind === "unique") return part.unique;
  return error;
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
