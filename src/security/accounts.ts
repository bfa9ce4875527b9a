import type { AccountSections, SectionUser } from "../plugin/contract.ts";
import { splitList } from "../plugin/value-list.ts";
import type { IniEntry } from "./ini.ts";
import { parsePermission } from "./permission.ts";
import type { Problems } from "./problem.ts";

/**
 * Reads `[users]` (`name = password, role, role`) and `[roles]` (`role = permission, "permission:a,b"`). Values are
 * comma-separated; what has a comma itself stands in double quotes.
 */
export function readAccounts(
  users: readonly IniEntry[],
  roles: readonly IniEntry[],
  problems: Problems,
): AccountSections {
  return {
    users: new Map(users.map((entry) => [entry.key, readUser(entry, problems)])),
    roles: new Map(roles.map((entry) => [entry.key, readRole(entry, problems)])),
  };
}

function readUser(entry: IniEntry, problems: Problems): SectionUser {
  const { tokens, openQuote } = splitList(entry.value);
  const [password = "", ...roles] = tokens.map(({ text }) => text);
  const warn = (message: string, fix: string) => problems.warning(entry.at, { code: "bad-account", message, fix });
  if (openQuote)
    warn("The last double quote is never closed", "Close it, or double it when it belongs to the password");
  if (password === "") warn(`The user ${entry.key} logs in with an empty password`, "Give the user a password");
  if (
    /^\$(?:shiro2\$)?argon2\w*\$/.test(password) &&
    password.split("$").length < (password.startsWith("$s") ? 7 : 6)
  ) {
    warn(
      "The password hash ends at its first comma, so that no password matches it",
      "Put the hash into double quotes",
    );
  }
  return { password, roles };
}

function readRole(entry: IniEntry, problems: Problems): readonly string[] {
  const { tokens } = splitList(entry.value);
  for (const { text, offset } of tokens) {
    if (parsePermission(text) !== undefined) continue;
    problems.error(entry.valueAt(offset), {
      code: "bad-account",
      message: text === "" ? "A permission is empty" : "The permission has an empty part",
      fix: 'Write: role = permission, permission. A permission with a comma stands in double quotes: "doc:read,write"',
    });
  }
  return tokens.map(({ text }) => text);
}
