import { KinoraError } from "../errors.ts";
import type { Dispatcher, DispatcherOptions } from "../http/dispatcher.ts";
import { asKinoraError, errorResponse } from "../http/error-response.ts";
import { withRequestId } from "../http/request-id.ts";
import type { AuditTrail } from "../identity/audit-trail.ts";
import { longestName } from "../identity/names.ts";
import { runAsName } from "../identity/run-as.ts";
import { accessLogIsOn, logAccess } from "../logging/access-log.ts";
import type { CorsRules } from "../operations/cors.ts";
import type { RefusalOptions, Subject } from "../plugin/contract.ts";
import { canonicalTarget } from "../security/canonical-path.ts";
import type { PipelineOutcome, SecurityPipeline } from "../security/pipeline.ts";
import type { Connection } from "./connection.ts";
import { type Authenticated, Incoming } from "./incoming.ts";

/** What answering requests depends on. */
export interface AnsweringDeps {
  readonly pipeline: SecurityPipeline;
  readonly dispatcher: Dispatcher;
  /** Acts for the user that a RunAs header names. */
  readonly runAs: (subject: Subject, header: string) => Subject | Promise<Subject>;
  /** The rules for pages of other origins, as they are now. */
  readonly cors: () => CorsRules | undefined;
  readonly audit: AuditTrail;
  /** Reads the configuration anew where it has changed. */
  readonly refresh: () => Promise<void> | undefined;
  /** The namespace of XML answers. */
  readonly namespace: string;
  readonly nextRequestId: () => string;
  readonly onDefect: DispatcherOptions["onDefect"];
}

/** Answers requests. Never throws and never rejects; answers without a promise when nothing had to be waited for. */
export type Answering = (request: Request, connection?: Connection) => Response | Promise<Response>;

const noConnection: Connection = {};

