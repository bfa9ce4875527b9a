import { KinoraError } from "../errors.ts";
import { type Answer, responseOf, withoutBody } from "../http/answer.ts";
import type { Dispatcher } from "../http/dispatcher.ts";
import { type FailureOptions, failures } from "../http/error-answer.ts";
import { withRequestId } from "../http/request-id.ts";
import type { AuditTrail } from "../identity/audit-trail.ts";
import { longestName } from "../identity/names.ts";
import { runAsName } from "../identity/run-as.ts";
import { accessLogIsOn, logAccess } from "../logging/access-log.ts";
import type { CorsRules } from "../operations/cors.ts";
import type { RefusalOptions, Subject } from "../plugin/contract.ts";
import { canonicalTarget } from "../security/canonical-path.ts";
import type { PipelineOutcome, SecurityPipeline } from "../security/pipeline.ts";
import { type Authenticated, Incoming } from "./incoming.ts";
import type { ServerRequest } from "./server-request.ts";

/** What answering requests depends on. */
export interface AnsweringDeps extends FailureOptions {
  readonly pipeline: SecurityPipeline;
  readonly dispatcher: Dispatcher;
  /** Acts for the user that a RunAs header names. */
  readonly runAs: (subject: Subject, header: string) => Subject | Promise<Subject>;
  /** The rules for pages of other origins, as they are now. */
  readonly cors: () => CorsRules | undefined;
  readonly audit: AuditTrail;
  /** Reads the configuration anew where it has changed. */
  readonly refresh: () => Promise<void> | undefined;
  readonly nextRequestId: () => string;
}

/** Answers requests. Never throws and never rejects; answers without a promise when nothing had to be waited for. */
export type Answering = (request: ServerRequest) => Answer | Promise<Answer>;

/** The walk of a request: canonical path, security chain, RunAs, route. */
export function createAnswering(deps: AnsweringDeps): Answering {
  const { pipeline, dispatcher, runAs, cors, audit, nextRequestId } = deps;
  const fail = failures(deps);
  const openFirstSegments = new Set(
    dispatcher.routes.filter((route) => route.open).map((route) => route.path.split("/")[1]),
  );

  function refuse(
    status: 400 | 401 | 403 | 429 | 503,
    options: RefusalOptions | undefined,
    incoming: Incoming,
  ): Response {
    const explanation = options?.message === undefined ? undefined : { explanation: options.message };
    const headers = options?.headers === undefined ? undefined : { headers: options.headers };
    return responseOf(fail(new KinoraError(refusals[status], { ...explanation, ...headers }), incoming));
  }

  function admit(outcome: PipelineOutcome, incoming: Incoming): Answer | Promise<Answer> {
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
  ): Answer | Promise<Answer> {
    const { requestId, method, path, target, matrix } = incoming;
    const subject = { callerName, userName: runAsName(named).slice(0, longestName) };
    const header = (name: string) => incoming.header(name);
    audit.begin({ requestId, method, path, target, matrix, subject, header });
    return performed(incoming, fail(thrown, incoming));
  }

  function performAs(subject: Subject, incoming: Incoming): Answer | Promise<Answer> {
    incoming.subject = subject;
    return perform(incoming);
  }

  function perform(incoming: Incoming): Answer | Promise<Answer> {
    if (!incoming.hasSubject()) return dispatcher.dispatch(incoming);
    if (audit.wantsBody(incoming)) return performWithBody(incoming);
    const recorded = audit.begin(incoming);
    const answer = dispatcher.dispatch(incoming);
    return recorded ? performed(incoming, answer) : answer;
  }

  async function performWithBody(incoming: Authenticated): Promise<Answer> {
    audit.begin(incoming, await incoming.raw.clone().text());
    return performed(incoming, dispatcher.dispatch(incoming));
  }

  function performed(incoming: Incoming, answer: Answer | Promise<Answer>): Answer | Promise<Answer> {
    if (answer instanceof Promise) return answer.then((settled) => performed(incoming, settled));
    const written = audit.end(incoming.requestId, answer.status);
    return written === undefined ? answer : written.then(() => answer);
  }

  function secured(incoming: Incoming): Answer | Promise<Answer> {
    const outcome = pipeline.run(incoming);
    return outcome instanceof Promise ? outcome.then((settled) => admit(settled, incoming)) : admit(outcome, incoming);
  }

  function walk(incoming: Incoming): Answer | Promise<Answer> {
    incoming.read(canonicalTarget(incoming.target));
    const refreshing = deps.refresh();
    return refreshing === undefined ? routed(incoming) : refreshing.then(() => routed(incoming));
  }

  function routed(incoming: Incoming): Answer | Promise<Answer> {
    const { segments, path } = incoming;
    const rules = cors();
    const preflight = rules?.preflight(incoming);
    if (preflight !== undefined) return preflight;
    const isOpen = openFirstSegments.has(segments[0]) && dispatcher.isOpen(path);
    return isOpen ? dispatcher.dispatch(incoming) : secured(incoming);
  }

  /** What every answer gets, also one of an error: the headers of CORS, and its line in the log. */
  function finish(incoming: Incoming, answer: Answer, logs: boolean): Answer {
    // A refusal before any route, and what a filter answers itself, still has the body that HEAD must not have.
    const bare = incoming.method === "HEAD" ? withoutBody(answer) : answer;
    const decorated = cors()?.decorate(incoming, bare) ?? bare;
    if (logs) logAnswer(incoming, decorated.status);
    return decorated;
  }

  return (request) => {
    const logs = accessLogIsOn();
    const incoming = new Incoming(request, nextRequestId(), logs ? performance.now() : 0, refuse);
    let answer: Answer | Promise<Answer>;
    try {
      answer = walk(incoming);
    } catch (thrown) {
      answer = fail(thrown, incoming);
    }
    if (!(answer instanceof Promise)) return finish(incoming, answer, logs);
    return answer.catch((thrown: unknown) => fail(thrown, incoming)).then((settled) => finish(incoming, settled, logs));
  };
}

const refusals = {
  400: "invalid-input",
  401: "not-authenticated",
  403: "forbidden",
  429: "too-many-requests",
  503: "unavailable",
} as const;

function logAnswer(incoming: Incoming, status: number): void {
  const { method, target, subject, requestId, remoteAddress, startedAt } = incoming;
  logAccess({
    method,
    target,
    status,
    durationMs: performance.now() - startedAt,
    userName: subject?.callerName,
    runAs: subject !== undefined && subject.userName !== subject.callerName ? subject.userName : undefined,
    requestId,
    remoteAddress,
  });
}
