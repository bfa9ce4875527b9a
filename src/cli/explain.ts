import { KinoraError } from "../errors.ts";
import { ListenError } from "../runtime/running-server.ts";
import { StartError, startProblemLine } from "../service/start-error.ts";
import { CommandError } from "./command.ts";

/** An error for the person at the terminal: what is wrong and what to do; a stack only for a defect. */
export function explain(error: unknown): string {
  if (error instanceof StartError) {
    const { length } = error.problems;
    const title = `Kinora cannot start: ${length === 1 ? "one thing is" : `${length} things are`} wrong`;
    return [title, ...error.problems.map((problem) => startProblemLine(problem))].join("\n\n");
  }
  if (error instanceof CommandError || error instanceof ListenError) return error.message;
  if (error instanceof KinoraError) {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
    return `${error.message}${cause}`;
  }
  if (error instanceof Error && error.name === "NotCapable") {
    return `${error.message}\nThe README lists the permissions that Kinora needs on Deno`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
