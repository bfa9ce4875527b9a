/**
 * What a runtime knows of a request beside the `Request` itself. All of it is optional: a service that is embedded in
 * another program may be handed nothing.
 */
export interface Connection {
  /** The peer's address. */
  readonly remoteAddress?: string | undefined;
  /** Whether the connection to the client is encrypted. Default: by the request's URL. */
  readonly secure?: boolean | undefined;
  /** The port that the client asked for. Default: by the request's URL. */
  readonly port?: number | undefined;
  /** A header's value by its lower-case name, where the runtime has it more cheaply than `Request.headers`. */
  header?(name: string): string | undefined;
  /** Path and query exactly as they came over the wire. Default: from the request's URL. */
  readonly rawTarget?: string | undefined;
}
