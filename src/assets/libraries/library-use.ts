import type { Library } from "./library.ts";
import type { LibraryEnvironment } from "./library-environment.ts";

/** A use is written down once in this time, in milliseconds: those who read the same library do not all write. */
const notedEveryMs = 3_600_000;

/** Writes down that a library is used, so that it is not purged; see purge-libraries.ts. */
export async function noteUse(
  { store }: Pick<LibraryEnvironment, "store">,
  { serial, used }: Pick<Library, "serial" | "used">,
): Promise<void> {
  const now = store.now();
  if (now - used < notedEveryMs) return;
  await store
    .change({ userName: "system" })
    .add({ sql: "update library set used = max(used, ?) where id = ?", args: [now, serial] }, { silent: true })
    .commit();
}
