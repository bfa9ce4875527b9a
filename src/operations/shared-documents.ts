import type { PluginLog, SharedDocument, SharedDocumentOptions, SharedDocuments } from "../plugin/contract.ts";
import type { Store } from "../store/store.ts";

const versionName = "shared-document";
/** How long one instance may take to fetch before another tries. */
const leaseMs = 30_000;
/** Early refreshes that may follow each other at once; one more for each pause. */
const earlyRefreshes = 3;
const earlyRefreshPauseMs = 30_000;
/** A fetch that failed is tried again after this time, or after the interval when that is shorter. */
const retryAfterMs = 60_000;

/** A document as it is kept for all instances. */
interface Row {
  readonly value: string | undefined;
  readonly version: number;
  /** When it was fetched, and when a fetch last failed; epoch milliseconds. */
  readonly fetched: number | undefined;
  readonly failed: number | undefined;
  readonly failure: string | undefined;
}

const nothing: Row = { value: undefined, version: 0, fetched: undefined, failed: undefined, failure: undefined };

export interface KeptDocuments extends SharedDocuments {
  /** Fetches what is due, on one instance at a time. Gives the milliseconds until the next is due. */
  tick(): Promise<number>;
}

/**
 * Keeps documents of other systems (key sets, federation metadata) for all instances: one instance fetches, under a
 * lease, all read the database. A fetch that fails leaves the last good document in use.
 */
export function createSharedDocuments(store: Store, log: PluginLog): KeptDocuments {
  const kept = new Set<Kept>();
  return {
    keep(name, options) {
      const document = new Kept(store, log, { name, ...options }, () => kept.delete(document));
      kept.add(document);
      return document;
    },
    async tick() {
      let next = Number.POSITIVE_INFINITY;
      for (const document of kept) next = Math.min(next, await document.fetchWhenDue());
      return next;
    },
  };
}

class Kept implements SharedDocument {
  readonly #store: Store;
  readonly #log: PluginLog;
  readonly #name: string;
  readonly #options: SharedDocumentOptions;
  readonly release: () => void;
  #row: Row = nothing;
  #seen = Number.NaN;
  #reading: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  #early = { left: earlyRefreshes, at: 0 };

  constructor(
    store: Store,
    log: PluginLog,
    options: SharedDocumentOptions & { readonly name: string },
    release: () => void,
  ) {
    this.#store = store;
    this.#log = log;
    this.#name = options.name;
    this.#options = options;
    this.release = release;
  }

  get current(): { readonly value: string; readonly version: number } | undefined {
    if (this.#store.versions.current(versionName) !== this.#seen) void this.#readBehind();
    const { value, version } = this.#row;
    return value === undefined ? undefined : { value, version };
  }

  get failure(): string | undefined {
    return this.#row.failure;
  }

  async ready(): Promise<void> {
    await this.#read();
    if (this.#row.value === undefined) await this.#fetch();
  }

  refresh(): Promise<void> {
    // On Workers one request must not wait for the promise of another.
    if (this.#store.database.isolated) return this.#mayRefresh() ? this.#fetchUnlessNewer() : Promise.resolve();
    if (this.#refreshing === undefined && this.#mayRefresh()) {
      this.#refreshing = this.#fetchUnlessNewer().finally(() => {
        this.#refreshing = undefined;
      });
    }
    return this.#refreshing ?? Promise.resolve();
  }

  async fetchWhenDue(): Promise<number> {
    const wait = this.#dueAt() - this.#store.now();
    if (wait > 0) return wait;
    await this.#read();
    if (this.#dueAt() <= this.#store.now()) await this.#fetch();
    return Math.max(1000, this.#dueAt() - this.#store.now());
  }

  #dueAt(): number {
    const { fetched, failed } = this.#row;
    const interval = this.#options.everySeconds * 1000;
    const regular = fetched === undefined ? 0 : fetched + interval;
    const again = failed === undefined ? 0 : failed + Math.min(retryAfterMs, interval);
    return Math.max(regular, again);
  }

  #mayRefresh(): boolean {
    const now = this.#store.now();
    const gained = Math.floor(Math.max(0, now - this.#early.at) / earlyRefreshPauseMs);
    if (gained > 0) this.#early = { left: Math.min(earlyRefreshes, this.#early.left + gained), at: now };
    if (this.#early.left === 0) return false;
    this.#early.left -= 1;
    return true;
  }

  /** What another instance has fetched meanwhile is as good. */
  async #fetchUnlessNewer(): Promise<void> {
    const { version } = this.#row;
    await this.#read();
    if (this.#row.version === version) await this.#fetch();
  }

  /** Fetches under the lease; when another instance has it, reads what that one has made of it. */
  async #fetch(): Promise<void> {
    const lease = await this.#store.leases.claim(`shared-document:${this.#name}`, leaseMs);
    if (lease === undefined) return this.#read();
    try {
      const value = await this.#options.load();
      await this.#write({ ...this.#row, value, fetched: this.#store.now(), failed: undefined, failure: undefined });
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      this.#log.warn("A shared document could not be fetched; the last good one stays in use", {
        document: this.#name,
        reason: failure,
      });
      await this.#write({ ...this.#row, failed: this.#store.now(), failure });
    } finally {
      await lease.release();
    }
  }

  async #write(row: Row): Promise<void> {
    const change = this.#store.change({ userName: "system" });
    this.#store.versions.bump(change, versionName);
    change.add({
      sql: `insert into shared_document (name, value, version, fetched, failed, failure) values (?, ?, 1, ?, ?, ?)
        on conflict (name) do update set version = version + (value is not excluded.value), value = excluded.value,
          fetched = excluded.fetched, failed = excluded.failed, failure = excluded.failure`,
      args: [this.#name, row.value ?? null, row.fetched ?? null, row.failed ?? null, row.failure ?? null],
    });
    await change.commit();
    await this.#read();
  }

  async #read(): Promise<void> {
    const seen = this.#store.versions.current(versionName);
    const [row] = await this.#store.query({
      sql: "select value, version, fetched, failed, failure from shared_document where name = ?",
      args: [this.#name],
    });
    this.#seen = seen;
    if (row === undefined) return;
    this.#row = {
      value: row.value === null ? undefined : String(row.value),
      version: Number(row.version),
      fetched: row.fetched === null ? undefined : Number(row.fetched),
      failed: row.failed === null ? undefined : Number(row.failed),
      failure: row.failure === null ? undefined : String(row.failure),
    };
  }

  /** Reads behind the caller's back; what is known stays in use when it fails. */
  #readBehind(): Promise<void> {
    this.#reading ??= this.#read()
      .catch((error: unknown) => this.#log.warn("Shared documents cannot be read", { error }))
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }
}
