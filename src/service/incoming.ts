import type { DispatchContext } from "../http/route-request.ts";
import type { RefusalOptions, Subject } from "../plugin/contract.ts";
import type { CanonicalTarget } from "../security/canonical-path.ts";
import type { PipelineRequest } from "../security/pipeline.ts";
import type { ServerRequest } from "./server-request.ts";

type Refuse = (
  status: 400 | 401 | 403 | 429 | 503,
  options: RefusalOptions | undefined,
  incoming: Incoming,
) => Response;

const rootTarget: Pick<CanonicalTarget, "path" | "segments" | "trailingSlash" | "matrix"> = {
  path: "/",
  segments: [],
  trailingSlash: false,
  matrix: [],
};

/**
 * One request on its way through the service: what the security pipeline and the dispatcher each see of it. One object
 * a request, made before anything is decided; a class because millions are made.
 */
export class Incoming implements PipelineRequest, DispatchContext {
  readonly method: string;
  readonly target: string;
  readonly requestId: string;
  /** Milliseconds of a monotonic clock; 0 when nobody asks how long the answer took. */
  readonly startedAt: number;
  subject: Subject | undefined = undefined;
  challenge: string | undefined = undefined;
  readonly #request: ServerRequest;
  readonly #refuse: Refuse;
  #canonical = rootTarget;

  constructor(request: ServerRequest, requestId: string, startedAt: number, refuse: Refuse) {
    this.method = request.method;
    this.target = request.rawTarget;
    this.requestId = requestId;
    this.startedAt = startedAt;
    this.#request = request;
    this.#refuse = refuse;
  }

  /** Takes over what the target means. */
  read(target: CanonicalTarget): void {
    this.#canonical = target;
  }

  get path(): string {
    return this.#canonical.path;
  }

  get segments(): readonly string[] {
    return this.#canonical.segments;
  }

  get trailingSlash(): boolean {
    return this.#canonical.trailingSlash;
  }

  get matrix(): CanonicalTarget["matrix"] {
    return this.#canonical.matrix;
  }

  hasSubject(): this is Authenticated {
    return this.subject !== undefined;
  }

  get raw(): Request {
    return this.#request.request;
  }

  get rawTarget(): string {
    return this.target;
  }

  get origin(): string {
    return new URL(this.#request.url).origin;
  }

  get remoteAddress(): string | undefined {
    return this.#request.remoteAddress;
  }

  get secure(): boolean {
    return this.#request.secure ?? new URL(this.#request.url).protocol === "https:";
  }

  get port(): number {
    return this.#request.port ?? Number(new URL(this.#request.url).port || (this.secure ? 443 : 80));
  }

  header(name: string): string | undefined {
    return this.#request.header(name);
  }

  query(name: string): string | undefined {
    const mark = this.target.indexOf("?");
    const sent = mark < 0 ? null : new URLSearchParams(this.target.slice(mark + 1)).get(name);
    return sent ?? this.matrix.findLast(([key]) => key === name)?.[1];
  }

  refuse(status: 400 | 401 | 403 | 429 | 503, options?: RefusalOptions): Response {
    return this.#refuse(status, options, this);
  }
}

/** A request whose caller is known. */
export type Authenticated = Incoming & { readonly subject: Subject };
