import type { Subject } from "../../plugin/contract.ts";
import type { Change } from "../../store/change.ts";
import type { LibraryEnvironment } from "./library-environment.ts";
import { changeItems, itemsAtOnce, readLibrary } from "./library-items.ts";

/**
 * Runs the search of a library and brings its items up to date as its mode says. Both lists are walked side by side in the
 * order of the items, so that the memory it takes does not grow with them; a large library changes in several steps.
 *
 * @param subject in whose name is searched
 * @throws KinoraError `not-found` when the library is gone; what the search throws
 */
export async function refreshLibrary(
  environment: LibraryEnvironment,
  subject: Subject,
  start: () => Change,
  serial: number,
): Promise<void> {
  const library = await readLibrary(environment, serial);
  const { query, updateMode } = library;
  if (updateMode === "TRANSIENT") await clearLibrary(environment, subject, start, serial);
  else if (query !== undefined) {
    let after = 0;
    for await (const keys of environment.search.keys({ subject, query, kinds: ["item"] })) {
      const found = keys.map((key) => Math.floor(key / 8));
      const last = found.at(-1) ?? after;
      await bringUpToDate(environment, subject, start, { serial, updateMode, after, last }, found);
      after = last;
    }
    if (updateMode === "REPLACE") await removeBehind(environment, subject, start, serial, after);
  }
  const change = start();
  change.add({ sql: "update library set last_update = ? where id = ?", args: [environment.store.now(), serial] });
  await change.commit();
}

interface Stretch {
  readonly serial: number;
  readonly updateMode: "MERGE" | "REPLACE";
  /** The stretch of items behind this one, up to and with `last`. */
  readonly after: number;
  readonly last: number;
}

async function bringUpToDate(
  environment: LibraryEnvironment,
  subject: Subject,
  start: () => Change,
  { serial, updateMode, after, last }: Stretch,
  found: readonly number[],
): Promise<void> {
  const rows = await environment.store.query({
    sql: "select item from library_item where library = ? and item > ? and item <= ?",
    args: [serial, after, last],
  });
  const present = new Set(rows.map((row) => Number(row.item)));
  const wanted = new Set(found);
  const added = found.filter((item) => !present.has(item));
  const removed = updateMode === "REPLACE" ? [...present].filter((item) => !wanted.has(item)) : [];
  for (let from = 0; from < Math.max(added.length, removed.length); from += itemsAtOnce) {
    const [some, others] = [added, removed].map((list) => list.slice(from, from + itemsAtOnce));
    await changeItems(environment, subject, start, serial, { added: some ?? [], removed: others ?? [] });
  }
}

async function removeBehind(
  environment: LibraryEnvironment,
  subject: Subject,
  start: () => Change,
  serial: number,
  after: number,
): Promise<void> {
  for (;;) {
    const rows = await environment.store.query({
      sql: `select item from library_item where library = ? and item > ? order by item limit ${itemsAtOnce}`,
      args: [serial, after],
    });
    if (rows.length === 0) return;
    await changeItems(environment, subject, start, serial, { removed: rows.map((row) => Number(row.item)) });
  }
}

/** Takes all items out of a library. @throws KinoraError `not-found` when the library is gone */
export function clearLibrary(
  environment: LibraryEnvironment,
  subject: Subject,
  start: () => Change,
  serial: number,
): Promise<void> {
  return removeBehind(environment, subject, start, serial, 0);
}
