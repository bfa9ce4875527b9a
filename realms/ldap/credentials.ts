import type { PasswordCredentials } from "../../src/plugin/mod.ts";

/** Characters of the longest name that a user of the service may have. */
const longestName = 255;
/** Characters of the longest password that is sent to a directory. */
const longestPassword = 1024;

/** What directories, logs or headers read in another way than they are shown. */
const unprintable = /[\p{Cc}\p{Cs}\uFFFE\uFFFF\u2028\u2029]/u;

/** Whether a user of the service can have the name; others are not looked for. */
export function canBeUserName(name: string): boolean {
  return name !== "" && name === name.trim() && !unprintable.test(name) && [...name].length <= longestName;
}

/**
 * Whether a password may be shown to a directory. An empty one would be an unauthenticated bind, which succeeds for
 * every name (RFC 4513 §5.1.2); what is behind a NUL, many a directory does not read.
 */
function canBePassword(password: string): boolean {
  return password !== "" && password.length <= longestPassword && !/[\0\p{Cs}]/u.test(password);
}

/** The answer to credentials about which no directory is asked; `undefined` when it must be. */
export function answerUnasked(
  { userName, password }: PasswordCredentials,
  exceptUsers: ReadonlySet<string>,
): "not mine" | "rejected" | undefined {
  if (!canBeUserName(userName) || exceptUsers.has(folded(userName))) return "not mine";
  return canBePassword(password) ? undefined : "rejected";
}

/** A name as directories compare it: letter case and forms of a character make no difference. */
export function folded(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
