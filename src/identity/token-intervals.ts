/** The three configuration properties of tokens, in seconds. */
export interface TokenIntervals {
  /** `userTokenDefaultInterval`: life of a token for which nothing was asked. */
  readonly standard: number;
  /** `userTokenMaxInterval`: the longest life without `_administrator`. */
  readonly maximum: number;
  /** `userTokenRefreshInterval`: how long a refreshed token is not refreshed again. */
  readonly refresh: number;
}

/** What counts when no property is set. */
export const defaultTokenIntervals: TokenIntervals = { standard: 60, maximum: 60, refresh: 10 };
