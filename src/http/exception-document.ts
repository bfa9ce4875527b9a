import { choice, document, type Infer, object, text } from "../documents/declare.ts";
import { type ErrorEntry, errorTable, type KinoraError } from "../errors.ts";

const explained = { context: text(), id: text(), explanation: text(), value: text() };
const message = { message: text() };

/** The fields of each kind of error, in the order in which the JSON form lists the kinds. */
const kinds = {
  notFound: object("NotFoundExceptionType", { type: text(), id: text(), context: text() }),
  internalServer: object("InternalServerExceptionType", message),
  forbidden: object("ForbiddenExceptionType", { context: text(), id: text(), explanation: text() }),
  notYetImplemented: object("NotYetImplementedExceptionType", {}),
  conflict: object("ConflictExceptionType", explained),
  invalidInput: object("InvalidInputExceptionType", explained),
  licenseFault: object("LicenseExceptionType", message),
  fileAlreadyExists: object("FileAlreadyExistsExceptionType", { storageId: text(), fileId: text(), path: text() }),
  notAuthorized: object("NotAuthorizedExceptionType", message),
} as const;

type Kind = ErrorEntry["child"];

/** What every error is answered with: one child, named by the kind of error. */
export const ExceptionDocument = document("ExceptionDocument", choice(kinds, { required: true }));

/** What an error tells of itself, by the names that the documents use. */
type Told = Readonly<Record<string, string | undefined>>;

function told(error: KinoraError, requestId: string): Told {
  const { type, id, context, explanation, value } = error.details;
  const sentence = explanation ?? errorTable[error.code].sentence;
  const message = error.code === "internal-server" ? `See the log under the request id ${requestId}` : sentence;
  return { type, id, context, explanation: sentence, value, message, storageId: context, fileId: id, path: value };
}

/** An error as an {@link ExceptionDocument}. */
export function exceptionOf(error: KinoraError, requestId: string): Infer<typeof ExceptionDocument> {
  const kind: Kind = errorTable[error.code].child;
  const all = told(error, requestId);
  const fields = Object.keys(kinds[kind].members).map((name) => [name, all[name]]);
  return { [kind]: Object.fromEntries(fields) };
}

/** An error as JSON: all nine kinds and all fields of the one that it is, what is not used `null`. */
export function exceptionInJson(error: KinoraError, requestId: string): string {
  const kind: Kind = errorTable[error.code].child;
  const all = told(error, requestId);
  const fields = Object.keys(kinds[kind].members).map((name) => [name, all[name] ?? null]);
  const entries = Object.keys(kinds).map((name) => [name, name === kind ? Object.fromEntries(fields) : null]);
  return JSON.stringify(Object.fromEntries(entries));
}

const labels = [
  ["type", "Type"],
  ["context", "Context"],
  ["id", "ID"],
  ["explanation", "Reason"],
  ["value", "Value"],
  ["message", "Reason"],
] as const;

/** An error as text: status and sentence, then one line for each thing that is known of it. */
export function exceptionInText(error: KinoraError, requestId: string): string {
  const { status, sentence, child } = errorTable[error.code];
  const all = told(error, requestId);
  const shown = labels.filter(([name]) => name in kinds[child].members && all[name] !== undefined);
  const lines = shown.map(([name, label]) => `${label}: ${all[name]?.replace(/[\r\n]+/g, " ")}`);
  return [`${status} ${sentence}`, ...lines].map((line) => `${line}\r\n`).join("");
}

/** An error as a problem document (RFC 9457). */
export function problemDetails(error: KinoraError, requestId: string): string {
  const { status, sentence } = errorTable[error.code];
  const { explanation, type, id, context, value } = error.details;
  return JSON.stringify({
    type: `urn:kinora:error:${error.code}`,
    title: sentence,
    status,
    detail: error.code === "internal-server" ? undefined : explanation,
    code: error.code,
    entityType: type,
    id,
    context,
    value,
    requestId,
  });
}
