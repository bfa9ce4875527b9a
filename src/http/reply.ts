import type { AnyDocument, Infer } from "../documents/declare.ts";

/** An answer that says more than its value. */
export interface ReplyOptions {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the entity tag is made of: a revision, a version number, a hash. Not quoted. */
  readonly etag?: string;
  /** The document that the value is of, when it is one of the route's `alternatives`. */
  readonly document?: AnyDocument;
}

/** A value with status, headers or entity tag. */
export class Reply<T> {
  readonly value: T;
  readonly options: ReplyOptions;

  constructor(value: T, options: ReplyOptions) {
    this.value = value;
    this.options = options;
  }
}

/** Answers `value` with a status, headers or an entity tag. */
export function reply<T>(value: T, options: ReplyOptions): Reply<T> {
  return new Reply(value, options);
}

/** Answers a value of another document than the route's own: one of its `alternatives`. */
export function replyAs<D extends AnyDocument>(document: D, value: Infer<D>, options: ReplyOptions = {}): Reply<never> {
  return new Reply(value as never, { ...options, document });
}
