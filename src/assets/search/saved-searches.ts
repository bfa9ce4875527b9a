import { readJson } from "../../documents/read-json.ts";
import { writeJson } from "../../documents/write-json.ts";
import { KinoraError } from "../../errors.ts";
import { hashOf } from "../../http/entity-tag.ts";
import type { Store } from "../../store/store.ts";
import { type ItemSearch, ItemSearchDocument } from "./documents/item-search-document.ts";

/** What a saved search finds. */
export type SavedTarget = "item" | "collection" | "search" | "shape" | "file";

/** Searches that got an address. Only the search is kept: who reads it finds what they may see, as it is then. */
export interface SavedSearches {
  /**
   * Keeps a search; equal searches have equal keys.
   *
   * @throws KinoraError `too-large` for a search that is longer than what is kept
   */
  save(target: SavedTarget, user: string, query: ItemSearch): Promise<string>;
  /** @throws KinoraError `not-found` for a key that was never given, or not used for long */
  find(target: SavedTarget, key: string): Promise<ItemSearch>;
  /** Removes what was not used for long; looks at most once an hour. */
  tidy(): Promise<void>;
}

const dayMs = 24 * 3_600_000;
/** Saved searches are kept so long behind their last use. */
const keptMs = 30 * dayMs;
const tidyMs = 3_600_000;
/** Of one user; more of them drop the one that was used longest ago. */
const mostOfUser = 1000;
/** In JSON. */
const longestQuery = 262_144;

export function createSavedSearches(store: Store): SavedSearches {
  let tidied = 0;

  /** Use is told to the day, so that reading does not write each time. */
  async function use(target: SavedTarget, key: string, before: number): Promise<void> {
    if (store.now() - before < dayMs) return;
    const sql = "update saved_search set used = ? where target = ? and key = ?";
    await store
      .change({ userName: "system" })
      .add({ sql, args: [store.now(), target, key] })
      .commit();
  }

  return {
    async save(target, user, query) {
      const text = writeJson(ItemSearchDocument, query);
      if (text.length > longestQuery) {
        throw new KinoraError("too-large", {
          explanation: `A search of more than ${longestQuery} characters cannot be saved`,
        });
      }
      const key = hashOf(text);
      const change = store.change({ userName: user });
      change.add(
        {
          sql: `insert into saved_search (target, key, user, query, used) values (?, ?, ?, ?, ?)
            on conflict do update set used = excluded.used`,
          args: [target, key, user, text, store.now()],
        },
        {
          sql: `delete from saved_search where (target, key, user) in (
            select target, key, user from saved_search where user = ? order by used desc, key limit -1 offset ?)`,
          args: [user, mostOfUser],
        },
      );
      await change.commit();
      return key;
    },
    async find(target, key) {
      const [row] = await store.query({
        sql: "select query, max(used) as used from saved_search where target = ? and key = ?",
        args: [target, key],
      });
      const text = row?.query ?? null;
      if (text === null) throw new KinoraError("not-found", { type: "saved-search", id: key });
      await use(target, key, Number(row?.used));
      return readJson(ItemSearchDocument, String(text));
    },
    async tidy() {
      if (store.now() - tidied < tidyMs) return;
      tidied = store.now();
      const args = [tidied - keptMs];
      const [old] = await store.query({ sql: "select 1 from saved_search where used < ? limit 1", args });
      if (old === undefined) return;
      const sql = "delete from saved_search where used < ?";
      await store.change({ userName: "system" }).add({ sql, args }).commit();
    },
  };
}
