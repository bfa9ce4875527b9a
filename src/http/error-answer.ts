import { writeXml } from "../documents/write-xml.ts";
import { KinoraError } from "../errors.ts";
import { PlainAnswer, plainText } from "./answer.ts";
import {
  ExceptionDocument,
  exceptionInJson,
  exceptionInText,
  exceptionOf,
  problemDetails,
} from "./exception-document.ts";
import { negotiate } from "./negotiate.ts";

const offers = ["application/xml", "text/xml", "application/json", "text/plain"] as const;
/** Offered, and then first, only to clients that name it. */
const problem = "application/problem+json";
type Form = (typeof offers)[number] | typeof problem;

/** A request that failed. */
export interface FailedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** `WWW-Authenticate` of a 401 whose error names none. */
  readonly challenge?: string | undefined;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
}

export interface FailureOptions {
  /** The namespace of XML answers. */
  readonly namespace: string;
  /** Told of every defect (500), with its cause; the answer says nothing of it. */
  readonly onDefect: (cause: unknown, context: { requestId: string; method: string; path: string }) => void;
}

/** What an error's answer depends on beside the error. */
interface ErrorContext extends Pick<FailedRequest, "requestId" | "challenge">, Pick<FailureOptions, "namespace"> {
  /** The request's Accept header. */
  readonly accept: string | undefined;
}

/** Makes what turns anything thrown into an answer: what has no code of its own is a defect. */
export function failures({ namespace, onDefect }: FailureOptions) {
  return (thrown: unknown, request: FailedRequest): PlainAnswer => {
    const error = thrown instanceof KinoraError ? thrown : new KinoraError("internal-server", {}, { cause: thrown });
    const { requestId, method, path, challenge } = request;
    if (error.code === "internal-server") onDefect(error.cause ?? error, { requestId, method, path });
    return errorAnswer(error, { accept: request.header("accept"), requestId, namespace, challenge });
  };
}

const defaultChallenge = 'Basic realm="Kinora"';

/** An error as an answer in the form that the client accepts; XML when it accepts none of them. */
function errorAnswer(error: KinoraError, context: ErrorContext): PlainAnswer {
  const { requestId } = context;
  const offered: readonly Form[] = context.accept?.includes(problem) ? [problem, ...offers] : offers;
  const type = negotiate(context.accept, offered) ?? "application/xml";
  const challenge = error.status === 401 ? { "www-authenticate": context.challenge ?? defaultChallenge } : undefined;
  const headers = {
    "content-type": type === "text/plain" ? plainText : type,
    "x-request-id": requestId,
    "cache-control": "no-store",
    ...challenge,
    ...lowerCased(error.details.headers),
  };
  return new PlainAnswer(error.status, headers, bodyOf(error, type, context));
}

function bodyOf(error: KinoraError, type: Form, { requestId, namespace }: ErrorContext): string {
  switch (type) {
    case "application/json":
      return exceptionInJson(error, requestId);
    case "text/plain":
      return exceptionInText(error, requestId);
    case "application/problem+json":
      return problemDetails(error, requestId);
    default:
      return writeXml(ExceptionDocument, exceptionOf(error, requestId), namespace);
  }
}

function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
