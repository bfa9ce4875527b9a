/** Times of one thing, in milliseconds. */
export interface Figure {
  readonly median: number;
  readonly p99: number;
  readonly runs: number;
}

/** The figure of some times. */
export function figureOf(times: readonly number[]): Figure {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), p99: at(0.99), runs: sorted.length };
}

/** Runs one thing and tells how long it took. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await run();
  return performance.now() - since;
}
