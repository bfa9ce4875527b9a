import type { Account } from "../../src/plugin/mod.ts";

/** What came of a token. */
export type Verdict =
  | {
      /** The same object each time that the verdict is used. */
      readonly account: Account;
      /** Epoch milliseconds until which the verdict may be used again. */
      readonly usableUntil: number;
    }
  | {
      readonly refused: string;
      readonly usableUntil?: number;
    };

/** The account of a good token. @param expires epoch milliseconds at which the token ends */
export function accountOf(userName: string, expires: number | undefined): Account {
  return Object.freeze({ userName, method: "bearer", ...(expires === undefined ? {} : { expires }) });
}
