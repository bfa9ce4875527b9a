import { encodeExact } from "./exact-token.ts";

/**
 * The tokens of the index. One table holds all of them, so that every search is one expression over it. `K` is the key
 * of a field.
 *
 * ```
 * .harbour     a word of a full-text field          K:harbour   a word of the field
 * K=value      the whole value, encoded             K~value     the whole value in ordered form
 * K#cell       a cell of ordered values             K!          the field has a value
 * !item        the kind of the entity               !timed      some metadata of it has a timespan
 * &name        the name of the group instance
 * ```
 *
 * What stands in a timespan has its tokens a second time behind `@`; and only where an entity has such, the untimed
 * rest has them a second time behind `_`.
 */
export const timedMark = "@";
export const untimedMark = "_";
export const hasTimed = "!timed";

export const fieldToken = {
  word: (key: string, word: string): string => `${key}:${word}`,
  exact: (key: string, encoded: string): string => `${key}=${encoded}`,
  whole: (key: string, ordered: string): string => `${key}~${ordered}`,
  cell: (key: string, ordered: string): string => `${key}#${ordered}`,
  any: (key: string): string => `${key}!`,
} as const;

export function kindToken(kind: string): string {
  return `!${kind}`;
}

/** The instances of a field group. */
export function groupToken(name: string): string {
  return `&${encodeExact(name)}`;
}
