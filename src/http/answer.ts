/** The media type of answers in text. */
export const plainText = "text/plain; charset=utf-8";

/**
 * An answer of known parts. A server that can writes it as it is, which costs less than a `Response` made to be taken
 * apart again; one is made of it wherever it is asked for.
 */
export class PlainAnswer {
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;

  constructor(status: number, headers: Readonly<Record<string, string>>, body: string | null) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** What a request is answered with. */
export type Answer = PlainAnswer | Response;

/** The answer as the Fetch API has it. */
export function responseOf(answer: Answer): Response {
  if (!(answer instanceof PlainAnswer)) return answer;
  const { status, headers, body } = answer;
  return new Response(body, { status, headers });
}

/** The same where the answer may have to be waited for. */
export function respond(answer: Answer | Promise<Answer>): Response | Promise<Response> {
  return answer instanceof Promise ? answer.then(responseOf) : responseOf(answer);
}

/** The answer without its body, as HEAD wants it. */
export function withoutBody(answer: Answer): Answer {
  if (answer.body === null) return answer;
  if (answer instanceof PlainAnswer) return new PlainAnswer(answer.status, answer.headers, null);
  return new Response(null, answer);
}
