import { linesOf } from "./ini.ts";
import { collectProblems, type Problems } from "./problem.ts";

/** UTF-16 units or bytes; a `security.ini` that is longer is something else. */
const longestText = 1_048_576;

/** A text has a few letters of another encoding at most; what has more such lines is something else. */
const mostUnreadable = 10;

export interface IniText {
  /** None when the content is no text at all: then no other check has a meaning. */
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
  const unreadable = lines.flatMap((line, index) => {
    const column = line.trim().includes("\0") ? line.indexOf("\0") : line.indexOf("\uFFFD");
    return column < 0 ? [] : [{ line: index + 1, column: column + 1 }];
  });
  const [first] = unreadable;
  if (first !== undefined && unreadable.length > mostUnreadable) {
    const fix = "Save the file as plain text in UTF-8, or name the file that is meant";
    problems.error(first, { code: "not-text", message: "The file is not text in UTF-8", fix });
    return { lines: [], problems };
  }
  for (const at of unreadable) {
    const fix = "Save the file as plain text in UTF-8";
    problems.error(at, { code: "not-text", message: "The line is not text in UTF-8", fix });
  }
  return { lines, problems };
}
