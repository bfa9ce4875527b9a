import type { DispatchContext } from "../http/route-request.ts";
import type { RefusalOptions, Subject } from "../plugin/contract.ts";
import type { CanonicalTarget } from "../security/canonical-path.ts";
import type { PipelineRequest } from "../security/pipeline.ts";
import type { Connection } from "./connection.ts";

type Refuse = (
  status: 400 | 401 | 403 | 429 | 503,
  options: RefusalOptions | undefined,
  incoming: Incoming,
) => Response;

/**
 * One request on its way through the service: what the security pipeline and the dispatcher each see of it. One object
 * a request, made before anything is decided; a class because millions are made.
 */
export class Incoming implements PipelineRequest, DispatchContext {
  readonly raw: Request;
  readonly method: string;
  readonly target: string;
  readonly requestId: string;
  readonly remoteAddress: string | undefined;
  /** Milliseconds of a monotonic clock; 0 when nobody asks how long the answer took. */
  readonly startedAt: number;
  path = "/";
  segments: readonly string[] = [];
  trailingSlash = false;
  matrix: CanonicalTarget["matrix"] = [];
  subject: Subject | undefined = undefined;
  challenge: string | undefined = undefined;
  readonly #connection: Connection;
  readonly #refuse: Refuse;
  #url: URL | undefined;

  constructor(raw: Request, connection: Connection, requestId: string, startedAt: number, refuse: Refuse) {
    this.raw = raw;
    this.method = raw.method;
    this.requestId = requestId;
    this.startedAt = startedAt;
    this.remoteAddress = connection.remoteAddress;
    this.target = connection.rawTarget ?? targetOf(raw.url);
    this.#connection = connection;
    this.#refuse = refuse;
  }

  /** Takes over what the target means. */
  read(target: CanonicalTarget): void {
    this.path = target.path;
    this.segments = target.segments;
    this.trailingSlash = target.trailingSlash;
    this.matrix = target.matrix;
  }

  hasSubject(): this is Authenticated {
    return this.subject !== undefined;
  }

  get rawTarget(): string {
    return this.target;
  }

  get #parsedUrl(): URL {
    this.#url ??= new URL(this.raw.url);
    return this.#url;
  }

  get secure(): boolean {
    return this.#connection.secure ?? this.#parsedUrl.protocol === "https:";
  }

  get port(): number {
    return this.#connection.port ?? Number(this.#parsedUrl.port || (this.secure ? 443 : 80));
  }

  header(name: string): string | undefined {
    const connection = this.#connection;
    return connection.header === undefined ? (this.raw.headers.get(name) ?? undefined) : connection.header(name);
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

/** Path and query of an absolute URL, without parsing it. */
function targetOf(url: string): string {
  const authority = url.indexOf("//");
  const path = authority < 0 ? 0 : url.indexOf("/", authority + 2);
  if (path < 0) return "/";
  const fragment = url.indexOf("#", path);
  return fragment < 0 ? url.slice(path) : url.slice(path, fragment);
}
