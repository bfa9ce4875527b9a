import { constantTimeEqual } from "../constant-time.ts";
import type { AccountSections, IdentityAccess, PluginContext, PluginLog, SharedDocument } from "../contract.ts";

/** A record that a plugin has written to its log. */
export interface TestLogRecord {
  readonly level: keyof PluginLog;
  readonly message: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A plugin context without a server: its log is kept, its `fetch` fails unless one is given. */
export interface TestContext extends PluginContext {
  /** What was logged, oldest first. */
  readonly records: readonly TestLogRecord[];
}

export interface TestContextOptions {
  /** The object's name. Default `tested`. */
  readonly name?: string;
  /** Default: the real time. */
  readonly now?: () => number;
  /** Default: fails, as when nothing can be reached. */
  readonly fetch?: typeof fetch;
  /** The service's users. Default: there are none. */
  readonly identity?: Partial<IdentityAccess>;
  /** Configuration documents by name. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** `[users]` and `[roles]`, for a realm with `sections`. */
  readonly accounts?: AccountSections;
  /** Where the plugin believes to run. Default `other`: neither sockets nor native code. */
  readonly runtime?: TestContext["runtime"];
}

/** Makes a context to create a plugin with. */
export function createTestContext(options: TestContextOptions = {}): TestContext {
  const records: TestLogRecord[] = [];
  const writer =
    (level: keyof PluginLog) =>
    (message: string, properties: Readonly<Record<string, unknown>> = {}) => {
      records.push({ level, message, properties });
    };
  const stored = options.configuration ?? {};
  return {
    name: options.name ?? "tested",
    log: { debug: writer("debug"), info: writer("info"), warn: writer("warn"), error: writer("error") },
    now: options.now ?? Date.now,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    fetch: options.fetch ?? (() => Promise.reject(new TypeError("Nothing can be reached in this test"))),
    constantTimeEqual,
    identity: {
      authenticate: () => "not mine",
      userState: () => Promise.resolve("unknown"),
      verifyHash: () => Promise.resolve(false),
      provisionUser: () => Promise.resolve(),
      ...options.identity,
    },
    configuration: {
      current: (name) => (Object.hasOwn(stored, name) ? { version: 1, value: stored[name] } : undefined),
    },
    shared: { keep: (_, shared) => keptHere(shared.load) },
    digest: (text) => text,
    runtime: options.runtime ?? "other",
    ...(options.accounts && { accounts: options.accounts }),
    records,
  };
}

/** Depth to which the properties of a log record are looked at. */
const deepest = 8;

/** Everything readable in a value: texts, numbers, keys, errors with their stack. */
function textOf(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null) return String(value);
  if (depth > deepest) return "";
  if (value instanceof Error) return `${value.stack ?? ""} ${value.message} ${textOf(value.cause, depth + 1)}`;
  if (value instanceof Map || value instanceof Set) return textOf([...value], depth + 1);
  return Object.entries(value)
    .map(([key, member]) => `${key} ${textOf(member, depth + 1)}`)
    .join(" ");
}

/** The first of the secrets that stands in a log record, as the sentence to report. Secrets under 4 characters are passed over. */
export function leakIn(records: readonly TestLogRecord[], secrets: readonly string[]): string | undefined {
  for (const { level, message, properties } of records) {
    const text = `${message} ${textOf(properties)}`;
    if (secrets.some((secret) => secret.length >= 4 && text.includes(secret))) {
      return `A ${level} record has a secret in it; its message begins with "${message.slice(0, 20)}"`;
    }
  }
  return undefined;
}

/** A shared document of this test alone, fetched when it is asked for. */
function keptHere(load: () => Promise<string>): SharedDocument {
  let current: SharedDocument["current"];
  let failure: string | undefined;
  const refresh = async (): Promise<void> => {
    try {
      const value = await load();
      current = { value, version: (current?.version ?? 0) + 1 };
      failure = undefined;
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
  };
  return {
    get current() {
      return current;
    },
    get failure() {
      return failure;
    },
    ready: refresh,
    refresh,
    release: () => undefined,
  };
}
