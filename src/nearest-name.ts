/** Names longer than this are not compared: nobody misspells them, and the comparison is quadratic. */
const longestCompared = 128;

/**
 * The known name that a misspelt one most likely means, or `undefined` when none is near: at most a third of its
 * letters wrong, swapped or missing. Letter case counts for nothing.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > longestCompared) return undefined;
  const wanted = name.toLowerCase();
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    if (candidate.length > longestCompared) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest !== undefined && least <= Math.max(1, Math.floor(Math.max(wanted.length, nearest.length) / 3))
    ? nearest
    : undefined;
}

/** Single-letter insertions, deletions, replacements and swaps of neighbours between two texts. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
