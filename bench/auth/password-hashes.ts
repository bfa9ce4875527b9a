import { createPasswordHasher } from "../../src/identity/password/password-hasher.ts";
import { loadArgon2 } from "../../src/runtime/native-password.ts";

let made: readonly string[] = [];

/** Hashes of `password`, each with another salt. Made once and kept: they take a while. */
export async function passwordHashes(count: number): Promise<readonly string[]> {
  if (made.length < count) {
    const { engine } = await loadArgon2();
    const hasher = createPasswordHasher({ engine, waiting: count });
    const more = Array.from({ length: count - made.length }, () => hasher.hash("password"));
    made = [...made, ...(await Promise.all(more))];
  }
  return made.slice(0, count);
}
