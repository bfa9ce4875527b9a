/** What a test came to inside the worker. */
export interface TestResult {
  readonly name: string;
  readonly state: "pass" | "fail" | "skip";
  readonly errors: readonly string[];
}

/** What a file of tests came to inside the worker. */
export interface FileResult {
  /** Failures outside of tests. */
  readonly errors: readonly string[];
  readonly tests: readonly TestResult[];
}
