import type {
  Account,
  AuthenticationRequest,
  Credentials,
  IdentityAccess,
  PasswordCredentials,
  RealmAnswer,
} from "../plugin/contract.ts";
import type { Store } from "../store/store.ts";
import { authenticateAccessKey } from "./access-key-login.ts";
import { createKnownMatches, type KnownMatches } from "./password/known-matches.ts";
import type { PasswordHasher } from "./password/password-hasher.ts";
import { provisionUser } from "./provisioning.ts";
import { looksLikeAccessKeyId } from "./secrets.ts";
import type { TokenIntervals } from "./token-intervals.ts";
import { authenticateToken } from "./token-login.ts";

export interface IdentityAccessDeps {
  readonly store: Store;
  readonly hasher: PasswordHasher;
  readonly tokenIntervals: () => TokenIntervals | Promise<TokenIntervals>;
  /** A digest under a key of this process, by which passwords that fitted are remembered for a minute. */
  readonly digest?: (text: string) => string | Promise<string>;
}

/**
 * Makes what plugins use of the service's own users: the service realm's whole judgement.
 *
 * A password costs one Argon2id computation whether the user is unknown, disabled, has no password, or the password is
 * wrong, so that none of these can be told apart by time.
 */
export function createIdentityAccess(deps: IdentityAccessDeps): IdentityAccess {
  const { store, hasher, digest } = deps;
  const matches = createKnownMatches({ hasher, digest, now: store.now });
  return {
    authenticate(credentials: Credentials, _request: AuthenticationRequest): RealmAnswer | Promise<RealmAnswer> {
      if (credentials.kind === "password") return authenticateName(deps, matches, credentials);
      if (credentials.kind === "token") return authenticateToken(deps, credentials.token);
      return "not mine";
    },

    verifyHash: async (password, stored) => (await deps.hasher.verify(password, stored)) === "match",

    async userState(userName) {
      const [user] = await store.query({ sql: "select disabled from user where name = ?", args: [userName] });
      if (!user) return "unknown";
      return user.disabled === 1 ? "disabled" : "enabled";
    },

    provisionUser: (user, options) => provisionUser(store, user, options),
  };
}

/** A name in HTTP Basic is a user's name, an alias of one, or the id of an access key, in this order. */
async function authenticateName(
  deps: IdentityAccessDeps,
  matches: KnownMatches,
  credentials: PasswordCredentials,
): Promise<RealmAnswer> {
  const { store, hasher } = deps;
  const [user] = await store.query({
    sql: `select id, name, password, disabled from user where name = ?1
      union all
      select u.id, u.name, u.password, u.disabled from user_alias a join user u on u.id = a.user_id where a.name = ?1
      limit 1`,
    args: [credentials.userName],
  });
  if (!user && looksLikeAccessKeyId(credentials.userName)) return authenticateAccessKey(store, credentials);

  const stored = typeof user?.password === "string" ? user.password : undefined;
  const enabled = user?.disabled === 0;
  const check = await matches.check(credentials.password, stored, enabled);
  if (!user || stored === undefined) return "not mine";
  if (check === "mismatch" || !enabled) return "rejected";
  const account: Account = { userName: String(user.name), method: "password" };
  if (check.until !== undefined) return { ...account, expires: check.until };
  if (hasher.needsRehash(stored)) await hashAgain(deps, Number(user.id), stored, credentials.password);
  return account;
}

/**
 * Replaces a hash of older costs, unless the password was changed meanwhile. Who may log in does not change by it, so
 * the `security` version stays.
 */
async function hashAgain(deps: IdentityAccessDeps, userId: number, stored: string, password: string): Promise<void> {
  const hash = await deps.hasher.hash(password);
  await deps.store
    .change({ userName: "system" })
    .add({ sql: "update user set password = ? where id = ? and password = ?", args: [hash, userId, stored] })
    .commit();
}
