/** An answer that says more than its value. */
export interface ReplyOptions {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the entity tag is made of: a revision, a version number, a hash. Not quoted. */
  readonly etag?: string;
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
