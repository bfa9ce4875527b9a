import type { Account } from "../../src/plugin/mod.ts";
import { canBeUserName, folded } from "./credentials.ts";
import type { DirectoryUser } from "./directory.ts";
import { foldedGroup, type LdapSettings } from "./settings.ts";

/** The account of a user of the directory; `undefined` when the service can have no user of that name. */
export function accountOf({ entry, groups }: DirectoryUser, settings: LdapSettings): Account | undefined {
  const userName = userNameOf(entry.values(settings.usernameAttribute), settings);
  if (userName === undefined) return undefined;
  const { groups: lookUp, groupRoles, roles } = settings;
  const namesOf = groups.map((group) => group.values(lookUp?.nameAttribute ?? ""));
  const given = groups.flatMap(({ dn }, at) => [dn, ...(namesOf[at] ?? [])]);
  const attributes: Record<string, string | readonly string[]> = { dn: entry.dn };
  for (const name of settings.attributes) attributes[name] = entry.values(name);
  const [realName] = entry.values(settings.realNameAttribute);
  if (realName !== undefined) attributes.realName = realName;
  if (lookUp !== undefined) attributes.groups = [...new Set(namesOf.flat())];
  return {
    userName,
    roles: [...new Set([...roles, ...given.flatMap((group) => groupRoles.get(foldedGroup(group)) ?? [])])],
    attributes,
  };
}

/**
 * The name as the directory has it, not as it was typed: directories take many spellings for one name, and each would
 * be another user here. Of several names always the same one counts.
 */
function userNameOf(names: readonly string[], { lowerCase, exceptUsers }: LdapSettings): string | undefined {
  const [first] = [...names].sort();
  const userName = lowerCase ? first?.toLowerCase() : first;
  if (userName === undefined || !canBeUserName(userName) || exceptUsers.has(folded(userName))) return undefined;
  return userName;
}
