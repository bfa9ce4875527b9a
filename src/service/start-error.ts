import type { Problem } from "../security/problem.ts";

/** One reason why the service does not start. */
export interface StartProblem {
  /** Where: `security.ini:12:5`, `./static-users.ts`, `KINORA_PORT`. */
  readonly place: string;
  /** The text in question, secrets hidden. */
  readonly text?: string;
  readonly message: string;
  readonly fix: string;
}

/**
 * The service cannot start; `problems` has everything that is wrong, found in one run, and `message` the same for a
 * person.
 *
 * @example
 * ```ts
 * import { createService, StartError } from "kinora";
 *
 * try {
 *   await createService({ securityIni: "[main]\nauthcBasic.aplicationName = Archive\n" });
 * } catch (error) {
 *   if (!(error instanceof StartError)) throw error;
 *   const [first] = error.problems.filter(({ place }) => place === "security.ini:2:1");
 *   console.log(first?.fix); // Perhaps applicationName is meant
 * }
 * ```
 */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly problems: readonly StartProblem[];

  constructor(problems: readonly StartProblem[]) {
    super(problems.map(startProblemLine).join("\n"));
    this.problems = problems;
  }
}

/** A problem for a person: where, what, the text, what to do. */
export function startProblemLine({ place, text, message, fix }: StartProblem): string {
  const shown = text === undefined || text === "" ? [] : [text];
  return [`${place}: ${message}`, ...shown, fix].join("\n    ");
}

/** A problem of `security.ini` as a reason not to start. */
export function startProblemOf({ source, line, column, text, message, fix }: Problem): StartProblem {
  return { place: `${source}:${line}:${column}`, text, message, fix };
}
