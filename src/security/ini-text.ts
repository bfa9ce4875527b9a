import { linesOf } from "./ini.ts";
import { collectProblems, type Problems } from "./problem.ts";

/** UTF-16 units or bytes; a `security.ini` that is longer is something else. */
const longestText = 1_048_576;

export interface IniText {
  readonly lines: readonly string[];
  readonly problems: Problems;
}

/** Takes a file's content as lines, and begins the list of its problems. What is no text is an error. */
export function readIniText(content: string | Uint8Array, source: string): IniText {
  if (content.length > longestText) {
    const problems = collectProblems(source, []);
    const message = `The file is longer than ${longestText / 1_048_576} MiB`;
    problems.error({ line: 1, column: 1 }, { code: "too-large", message, fix: "Name the file that is meant" });
    return { lines: [], problems };
  }
  const text = typeof content === "string" ? content : new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
  const lines = linesOf(text);
  const problems = collectProblems(source, lines);
  for (const [index, line] of lines.entries()) {
    const column = line.trim().includes("\0") ? line.indexOf("\0") : line.indexOf("\uFFFD");
    if (column < 0) continue;
    problems.error(
      { line: index + 1, column: column + 1 },
      { code: "not-text", message: "The line is not text in UTF-8", fix: "Save the file as plain text in UTF-8" },
    );
    if (problems.isFull()) break;
  }
  return { lines, problems };
}
