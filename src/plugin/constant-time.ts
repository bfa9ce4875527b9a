import { equalBytes } from "./binary-text.ts";

const encoder = new TextEncoder();

/**
 * Compares two texts without telling by time where they differ: the time depends on the length of `a`, the one that the
 * caller of a service cannot choose. `undefined` equals nothing.
 */
export function constantTimeEqual(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return equalBytes(encoder.encode(a), encoder.encode(b));
}
