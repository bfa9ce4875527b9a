/** What an entry of the error table says. */
export interface ErrorEntry {
  readonly status: number;
  /** The one child of an ExceptionDocument that this error becomes. */
  readonly child:
    | "notFound"
    | "invalidInput"
    | "conflict"
    | "forbidden"
    | "notAuthorized"
    | "licenseFault"
    | "internalServer"
    | "fileAlreadyExists"
    | "notYetImplemented";
  /** What happened, for a person. Sentence case, no final period. */
  readonly sentence: string;
  /** What to do about it; becomes the body of the error's page. */
  readonly help: string;
}

/**
 * Every error that an answer can carry, by code. The pages of `docs/errors.md`, the `type` of problem documents and
 * the status of answers come from this table alone.
 */
export const errorTable = {
  "not-found": {
    status: 404,
    child: "notFound",
    sentence: "A resource could not be found",
    help: "Check the identifier and its entity type. An identifier is unique only within its entity type, and a caller without read access is told the same as for an entity that does not exist.",
  },
  "no-such-path": {
    status: 404,
    child: "notFound",
    sentence: "No resource is served at this path",
    help: "Check the path against the API guide. Paths are case-sensitive; `/API` in front is optional.",
  },
  "invalid-input": {
    status: 400,
    child: "invalidInput",
    sentence: "An invalid parameter was entered",
    help: "The explanation names the parameter, field or element and the rule that it breaks. Nothing was written.",
  },
  "invalid-path": {
    status: 400,
    child: "invalidInput",
    sentence: "The path of the request cannot be read unambiguously",
    help: "Paths with dot segments, broken percent-encoding, NUL or control characters are refused before anything else looks at them. Encode the identifier once, as one path segment.",
  },
  "invalid-xml": {
    status: 400,
    child: "invalidInput",
    sentence: "The XML document cannot be read",
    help: "The explanation gives line and column. Documents are UTF-8 or declare their encoding, have no DTD, and stay within the limits for depth, attributes and nodes.",
  },
  "invalid-json": {
    status: 400,
    child: "invalidInput",
    sentence: "The JSON document cannot be read",
    help: "The explanation gives the place. A document is a bare object without the root name; repeatable elements are arrays.",
  },
  "unknown-element": {
    status: 400,
    child: "invalidInput",
    sentence: "The document has an element that is not known here",
    help: "Check the spelling of the element named in the explanation against /API/schema.xsd. Unknown elements are refused so that a misspelt one is never lost in silence.",
  },
  "invalid-value": {
    status: 400,
    child: "invalidInput",
    sentence: "A value does not have the type or form that its place needs",
    help: "The explanation names the place, the value and what is expected there.",
  },
  conflict: {
    status: 409,
    child: "conflict",
    sentence: "The request conflicts with the present state",
    help: "Something of this name exists already, or another writer was faster. Read the entity again and repeat the change if it is still wanted.",
  },
  "file-already-exists": {
    status: 409,
    child: "fileAlreadyExists",
    sentence: "A file is known at this place already",
    help: "The answer names the file. With `createOnly=false` a request that registers a file is answered with the one that is known.",
  },
  "precondition-failed": {
    status: 412,
    child: "conflict",
    sentence: "The entity has changed since it was read",
    help: "The If-Match header names an entity tag that is no longer current. Read the entity again and repeat the change.",
  },
  "not-authenticated": {
    status: 401,
    child: "notAuthorized",
    sentence: "The request carries no valid credentials",
    help: "Send credentials that one of the realms in security.ini accepts. The answer is the same for an unknown user, a wrong password and a disabled user.",
  },
  forbidden: {
    status: 403,
    child: "forbidden",
    sentence: "The caller may not do this",
    help: "The explanation names the role or permission that is missing.",
  },
  "run-as-refused": {
    status: 403,
    child: "forbidden",
    sentence: "The RunAs header is refused",
    help: "The caller needs the role _administrator or _runas and the Run-As option (`runAsEnabled`) on its account, and the user named in the header must exist and be enabled.",
  },
  "no-chain": {
    status: 403,
    child: "forbidden",
    sentence: "No rule of security.ini allows this path",
    help: "A path that no line of [urls] matches is refused. Run `kinora check --url PATH` to see which chain a path gets.",
  },
  "not-acceptable": {
    status: 406,
    child: "invalidInput",
    sentence: "The resource has no representation that the Accept header allows",
    help: "Most documents are offered as application/xml and application/json, some as text/plain.",
  },
  "method-not-allowed": {
    status: 405,
    child: "invalidInput",
    sentence: "The resource does not support this method",
    help: "The Allow header lists the methods that it supports.",
  },
  "unsupported-media-type": {
    status: 415,
    child: "invalidInput",
    sentence: "The body is of a type that cannot be read here",
    help: "Send application/xml or application/json with a matching Content-Type, or text/plain where the resource takes text.",
  },
  "too-large": {
    status: 413,
    child: "invalidInput",
    sentence: "The request is larger than allowed",
    help: "Documents are limited to 16 MiB by default. The explanation names the limit and its setting.",
  },
  "body-timeout": {
    status: 408,
    child: "invalidInput",
    sentence: "The body of the request came too slowly",
    help: "A body must bring at least 1 KiB a second, measured over the setting bodyTimeoutSeconds. Send the request again on a better connection.",
  },
  "too-many-requests": {
    status: 429,
    child: "forbidden",
    sentence: "Too many failed attempts",
    help: "Wait as long as Retry-After says. Failed logins are counted for an address, and for a user at an address; never for a user alone.",
  },
  "internal-server": {
    status: 500,
    child: "internalServer",
    sentence: "The server failed to answer",
    help: "This is a defect. The log has the cause under the request id of the answer's X-Request-Id header.",
  },
  "not-yet-implemented": {
    status: 501,
    child: "notYetImplemented",
    sentence: "This part of the API is not implemented",
    help: "The API guide lists what is offered and what is left out on purpose.",
  },
  unavailable: {
    status: 503,
    child: "internalServer",
    sentence: "The service cannot answer now",
    help: "Something the service depends on (its database, or a realm's directory) does not answer. Retry as Retry-After says; `kinora doctor` and the log name what it is.",
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

/** The closed union of error codes. */
export type ErrorCode = keyof typeof errorTable;

/** What an error says of its place; the fields that the error's document child has are sent. */
export interface ErrorDetails {
  /** Kind of entity, for not-found errors: `Item`, `Collection`, `shape-tag` … */
  readonly type?: string;
  readonly id?: string;
  readonly context?: string;
  /** One sentence of what exactly is wrong. */
  readonly explanation?: string;
  readonly value?: string;
  /** Headers of the answer, for example `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error with a code of {@link errorTable}: what domains throw and answers carry. `message` is one sentence for a
 * person, `status` the status of an answer, `details` name the entity.
 *
 * @example
 * ```ts
 * import { createService, KinoraError } from "kinora";
 *
 * try {
 *   await createService({ databaseUrl: "http://127.0.0.1:1" });
 * } catch (error) {
 *   if (!(error instanceof KinoraError)) throw error;
 *   console.log(error.code, error.status); // unavailable 503
 * }
 * ```
 */
export class KinoraError extends Error {
  override readonly name = "KinoraError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(details.explanation ?? errorTable[code].sentence, options);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}
