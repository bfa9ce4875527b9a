const encoder = new TextEncoder();

/**
 * Compares two texts without telling by time where they differ: the time depends on the length of `a`, the one that the
 * caller of a service cannot choose. `undefined` equals nothing.
 */
export function constantTimeEqual(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  const left = encoder.encode(a);
  const right = encoder.encode(b);
  let difference = left.length ^ right.length;
  for (let i = 0; i < left.length; i++) difference |= (left[i] as number) ^ (right[i] ?? 0);
  return difference === 0;
}
