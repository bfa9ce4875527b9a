/** What came of a token. */
export type Verdict =
  | {
      readonly userName: string;
      /** Epoch milliseconds until which the verdict may be used again. */
      readonly usableUntil: number;
      /** Epoch milliseconds at which the token ends. */
      readonly expires: number | undefined;
    }
  | {
      readonly refused: string;
      readonly usableUntil?: number;
    };