/** The walk of a request: canonical path, security chain, RunAs, route. */
export function createAnswering(deps: AnsweringDeps): Answering {
  const { pipeline, dispatcher, runAs, cors, audit, namespace, nextRequestId } = deps;
  const openFirstSegments = new Set(
    dispatcher.routes.filter((route) => route.open).map((route) => route.path.split("/")[1]),
  );

  function fail(thrown: unknown, incoming: Incoming): Response {
    const error = asKinoraError(thrown);
    const { requestId, challenge, method, path } = incoming;
    if (error.code === "internal-server") deps.onDefect(error.cause ?? error, { requestId, method, path });
    return errorResponse(error, { accept: incoming.header("accept"), requestId, namespace, challenge });
  }

  function refuse(
    status: 400 | 401 | 403 | 429 | 503,
    options: RefusalOptions | undefined,
    incoming: Incoming,
  ): Response {
    const explanation = options?.message === undefined ? undefined : { explanation: options.message };
    const headers = options?.headers === undefined ? undefined : { headers: options.headers };
    return fail(new KinoraError(refusals[status], { ...explanation, ...headers }), incoming);
  }

  function admit(outcome: PipelineOutcome, incoming: Incoming): Response | Promise<Response> {
    if ("headers" in outcome) return withRequestId(outcome, incoming.requestId);
    incoming.subject = outcome.subject;
    incoming.challenge = outcome.challenge;
    const named = incoming.header("runas");
    if (named === undefined) return perform(incoming);
    if (outcome.subject === undefined) throw new KinoraError("not-authenticated");
    let subject: Subject | Promise<Subject>;
    try {
      subject = runAs(outcome.subject, named);
    } catch (thrown) {
      return refuseToRunAs(named, outcome.subject, incoming, thrown);
    }
    if (!(subject instanceof Promise)) return performAs(subject, incoming);
    const caller = outcome.subject;
    return subject.then(
      (settled) => performAs(settled, incoming),
      (thrown: unknown) => refuseToRunAs(named, caller, incoming, thrown),
    );
  }

  /** What was asked for in another's name and refused is on record like any refusal, with both names. */
  function refuseToRunAs(
    named: string,
    { callerName }: Subject,
    incoming: Incoming,
    thrown: unknown,
  ): Response | Promise<Response> {
    const { requestId, method, path, target, matrix } = incoming;
    const subject = { callerName, userName: runAsName(named).slice(0, longestName) };
    const header = (name: string) => incoming.header(name);
    audit.begin({ requestId, method, path, target, matrix, subject, header });
    return performed(incoming, fail(thrown, incoming));
  }

  function performAs(subject: Subject, incoming: Incoming): Response | Promise<Response> {
    incoming.subject = subject;
    return perform(incoming);
  }

  function perform(incoming: Incoming): Response | Promise<Response> {
    if (!incoming.hasSubject()) return dispatcher.dispatch(incoming.raw, incoming);
    if (audit.wantsBody(incoming)) return performWithBody(incoming);
    const recorded = audit.begin(incoming);
    const response = dispatcher.dispatch(incoming.raw, incoming);
    return recorded ? performed(incoming, response) : response;
  }

  async function performWithBody(incoming: Authenticated): Promise<Response> {
    audit.begin(incoming, await incoming.raw.clone().text());
    return performed(incoming, dispatcher.dispatch(incoming.raw, incoming));
  }

  function performed(incoming: Incoming, response: Response | Promise<Response>): Response | Promise<Response> {
    if (response instanceof Promise) return response.then((settled) => performed(incoming, settled));
    const written = audit.end(incoming.requestId, response.status);
    return written === undefined ? response : written.then(() => response);
  }

  function secured(incoming: Incoming): Response | Promise<Response> {
    const outcome = pipeline.run(incoming);
    return outcome instanceof Promise ? outcome.then((settled) => admit(settled, incoming)) : admit(outcome, incoming);
  }

  function walk(incoming: Incoming): Response | Promise<Response> {
    incoming.read(canonicalTarget(incoming.target));
    const refreshing = deps.refresh();
    return refreshing === undefined ? routed(incoming) : refreshing.then(() => routed(incoming));
  }

  function routed(incoming: Incoming): Response | Promise<Response> {
    const { segments, path } = incoming;
    const rules = cors();
    const preflight = rules?.preflight(incoming);
    if (preflight !== undefined) return preflight;
    const isOpen = openFirstSegments.has(segments[0]) && dispatcher.isOpen(path);
    return isOpen ? dispatcher.dispatch(incoming.raw, incoming) : secured(incoming);
  }

  /** What every answer gets, also one of an error: the headers of CORS, and its line in the log. */
  function finish(incoming: Incoming, response: Response, logs: boolean): Response {
    // A refusal before any route, and what a filter answers itself, still has the body that HEAD must not have.
    const bare = incoming.method === "HEAD" && response.body !== null ? new Response(null, response) : response;
    const answer = cors()?.decorate(incoming, bare) ?? bare;
    return logs ? logAnswer(incoming, answer) : answer;
  }

  return (request, connection = noConnection) => {
    const logs = accessLogIsOn();
    const incoming = new Incoming(request, connection, nextRequestId(), logs ? performance.now() : 0, refuse);
    let response: Response | Promise<Response>;
    try {
      response = walk(incoming);
    } catch (thrown) {
      response = fail(thrown, incoming);
    }
    if (!(response instanceof Promise)) return finish(incoming, response, logs);
    return response
      .catch((thrown: unknown) => fail(thrown, incoming))
      .then((settled) => finish(incoming, settled, logs));
  };
}

const refusals = {
  400: "invalid-input",
  401: "not-authenticated",
  403: "forbidden",
  429: "too-many-requests",
  503: "unavailable",
} as const;

function logAnswer(incoming: Incoming, response: Response): Response {
  const { method, target, subject, requestId, remoteAddress, startedAt } = incoming;
  logAccess({
    method,
    target,
    status: response.status,
    durationMs: performance.now() - startedAt,
    userName: subject?.callerName,
    runAs: subject !== undefined && subject.userName !== subject.callerName ? subject.userName : undefined,
    requestId,
    remoteAddress,
  });
  return response;
}
