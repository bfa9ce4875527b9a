import { type Account, defineUserInfoProvider } from "../../src/plugin/mod.ts";

/**
 * Reads a user's information from the attributes that a realm gives with an account.
 *
 * ```ini
 * claims = ClaimsUserInfoProvider
 * claims.realName = displayName
 * claims.groups = memberOf
 * claims.groupNames = desk-a:editors, desk-b:editors
 * claims.metadata = email:mail, phone:telephoneNumber
 * ```
 */
export default defineUserInfoProvider({
  names: ["ClaimsUserInfoProvider", "claims"],
  description: "Maps attributes of a realm's account to real name, groups and metadata",
  properties: {
    realName: { type: "string", description: "The attribute with the real name" },
    groups: { type: "string", description: "The attribute with the names of groups" },
    groupNames: {
      type: "map",
      description: "Group names by value of that attribute; when set, other values are left out",
    },
    allowRoles: {
      type: "boolean",
      default: false,
      description: "Whether the attribute may give roles, whose names begin with _",
    },
    metadata: { type: "map", description: "Attributes by key of the user's metadata" },
  },
  create: ({ realName, groups, groupNames, allowRoles, metadata }) => ({
    userInfo(account) {
      const name = realName === undefined ? undefined : firstOf(account, realName);
      return {
        userName: account.userName,
        ...(name === undefined ? {} : { realName: name }),
        ...(groups === undefined ? {} : { groups: groupsOf(valuesOf(account, groups), groupNames, allowRoles) }),
        metadata: Object.fromEntries(
          [...metadata].flatMap(([key, attribute]) => {
            const value = firstOf(account, attribute);
            return value === undefined ? [] : [[key, value] as const];
          }),
        ),
      };
    },
  }),
});

function groupsOf(
  values: readonly string[],
  groupNames: ReadonlyMap<string, string>,
  allowRoles: boolean,
): readonly string[] {
  const names = groupNames.size === 0 ? values : values.flatMap((value) => groupNames.get(value) ?? []);
  // Roles that the operator maps by name are meant; those that a directory happens to name are not.
  return allowRoles || groupNames.size > 0 ? names : names.filter((name) => !name.startsWith("_"));
}

function valuesOf(account: Account, attribute: string): readonly string[] {
  const value = account.attributes?.[attribute];
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}

function firstOf(account: Account, attribute: string): string | undefined {
  return valuesOf(account, attribute)[0];
}
