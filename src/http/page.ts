import { intParameter, type Parameter } from "./parameters.ts";

/** How a list is paged. */
export interface PageOptions {
  /** What `first` calls the first entry. Default 1; a 0 is then taken for 1, as clients send it. */
  readonly base?: 0 | 1;
  /** Entries of a page when `number` is absent. Absent: all. */
  readonly number?: number;
  /** Largest `number` that may be asked for. */
  readonly maximum: number;
}

/** The parameters `first` and `number`, to be spread into a route's `query`. */
export function pageParameters(options: PageOptions & { readonly number: number }): {
  readonly first: Parameter<number>;
  readonly number: Parameter<number>;
};
export function pageParameters(options: PageOptions): {
  readonly first: Parameter<number>;
  readonly number: Parameter<number | undefined>;
};
export function pageParameters({ base = 1, number, maximum }: PageOptions): {
  readonly first: Parameter<number>;
  readonly number: Parameter<number | undefined>;
} {
  return {
    first: intParameter({ default: base, minimum: 0 }),
    number: intParameter({ ...(number === undefined ? {} : { default: number }), minimum: 0, maximum }),
  };
}

/** A page as a database wants it: entries to skip, and entries to take (`undefined` = all). */
export function pageOf<N extends number | undefined>(
  query: { readonly first: number; readonly number: N },
  base: 0 | 1 = 1,
): { readonly offset: number; readonly limit: N } {
  return { offset: Math.max(0, query.first - base), limit: query.number };
}
