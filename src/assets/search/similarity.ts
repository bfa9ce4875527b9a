/** How much alike two words are written: 1 for the same, 0 for nothing in common; by the edits from one to the other. */
export function similarity(a: string, b: string): number {
  const [from, to] = [[...a], [...b]];
  const longest = Math.max(from.length, to.length);
  return longest === 0 ? 1 : 1 - distance(from, to) / longest;
}

/** Insertions, deletions, replacements and exchanges of neighbours. */
function distance(from: readonly string[], to: readonly string[]): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const exchanged = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (exchanged) best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      next.push(best);
    }
    beforeLast = last;
    last = next;
  }
  return last[to.length] ?? 0;
}
