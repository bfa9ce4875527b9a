import { KinoraError } from "../errors.ts";

/** Why a database cannot be used now. */
export type UnavailableReason =
  | "busy"
  | "full"
  | "read-only"
  | "damaged"
  | "file"
  | "closed"
  | "refused"
  | "unreachable"
  | "lost";

/** The kinds of constraint that a statement can break. */
export type ConstraintKind = "unique" | "check" | "not-null" | "foreign-key" | "type" | "other";

const unavailable: Readonly<Record<UnavailableReason, { readonly explanation: string; readonly retryAfter: number }>> =
  {
    busy: { explanation: "The database is busy with other writes", retryAfter: 1 },
    full: { explanation: "The database's disk is full", retryAfter: 60 },
    "read-only": { explanation: "The database does not accept writes", retryAfter: 60 },
    damaged: { explanation: "The database file is damaged or is not a database", retryAfter: 60 },
    file: { explanation: "The database file cannot be opened, read or written", retryAfter: 30 },
    closed: { explanation: "The service is shutting down", retryAfter: 5 },
    refused: {
      explanation: "The database server refuses the request; its address or token may be wrong",
      retryAfter: 30,
    },
    unreachable: { explanation: "The database server cannot be reached", retryAfter: 5 },
    lost: { explanation: "The connection to the database was lost", retryAfter: 5 },
  };

/**
 * The database cannot answer now: 503 with `Retry-After`. `outcome` says whether a write can have happened all the
 * same: `unknown` only when the connection broke after the statements were sent.
 */
export class DatabaseUnavailable extends KinoraError {
  readonly reason: UnavailableReason;
  readonly outcome: "not-written" | "unknown";

  constructor(reason: UnavailableReason, cause?: unknown) {
    const { explanation, retryAfter } = unavailable[reason];
    super("unavailable", { explanation, headers: { "Retry-After": String(retryAfter) } }, { cause });
    this.reason = reason;
    this.outcome = reason === "lost" ? "unknown" : "not-written";
  }
}

/** A constraint of a table does not hold; nothing of the batch was written. */
export class ConstraintError extends Error {
  override readonly name = "ConstraintError";
  readonly kind: ConstraintKind;
  /** `table.column` (several joined by `, `) or the constraint's name, where the database tells. */
  readonly constraint: string | undefined;
  /** Which statement of the batch failed, from 0, where the database tells. */
  readonly statementIndex: number | undefined;

  constructor(kind: ConstraintKind, constraint: string | undefined, statementIndex: number | undefined, cause: Error) {
    super(cause.message, { cause });
    this.kind = kind;
    this.constraint = constraint;
    this.statementIndex = statementIndex;
  }
}

/** The parts of a client's error that tell what happened. */
interface ClientError extends Error {
  readonly code: string;
  readonly statementIndex?: number;
}

const reasonOfCode: Readonly<Record<string, UnavailableReason>> = {
  SQLITE_BUSY: "busy",
  SQLITE_LOCKED: "busy",
  SQLITE_FULL: "full",
  SQLITE_READONLY: "read-only",
  BLOCKED: "read-only",
  SQLITE_CORRUPT: "damaged",
  SQLITE_NOTADB: "damaged",
  SQLITE_IOERR: "file",
  SQLITE_CANTOPEN: "file",
  SQLITE_PERM: "file",
  SQLITE_PROTOCOL: "busy",
  SQLITE_NOMEM: "file",
  HRANA_WEBSOCKET_ERROR: "lost",
  HRANA_CLOSED_ERROR: "lost",
  HRANA_PROTO_ERROR: "lost",
  PROTOCOL_VERSION_ERROR: "refused",
  STREAM_EXPIRED: "lost",
  TRANSACTION_BUSY: "busy",
  TRANSACTION_TIMEOUT: "busy",
  CLIENT_CLOSED: "lost",
  UNKNOWN: "lost",
  INTERNAL_ERROR: "lost",
};

/** Texts by which a server tells a failure for which it has no code of its own. */
const reasonOfText: readonly (readonly [RegExp, UnavailableReason])[] = [
  [/database or disk is full|no space left/i, "full"],
  [/database is locked|database table is locked/i, "busy"],
  [/attempt to write a readonly database|writes are blocked/i, "read-only"],
  [/disk I\/O error|unable to open/i, "file"],
  [/malformed|file is not a database/i, "damaged"],
];

/**
 * Turns what a client threw into what the store's callers see: {@link DatabaseUnavailable}, {@link ConstraintError},
 * or the error itself when the statement is at fault.
 */
export function databaseFault(error: unknown): unknown {
  if (error instanceof KinoraError || error instanceof ConstraintError) return error;
  if (!isClientError(error))
    return isConnectionFailure(error) ? new DatabaseUnavailable(connectionReason(error), error) : error;
  if (error.code === "SQLITE_CONSTRAINT" || /constraint failed/.test(error.message)) return constraintError(error);
  if (error.code === "SERVER_ERROR") return new DatabaseUnavailable(serverReason(error), error);
  if (error.code.startsWith("AUTH_")) return new DatabaseUnavailable("refused", error);
  const reason = reasonOfCode[error.code] ?? reasonOfText.find(([pattern]) => pattern.test(error.message))?.[1];
  if (reason === undefined) return error;
  return new DatabaseUnavailable(reason === "lost" ? connectionReason(error) : reason, error);
}

function isClientError(error: unknown): error is ClientError {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

function constraintError(error: ClientError): ConstraintError {
  const failed = /(UNIQUE|CHECK|NOT NULL|FOREIGN KEY) constraint failed(?:: (.+))?$/.exec(error.message);
  const kind: ConstraintKind =
    failed !== null
      ? ((failed[1] ?? "").toLowerCase().replace(" ", "-") as ConstraintKind)
      : /cannot store/.test(error.message)
        ? "type"
        : "other";
  return new ConstraintError(kind, failed?.[2], error.statementIndex, error);
}

/** A gateway's 5xx can come after the server has written; a 4xx is said before anything runs. */
function serverReason(error: ClientError): UnavailableReason {
  const status = /HTTP status (\d{3})/.exec(error.message)?.[1];
  if (status === "429") return "busy";
  return status?.startsWith("4") ? "refused" : "lost";
}

/** What the `fetch` of Node, Deno and workerd says when a connection fails, before or in the middle of an answer. */
const connectionTexts =
  /^(fetch failed|terminated|error sending request|(client )?error \(|error (reading|decoding)|connection |network |request or response body error|response (body )?closed|internal error)/i;

/** An abort or time-out is a DOMException, a cut JSON text a SyntaxError. */
function isConnectionFailure(error: unknown): error is Error {
  if (error instanceof DOMException) return error.name === "AbortError" || error.name === "TimeoutError";
  return error instanceof SyntaxError || (error instanceof Error && connectionTexts.test(error.message));
}

/** A connection that never came to be has carried nothing. */
function connectionReason(error: Error): UnavailableReason {
  const texts = [error.message];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    texts.push(cause.message, "code" in cause ? String(cause.code) : "");
  }
  return /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|connection refused|failed to connect|dns error/i.test(
    texts.join(" "),
  )
    ? "unreachable"
    : "lost";
}
