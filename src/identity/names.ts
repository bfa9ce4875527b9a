import { KinoraError } from "../errors.ts";

/** Characters of the longest name of a user or group. */
export const longestName = 255;

// Control characters have no place in headers, logs and XML 1.0; the two non-characters and lone surrogates cannot be
// written as XML at all.
const illegal = /[\p{Cc}\p{Cs}\uFFFE\uFFFF\u2028\u2029]/u;

function problemOf(name: string): string | undefined {
  if (name === "") return "is empty";
  if (illegal.test(name)) return "contains a control character";
  if (name !== name.trim()) return "begins or ends with white space";
  if (name === "." || name === "..") return "cannot be addressed by a path";
  if ([...name].length > longestName) return `is longer than ${longestName} characters`;
  return undefined;
}

/**
 * Refuses what cannot be the name or an alias of a user. Every character is legal but control characters, also `/`, `@`
 * and `:` (a name with a colon cannot be used with HTTP Basic, give such a user an alias). Names are case-sensitive,
 * 1 to 255 characters, and kept as they were given: nothing is normalised.
 *
 * @throws KinoraError `invalid-input`
 */
export function checkUserName(name: string, context = "userName"): void {
  const problem = problemOf(name);
  if (problem) throw new KinoraError("invalid-input", { context, value: name, explanation: `The name ${problem}` });
}

/**
 * Refuses what cannot be the name of a group: as for users; names that begin with `_` belong to roles.
 *
 * @throws KinoraError `invalid-input`
 */
export function checkGroupName(name: string): void {
  const problem = problemOf(name) ?? (name.startsWith("_") ? "begins with _, which only names of roles do" : undefined);
  if (problem) {
    throw new KinoraError("invalid-input", { context: "groupName", value: name, explanation: `The name ${problem}` });
  }
}

// Tab and line ends are text; XML 1.0 has no way to write the other control characters.
const illegalInText = /[^\P{Cc}\t\n\r]|[\p{Cs}\uFFFE\uFFFF]/u;

/**
 * Refuses text that cannot be written into every kind of answer, or is longer than `longest` characters.
 *
 * @throws KinoraError `invalid-input`
 */
export function checkText(text: string, context: string, longest: number): void {
  const explanation = illegalInText.test(text)
    ? "The text contains a control character"
    : text.length > longest
      ? `The text is longer than ${longest} characters`
      : undefined;
  if (explanation) throw new KinoraError("invalid-input", { context, explanation });
}
