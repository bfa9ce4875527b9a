/**
 * How many insertions, deletions, replacements and exchanges of neighbours lead from one text to another.
 *
 * @param most further than this is told as `most + 1`, and costs less to find out
 */
export function editDistance(from: readonly string[], to: readonly string[], most: number): number {
  const far = most + 1;
  if (Math.abs(from.length - to.length) > most) return far;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => Math.min(column, far));
  for (let row = 1; row <= from.length; row++) {
    // What is further from the diagonal than the most edits is too far anyway.
    const [first, final] = [Math.max(1, row - most), Math.min(to.length, row + most)];
    const next: number[] = [];
    next[first - 1] = first === 1 ? Math.min(row, far) : far;
    let nearest = next[first - 1] as number;
    for (let column = first; column <= final; column++) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(
        (last[column] ?? far) + 1,
        (next[column - 1] ?? far) + 1,
        (last[column - 1] ?? far) + (same ? 0 : 1),
      );
      const exchanged = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (exchanged) best = Math.min(best, (beforeLast[column - 2] ?? far) + 1);
      next[column] = Math.min(best, far);
      nearest = Math.min(nearest, next[column] as number);
    }
    if (nearest > most) return far;
    beforeLast = last;
    last = next;
  }
  return last[to.length] ?? far;
}
