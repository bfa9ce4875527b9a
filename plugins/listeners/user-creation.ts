import { type Account, defineAuthenticationListener, type UserInfo } from "../../src/plugin/mod.ts";

/**
 * Makes users of the service out of logins through custom realms: creates the user at the first login, and updates real
 * name, metadata and groups at each further one. Logins of the service realm and bearer tokens make no users.
 *
 * ```ini
 * claims = ClaimsUserInfoProvider
 * claims.groups = memberOf
 * creation = com.service.security.auth.UserCreationListener
 * creation.infoProvider = $claims
 * creation.enableUserOnLogin = true
 * securityManager.authenticator.authenticationListeners = $creation
 * ```
 */
export default defineAuthenticationListener({
  names: ["UserCreationListener", "com.service.security.auth.UserCreationListener"],
  description: "Creates and updates users after logins through custom realms",
  properties: {
    infoProvider: {
      type: "reference",
      kind: "userInfoProvider",
      required: true,
      description: "Says what is known of a realm's account",
    },
    enableUserOnLogin: {
      type: "boolean",
      default: false,
      description: "Whether a login enables a user that was disabled",
    },
    serviceRealms: {
      type: "list",
      default: ["serviceRealm"],
      description: "Names of realms whose users are in the database already",
    },
  },
  create: ({ infoProvider, enableUserOnLogin, serviceRealms }, { identity, log }) => ({
    passesOver: ["bearer"],
    async onSuccess({ credentials, accounts }) {
      if (credentials.kind === "bearer") return;
      for (const [realm, account] of accounts) {
        if (serviceRealms.includes(realm)) continue;
        const user = await infoProvider.userInfo(account, realm);
        if (user === undefined || !namesTheAccount(user, account)) {
          log.debug("The info provider makes no user of an account", { userName: account.userName, realm });
          continue;
        }
        try {
          await identity.provisionUser(user, { enable: enableUserOnLogin, origin: realm });
        } catch (error) {
          if (!isRefusal(error)) throw error;
          log.warn("A user cannot be made of an account", { userName: user.userName, realm, reason: error.message });
        }
      }
    },
  }),
});

/** The caller acts under the account's name: a user of another name would not be theirs. */
function namesTheAccount(user: UserInfo, account: Account): boolean {
  return user.userName === account.userName;
}

/** What is wrong with the information itself would be so at each login; it keeps nobody out. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && "code" in error && ["invalid-input", "conflict"].includes(String(error.code));
}
