import { type Account, defineRealm, type RealmAnswer } from "../src/plugin/mod.ts";

/**
 * The users and roles that `security.ini` lists itself in `[users]` and `[roles]`.
 *
 * Passwords are compared as they stand, unless `credentialsMatcher` names a matcher for hashes.
 */
export default defineRealm({
  names: ["IniRealm", "org.apache.shiro.realm.text.IniRealm"],
  description: "The users and roles of [users] and [roles] in security.ini",
  properties: {
    credentialsMatcher: {
      type: "reference",
      kind: "credentialsMatcher",
      description: "Compares passwords with what [users] lists; without it they are compared as they stand",
    },
  },
  predefined: "iniRealm",
  sections: true,
  create({ credentialsMatcher }, { accounts, constantTimeEqual, log }) {
    const users = new Map<string, StoredUser>();
    for (const [userName, { password, roles }] of accounts?.users ?? []) {
      if (password === "") log.warn("A user of [users] has an empty password", { userName });
      const permissions = roles.flatMap((role) => accounts?.roles.get(role) ?? []);
      users.set(userName, { password, account: { userName, roles, permissions } });
    }
    // An unknown name is compared as well, so that time does not tell which names are known.
    const decoy = users.values().next().value?.password ?? "";
    const matches = credentialsMatcher
      ? (submitted: string, stored: string) => credentialsMatcher.matches(submitted, stored)
      : constantTimeEqual;

    return {
      accepts: "password",
      reuseSeconds: 60,
      authenticate(credentials) {
        if (credentials.kind !== "password") return "not mine";
        const user = users.get(credentials.userName);
        const equal = matches(credentials.password, user?.password ?? decoy);
        return typeof equal === "boolean" ? answer(user, equal) : equal.then((known) => answer(user, known));
      },
    };
  },
});

interface StoredUser {
  readonly password: string;
  readonly account: Account;
}

function answer(user: StoredUser | undefined, equal: boolean): RealmAnswer {
  if (!user) return "not mine";
  return equal ? user.account : "rejected";
}
