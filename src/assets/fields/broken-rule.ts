import type { Restriction } from "./field-definition.ts";
import { matchesPattern } from "./value-pattern.ts";

function length(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * The rule of a restriction that a normalised value breaks, as what it must do (`be at least 3 characters long`), or
 * `undefined` when it keeps them all. A restriction of text counts characters, not UTF-16 units.
 */
export function brokenRule(restriction: Restriction, value: string): string | undefined {
  if (restriction.kind === "string") {
    const { minLength, maxLength, pattern } = restriction;
    if (minLength !== undefined && length(value) < minLength) return `be at least ${minLength} characters long`;
    if (maxLength !== undefined && length(value) > maxLength) return `be at most ${maxLength} characters long`;
    if (pattern !== undefined && !matchesPattern(pattern, value)) return `match the pattern ${pattern}`;
    return undefined;
  }
  const { minimum, maximum } = restriction;
  const read = restriction.kind === "float" ? Number : BigInt;
  if (minimum !== undefined && read(value) < read(minimum)) return `be at least ${minimum}`;
  if (maximum !== undefined && read(value) > read(maximum)) return `be at most ${maximum}`;
  return undefined;
}
