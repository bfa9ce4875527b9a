import { getConfig, getLogger, type LogRecord } from "@logtape/logtape";
import { redactTarget } from "./redact.ts";

/** One answered request. */
export interface AccessEntry {
  readonly method: string;
  /** Path and query as the client sent them; the values of secret parameters are not written. */
  readonly target: string;
  readonly status: number;
  /** Milliseconds from the first look at the request to its answer. */
  readonly durationMs: number;
  /** The name that the caller authenticated with; absent when nobody did. */
  readonly userName?: string | undefined;
  /** The user that the request acted as, when it is another one. */
  readonly runAs?: string | undefined;
  readonly requestId: string;
  readonly remoteAddress?: string | undefined;
}

export const accessCategory = ["kinora", "access"] as const;
const logger = getLogger(accessCategory);

/** The configuration that was asked last, and what it said. */
let asked: { readonly configuration: unknown; readonly isOn: boolean } | undefined;

/** Whether access lines are written at all: ask before taking times for one. Asked anew for each configuration. */
export function accessLogIsOn(): boolean {
  const configuration = getConfig();
  if (asked === undefined || asked.configuration !== configuration) {
    asked = { configuration, isOn: logger.isEnabledFor("info") };
  }
  return asked.isOn;
}

/** Writes the access line of a request. */
export function logAccess(entry: AccessEntry): void {
  const { method, status, userName, runAs, requestId, remoteAddress } = entry;
  const path = redactTarget(entry.target);
  const properties: Record<string, unknown> = {
    method,
    path,
    status,
    durationMs: Math.round(entry.durationMs * 1000) / 1000,
  };
  if (userName !== undefined) properties.user = userName;
  if (runAs !== undefined) properties.runAs = runAs;
  properties.requestId = requestId;
  if (remoteAddress !== undefined) properties.address = remoteAddress;
  const message = `${method} ${path} ${status}`;
  // A whole record spares the template and its substitution, which cost more than all the rest of the line.
  const record: LogRecord = {
    category: accessCategory,
    level: "info",
    timestamp: Date.now(),
    message: [message],
    rawMessage: message,
    properties,
  };
  logger.emit(record);
}
