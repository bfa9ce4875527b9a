import { KinoraError } from "../errors.ts";
import type { Change } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { looksLikeToken, newToken, sha256 } from "./secrets.ts";
import type { TokenIntervals } from "./token-intervals.ts";
import { noSuchUser } from "./user-changes.ts";

/** The longest life of a token that an administrator can ask for, in seconds: ten years. */
export const longestLife = 315_360_000;

export interface TokenWish {
  readonly userName: string;
  /** Life in seconds. Default: the property `userTokenDefaultInterval`. */
  readonly seconds?: number | undefined;
  /** Each use gives the token its full life again. */
  readonly autoRefresh: boolean;
  /** The caller may ask for more than `userTokenMaxInterval`. */
  readonly unlimited: boolean;
}

/**
 * Makes a token. Only a hash of it is kept.
 *
 * @throws KinoraError `forbidden` for a life beyond the maximum, `not-found`, `conflict` for a disabled user
 */
export async function issueToken(
  store: Store,
  intervals: TokenIntervals,
  change: Change,
  wish: TokenWish,
): Promise<string> {
  const seconds = wish.seconds ?? intervals.standard;
  // What is given without being asked for is never more than may be asked for.
  const life = wish.seconds === undefined && !wish.unlimited ? Math.min(seconds, intervals.maximum) : seconds;
  if (life > intervals.maximum && !wish.unlimited) {
    throw new KinoraError("forbidden", {
      context: "seconds",
      explanation: `A token of more than ${intervals.maximum} seconds needs the role _administrator`,
    });
  }
  const token = newToken();
  const now = store.now();
  change
    .require(
      { sql: "select exists (select 1 from user where name = ?)", args: [wish.userName] },
      noSuchUser(wish.userName),
    )
    .require(
      { sql: "select disabled = 0 from user where name = ?", args: [wish.userName] },
      new KinoraError("conflict", { type: "User", id: wish.userName, explanation: "The user is disabled" }),
    )
    .add({
      sql: `insert into token (hash, user_id, seconds, auto_refresh, refreshed, expires)
        select ?, id, ?, ?, ?, ? from user where name = ?`,
      args: [sha256(token), life, wish.autoRefresh ? 1 : 0, now, now + life * 1000, wish.userName],
    });
  await change.commit();
  return token;
}

/** The token of an `Authorization: token …` header, or `undefined`. The scheme's letter case does not count. */
export function tokenOf(authorization: string | undefined): string | undefined {
  const token = /^token +(\S+)\s*$/i.exec(authorization ?? "")?.[1];
  return token !== undefined && looksLikeToken(token) ? token : undefined;
}

/** Ends a token at once, on other instances within 5 s. */
export async function revokeToken(store: Store, change: Change, token: string): Promise<void> {
  change.add({ sql: "delete from token where hash = ?", args: [sha256(token)] });
  store.versions.bump(change, "security");
  await change.commit();
}

/** Expired tokens removed in one go. */
const sweepAtOnce = 1000;

/** Removes expired tokens. Nobody's rights change by it. Gives how many there were, at most 1,000. */
export async function sweepTokens(store: Store): Promise<number> {
  const expired = { sql: "select 1 from token where expires <= ? limit 1", args: [store.now()] };
  if ((await store.query(expired)).length === 0) return 0;
  const [result] = await store
    .change({ userName: "system" })
    .add({
      sql: "delete from token where hash in (select hash from token where expires <= ? limit ?)",
      args: [store.now(), sweepAtOnce],
    })
    .commit();
  return result?.rowsAffected ?? 0;
}
