/** A place in a configuration text. Both count from 1; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What can be wrong with a `security.ini`, by code. */
export type ProblemCode =
  | "not-text"
  | "too-large"
  | "too-many-problems"
  | "byte-order-mark"
  | "missing-key"
  | "missing-value"
  | "unterminated-continuation"
  | "repeated-section"
  | "repeated-key"
  | "unknown-section"
  | "ignored-lines"
  | "interpolation"
  | "unknown-class"
  | "refused-class"
  | "not-offered"
  | "unknown-object"
  | "unknown-property"
  | "bad-value"
  | "bad-reference"
  | "reference-cycle"
  | "missing-property"
  | "redefined-object"
  | "plugin-failed"
  | "plugin-shape"
  | "plugin-names"
  | "no-chains"
  | "bad-pattern"
  | "same-pattern"
  | "unreachable-chain"
  | "bad-chain"
  | "unknown-filter"
  | "bad-words"
  | "essential-missing"
  | "disabled-filter"
  | "listener-passes-over"
  | "bad-account";

/** One thing that is wrong, or doubtful, in a configuration file: where, what, and what to write instead. */
export interface Problem {
  /** An error stops the start; a warning does not. */
  readonly severity: "error" | "warning";
  readonly code: ProblemCode;
  /** Name of the file. */
  readonly source: string;
  readonly line: number;
  readonly column: number;
  /** The line as it stands in the file, secrets hidden, shortened when long. */
  readonly text: string;
  /** What is wrong. Sentence case, no final period. */
  readonly message: string;
  /** What to write or do instead. */
  readonly fix: string;
}

/** What a check says of one place. */
export interface Finding {
  readonly code: ProblemCode;
  readonly message: string;
  readonly fix: string;
}

/** Collects the problems of one file. */
export interface Problems {
  error(at: Position, finding: Finding): void;
  warning(at: Position, finding: Finding): void;
  /** From now on problems show `instead` for this line of the file. */
  hide(line: number, instead: string): void;
  /** All problems so far, in the order of the file. */
  list(): readonly Problem[];
  hasErrors(): boolean;
  /** So much is wrong that nothing more is listed; looking on is of no use. */
  isFull(): boolean;
}

/** A file with more errors than this is not a `security.ini` at all; the rest is not listed. */
const mostErrors = 1000;
const mostWarnings = 200;
const longestShown = 120;

/** Starts the list of problems of one file, given as its lines. */
export function collectProblems(source: string, lines: readonly string[]): Problems {
  const found = { error: [] as Problem[], warning: [] as Problem[] };
  const most = { error: mostErrors, warning: mostWarnings };
  const hidden = new Map<number, string>();
  const said = new Set<string>();
  let lost = false;

  function add(severity: Problem["severity"], at: Position, { code, message, fix }: Finding): void {
    const same = `${severity} ${at.line} ${at.column} ${message}`;
    if (said.has(same)) return;
    if (found[severity].length >= most[severity]) {
      lost = true;
      return;
    }
    said.add(same);
    const text = shorten(hidden.get(at.line) ?? (lines[at.line - 1] ?? "").trim());
    found[severity].push({ severity, code, source, line: at.line, column: at.column, text, message, fix });
  }

  function list(): readonly Problem[] {
    const all = [...found.error, ...found.warning].sort((a, b) => a.line - b.line || a.column - b.column);
    if (!lost) return all;
    const rest = { code: "too-many-problems", message: "There are more problems than are listed" } as const;
    const last = { line: lines.length, column: 1, text: "", fix: "Correct those that are listed and check again" };
    return [...all, { severity: "warning", source, ...rest, ...last }];
  }

  return {
    error: (at, finding) => add("error", at, finding),
    warning: (at, finding) => add("warning", at, finding),
    hide: (line, instead) => hidden.set(line, instead),
    list,
    hasErrors: () => found.error.length > 0,
    isFull: () => found.error.length >= mostErrors,
  };
}

/** Text of unknown length and content, fit for one line of a message. */
export function shorten(text: string): string {
  const printable = text.slice(0, longestShown).replace(/\p{Cc}/gu, "�");
  return text.length <= longestShown ? printable : `${printable}…`;
}
