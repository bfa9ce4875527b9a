import type { RealmAnswer } from "../plugin/contract.ts";
import type { Store } from "../store/store.ts";
import { looksLikeToken, sha256 } from "./secrets.ts";
import type { TokenIntervals } from "./token-intervals.ts";

export interface TokenLoginDeps {
  readonly store: Store;
  readonly tokenIntervals: () => TokenIntervals | Promise<TokenIntervals>;
}

/**
 * Judges a token of this service. The use of a token with `autoRefresh` gives it its full life again, unless that
 * happened less than `userTokenRefreshInterval` ago. The answer may be reused until the next refresh is due, so that a
 * token in use does not die for being cached.
 */
export async function authenticateToken(deps: TokenLoginDeps, token: string): Promise<RealmAnswer> {
  if (!looksLikeToken(token)) return "not mine";
  const { store } = deps;
  const hash = sha256(token);
  const [row] = await store.query({
    sql: `select t.seconds, t.auto_refresh, t.refreshed, t.expires, u.name, u.disabled
      from token t join user u on u.id = t.user_id where t.hash = ?`,
    args: [hash],
  });
  if (!row) return "not mine";
  const now = store.now();
  const expires = Number(row.expires);
  if (expires <= now || row.disabled === 1) return "rejected";
  const account = { userName: String(row.name), method: "token" } as const;
  if (row.auto_refresh !== 1) return { ...account, expires };

  const { refresh } = await deps.tokenIntervals();
  const refreshed = Number(row.refreshed);
  const due = refreshed + refresh * 1000;
  if (now < due) return { ...account, expires: Math.min(expires, due) };

  const renewed = now + Number(row.seconds) * 1000;
  // Conditional on what was read: of several uses at once one writes.
  await store
    .change({ userName: account.userName })
    .add({
      sql: "update token set refreshed = ?, expires = ? where hash = ? and refreshed = ?",
      args: [now, renewed, hash, refreshed],
    })
    .commit();
  return { ...account, expires: Math.min(renewed, now + refresh * 1000) };
}
