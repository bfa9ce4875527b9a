import { type ErrorDetails, KinoraError } from "../errors.ts";

/** Times that an edit is planned anew when another writer was faster. */
const usualAttempts = 10;
/** Attempts after which the next one waits for a random while, so that writers of several instances get apart. */
const attemptsInHaste = 3;
/** Milliseconds that it waits at most, for each attempt so far. */
const longestPause = 2;

const details: ErrorDetails = { explanation: "Another writer was faster" };

/** What a guard throws when the rows are no longer as they were read. */
export const raced = new KinoraError("conflict", details);

/**
 * Runs an edit that reads, plans and commits with guards on what it read, again as long as such a guard fails. Events
 * can so say exactly what changed, also when several writers make the same edit.
 *
 * @param mostAttempts more for what many write at the same time. Default 10
 * @throws KinoraError `conflict` when others are faster each time
 */
export async function repeatWhenRaced<T>(edit: () => Promise<T>, mostAttempts = usualAttempts): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await edit();
    } catch (error) {
      // The change throws a copy of the guard's error, with the same details.
      const again = error instanceof KinoraError && error.details === details && attempt < mostAttempts;
      if (!again) throw error;
    }
    if (attempt > attemptsInHaste) {
      const pause = Math.random() * longestPause * attempt;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
