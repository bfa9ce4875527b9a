import { redactTarget, redactText } from "../logging/redact.ts";
import type { SqlValue, Statement } from "../store/database.ts";

/** A request as the audit trail sees it. */
export interface AuditedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The canonical path, without `/API`. */
  readonly path: string;
  /** Path and query as the client sent them. */
  readonly target: string;
  readonly matrix: readonly (readonly [name: string, value: string])[];
  readonly subject: { readonly userName: string; readonly callerName: string };
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
}

/** A row of the trail. */
export type AuditEntry = readonly SqlValue[];

/** Characters of the longest body that is kept. */
export const longestBody = 65_536;
const longestText = 4096;

/** Makes the entry of a request, given the status of its answer. */
export function entryOf(
  request: AuditedRequest,
  time: number,
  body: string | undefined,
): (status: number) => AuditEntry {
  const { subject, method, path, target, matrix, requestId } = request;
  const mark = target.indexOf("?");
  const length = Number(request.header("content-length") ?? Number.NaN);
  const parameters = matrix
    .map(([name, value]) => `;${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("");
  return (status) => [
    time,
    subject.callerName,
    subject.userName === subject.callerName ? null : subject.userName,
    method,
    redactText(path).slice(0, longestText),
    mark < 0 ? null : redactText(redactTarget(target.slice(mark))).slice(1, longestText),
    parameters === "" ? null : redactText(redactTarget(parameters)).slice(1, longestText),
    request.header("content-type")?.slice(0, 255) ?? null,
    Number.isSafeInteger(length) ? length : null,
    body?.slice(0, longestBody).replace(controls, "\uFFFD") ?? null,
    status,
    requestId,
  ];
}

/** Control characters that XML cannot write. */
const controls = /[^\P{Cc}\t\n\r]/gu;

const columns =
  "time, user_name, run_as, method, path, query, matrix, content_type, content_length, body, status, request_id";

/** The statement that writes entries. */
export function insertion(entries: readonly AuditEntry[]): Statement {
  const values = columns.split(", ").map((_, index) => `value ->> ${index}`);
  return {
    sql: `insert into audit (${columns}) select ${values.join(", ")} from json_each(?)`,
    args: [JSON.stringify(entries)],
  };
}
