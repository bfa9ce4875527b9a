import type { PasswordHasher } from "./password-hasher.ts";

/** For so long a password that fitted a stored hash need not be computed again. Milliseconds. */
const keptMs = 60_000;
/** Matches kept; half of them are forgotten at a time. */
const mostKept = 10_000;

export interface KnownMatchesDeps {
  readonly hasher: PasswordHasher;
  /** A digest under a key of this process. Without one every check is computed. */
  readonly digest?: ((text: string) => string | Promise<string>) | undefined;
  readonly now: () => number;
}

/** What came of a check. `until`, in epoch milliseconds, is there for a match that was computed earlier. */
export type PasswordCheck = "mismatch" | { readonly until?: number };

/** Checks passwords, and remembers those that fit. */
export interface KnownMatches {
  /** With `usable` false the check is computed in any case: what cannot log in must not be told by its speed. */
  check(password: string, stored: string | undefined, usable: boolean): Promise<PasswordCheck>;
}

/**
 * Makes a check that computes the same match once a minute. What is remembered belongs to a password and the very hash
 * that is stored: it ends with a change of either by itself, and stays when anything else changes, so that an edit of a
 * group does not make the whole house compute its passwords again. Mismatches are not remembered.
 */
export function createKnownMatches({ hasher, digest, now }: KnownMatchesDeps): KnownMatches {
  let recent = new Map<string, number>();
  let older = new Map<string, number>();

  function keep(key: string): void {
    if (recent.size >= mostKept / 2) {
      older = recent;
      recent = new Map();
    }
    recent.set(key, now() + keptMs);
  }

  return {
    async check(password, stored, usable) {
      const digested = await digest?.(`${stored ?? ""}\0${password}`);
      const key = usable ? digested : undefined;
      const until = key === undefined ? undefined : (recent.get(key) ?? older.get(key));
      if (until !== undefined && until > now()) return { until };
      if ((await hasher.verify(password, stored)) === "mismatch") return "mismatch";
      if (key !== undefined) keep(key);
      return {};
    },
  };
}
