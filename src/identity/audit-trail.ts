import type { Change } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { type AuditEntry, type AuditedRequest, entryOf, insertion, longestBody } from "./audit-entry.ts";

/**
 * Who asked for what. A request that changes something is written in the same batch as its change; every other one is
 * written a little later, by `flush`.
 */
export interface AuditTrail {
  /** Whether the text of this request's body belongs into the trail. */
  wantsBody(request: AuditedRequest): boolean;
  /**
   * Begins the record of a request, before its handler runs. `false` for one that is not recorded: then there is nothing
   * to end.
   */
  begin(request: AuditedRequest, body?: string): boolean;
  /** Ends the record with the status of the answer. A promise where it is written at once and should be waited for. */
  end(requestId: string, status: number): Promise<void> | undefined;
  /** Writes what waits; called by ticks and at the end. Rejects when the database cannot write; nothing is lost then. */
  flush(): Promise<void>;
}

export interface AuditTrailOptions {
  readonly store: Store;
  /** The property `auditTrailIncludeReads`. */
  readonly includeReads: () => boolean;
  /** The property `auditTrailIncludeBody`. */
  readonly includeBody: () => boolean;
  /** Told of a write that failed and will be tried again, and of entries that had to be dropped. */
  readonly failed: (error: unknown, dropped: number) => void;
}

/** Entries that wait at most; the oldest are dropped beyond. */
export const mostWaiting = 10_000;
/** So many are written without waiting for a tick. */
const flushAt = 100;

interface OpenRecord {
  readonly entry: (status: number) => AuditEntry;
  written: boolean;
}

const reading: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Where bodies hold passwords or other secrets. */
const secretBodies = [
  /^\/user(\/[^/]+)?$/,
  /^\/user\/[^/]+\/(password|validate)(\/|$)/,
  /^\/configuration\/auth$/,
  /notification/,
  /^\/storage/,
  /^\/resource/,
];

/** Makes the audit trail and lets it see the store's changes. */
export function createAuditTrail(options: AuditTrailOptions): AuditTrail {
  const { store, failed } = options;
  const open = new Map<string, OpenRecord>();
  let waiting: AuditEntry[] = [];
  let flushing: Promise<void> | undefined;

  store.observe((change) => writeWith(change, open.get(change.actor.requestId ?? "")));

  /** Lets entries wait, oldest first. */
  function wait(entries: readonly AuditEntry[]): void {
    const dropped = Math.max(0, entries.length - mostWaiting);
    waiting = entries.slice(dropped);
    if (dropped > 0) failed(undefined, dropped);
  }

  async function writeWaiting(): Promise<void> {
    const entries = waiting;
    waiting = [];
    try {
      await store.change({ userName: "system" }).add(insertion(entries)).commit();
    } catch (error) {
      wait([...entries, ...waiting]);
      throw error;
    }
  }

  function flush(): Promise<void> {
    if (waiting.length === 0) return flushing ?? Promise.resolve();
    flushing ??= writeWaiting().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  return {
    wantsBody: (request) =>
      !reading.has(request.method) &&
      options.includeBody() &&
      Number(request.header("content-length") ?? Number.NaN) <= longestBody &&
      /^(text\/|application\/(json|xml)\b)/i.test(request.header("content-type") ?? "") &&
      !secretBodies.some((pattern) => pattern.test(request.path)),

    begin(request, body) {
      if (reading.has(request.method) && !options.includeReads()) return false;
      const entry = entryOf(request, store.now(), body);
      open.set(request.requestId, { entry, written: false });
      return true;
    },

    end(requestId, status) {
      const record = open.get(requestId);
      if (record === undefined) return undefined;
      open.delete(requestId);
      if (record.written) return undefined;
      if (waiting.length >= mostWaiting) wait([...waiting, record.entry(status)]);
      else waiting.push(record.entry(status));
      if (store.database.isolated) return flush();
      if (waiting.length >= flushAt) flush().catch((error: unknown) => failed(error, 0));
      return undefined;
    },

    async flush() {
      await flushing;
      await flush();
    },
  };
}

/** The first change of a request carries its entry. */
function writeWith(change: Change, record: OpenRecord | undefined): void {
  if (record === undefined || record.written) return;
  change.add(insertion([record.entry(200)])).onCommit(() => {
    record.written = true;
  });
}
