/** What may not stand in a path. */
export interface PathRules {
  readonly blockSemicolon: boolean;
  readonly blockBackslash: boolean;
  readonly blockNonAscii: boolean;
  readonly traversal: Traversal;
}

/**
 * `NORMAL` refuses segments `.` and `..`, `STRICT` also every encoded period and slash, `NO_BLOCK` none of them (such
 * paths are then refused as not canonical before any filter).
 */
export type Traversal = "NO_BLOCK" | "NORMAL" | "STRICT";

/** Says what is wrong with a path, or `undefined`. */
export function pathProblem(path: string, rules: PathRules): string | undefined {
  if (rules.blockSemicolon && /;|%3b/i.test(path)) return "a semicolon";
  if (rules.blockBackslash && /\\|%5c/i.test(path)) return "a backslash";
  if (rules.blockNonAscii && !/^[\x20-\x7e]*$/.test(path)) return "a character that is not printable ASCII";
  if (rules.traversal !== "NO_BLOCK" && /(?:^|\/)\.\.?(?:$|[/;])/.test(path)) return "a dot segment";
  if (rules.traversal === "STRICT" && /%2[ef]/i.test(path)) return "an encoded period or slash";
  return undefined;
}
