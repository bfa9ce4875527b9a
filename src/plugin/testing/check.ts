/** One thing that was looked at, and whether it was found right. */
export interface Check {
  /** What must hold, as a sentence: `rejects a wrong password`. */
  readonly name: string;
  readonly passed: boolean;
  /** What was found instead, when it does not hold. */
  readonly found?: string;
}

/** Collects checks. */
export interface Checks {
  /** Looks at one thing: no sentence means that it holds. A function that throws has found something wrong. */
  run(name: string, look: () => Finding | Promise<Finding>): Promise<void>;
  readonly list: readonly Check[];
}

/** What a look at one thing found wrong, as a sentence; nothing when all is right. */
export type Finding = string | undefined;

/** Starts an empty list of checks. */
export function startChecks(): Checks {
  const list: Check[] = [];
  return {
    list,
    async run(name, look) {
      let found: Finding;
      try {
        found = await look();
      } catch (error) {
        found = `It threw ${describeError(error)}`;
      }
      list.push(found === undefined ? { name, passed: true } : { name, passed: false, found });
    },
  };
}

/** An error in one line. */
function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : `${typeof error} ${String(error)}`;
}

/**
 * Throws when a check has not passed.
 *
 * @throws Error that lists what was found
 */
export function assertChecks(what: string, checks: readonly Check[]): void {
  const failed = checks.filter((check) => !check.passed);
  if (failed.length === 0) return;
  const lines = failed.map((check) => `- ${check.name}: ${check.found ?? "not so"}`);
  throw new Error(`${what} fails ${failed.length} of ${checks.length} checks\n${lines.join("\n")}`);
}
