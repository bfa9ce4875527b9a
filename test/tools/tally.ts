/** What a part of the test run came to. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** The names of the tests that did not run. */
  readonly skipped: readonly string[];
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: [] };

export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (total, part) => ({
      passed: total.passed + part.passed,
      failed: total.failed + part.failed,
      skipped: [...total.skipped, ...part.skipped],
    }),
    nothing,
  );
}

/** `12 passed, 0 failed, 1 skipped` */
export function tallyLine(tally: Tally): string {
  return `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped.length} skipped`;
}
