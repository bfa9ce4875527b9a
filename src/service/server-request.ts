import type { Connection } from "./connection.ts";

/** A request as a server hands it to the service. Everything is looked up when it is asked for. */
export interface ServerRequest {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly rawTarget: string;
  /** The absolute URL under which the client asked. */
  readonly url: string;
  /** The peer's address, where the runtime tells it. */
  readonly remoteAddress: string | undefined;
  /** Whether the connection to the client is encrypted. Default: as the URL says. */
  readonly secure?: boolean | undefined;
  /** The port that the client asked for. Default: as the URL says. */
  readonly port?: number | undefined;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  /** The request as the Fetch API has it. */
  readonly request: Request;
}

const noConnection: Connection = {};

/** A `Request`, with what its runtime knows beside it. A class because one is made for each request. */
export class FetchRequest implements ServerRequest {
  readonly request: Request;
  readonly #connection: Connection;

  constructor(request: Request, connection: Connection = noConnection) {
    this.request = request;
    this.#connection = connection;
  }

  get method(): string {
    return this.request.method;
  }

  get rawTarget(): string {
    return this.#connection.rawTarget ?? targetOf(this.request.url);
  }

  get url(): string {
    return this.request.url;
  }

  get remoteAddress(): string | undefined {
    return this.#connection.remoteAddress;
  }

  get secure(): boolean | undefined {
    return this.#connection.secure;
  }

  get port(): number | undefined {
    return this.#connection.port;
  }

  header(name: string): string | undefined {
    const connection = this.#connection;
    return connection.header === undefined ? (this.request.headers.get(name) ?? undefined) : connection.header(name);
  }
}

/** Path and query of an absolute URL, without parsing it. */
function targetOf(url: string): string {
  const authority = url.indexOf("//");
  const path = authority < 0 ? 0 : url.indexOf("/", authority + 2);
  if (path < 0) return "/";
  const fragment = url.indexOf("#", path);
  return fragment < 0 ? url.slice(path) : url.slice(path, fragment);
}
