import { fromEpoch } from "../../documents/date-time.ts";
import { readJson } from "../../documents/read-json.ts";
import { writeJson } from "../../documents/write-json.ts";
import type { Store } from "../../store/store.ts";
import { type ItemSearch, ItemSearchDocument, type SearchHistoryList } from "./documents/item-search-document.ts";

/** What searches look for, in the history. */
export type HistoryTarget = "item" | "collection";

/** The searches that users made: each once, at the time it was made last. */
export interface SearchHistory {
  /** Keeps a search. It is written with the next ones, and before anybody reads the history of this instance. */
  remember(target: HistoryTarget, user: string, query: ItemSearch): void;
  /** The latest searches of a user, newest first. */
  list(
    target: HistoryTarget,
    user: string,
    options: { readonly maxResults: number; readonly before?: number },
  ): Promise<SearchHistoryList>;
  /** Writes what was remembered. */
  flush(): Promise<void>;
}

/** Searches that wait to be written. More of them drop the oldest. */
const mostPending = 1000;
/** Searches of a user that are kept. */
const mostKept = 50;
/** Longer searches are not kept. */
const longestQuery = 16_384;

interface Remembered {
  readonly target: HistoryTarget;
  readonly user: string;
  readonly query: string;
  readonly at: number;
}

export function createSearchHistory(store: Store): SearchHistory {
  const pending = new Map<string, Remembered>();

  async function flush(): Promise<void> {
    if (pending.size === 0) return;
    const rows = [...pending.values()];
    pending.clear();
    const change = store.change({ userName: "system" });
    change.add({
      sql: `insert into search_history (user, target, query, at)
        select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(?) where true
        on conflict (user, target, query) do update set at = max(at, excluded.at)`,
      args: [JSON.stringify(rows.map(({ user, target, query, at }) => [user, target, query, at]))],
    });
    const users = JSON.stringify([...new Set(rows.map(({ user }) => user))]);
    change.add({
      sql: `delete from search_history where user in (select value from json_each(?)) and at < (
        select h.at from search_history h
        where h.user = search_history.user and h.target = search_history.target
        order by h.at desc limit 1 offset ?)`,
      args: [users, mostKept - 1],
    });
    await change.commit();
  }

  return {
    remember(target, user, query) {
      const { cursor: _cursor, ...lasting } = query;
      const text = writeJson(ItemSearchDocument, lasting);
      if (text === "{}" || text.length > longestQuery) return;
      const key = JSON.stringify([target, user, text]);
      pending.delete(key);
      pending.set(key, { target, user, query: text, at: store.now() });
      const [oldest] = pending.keys();
      if (pending.size > mostPending && oldest !== undefined) pending.delete(oldest);
    },
    async list(target, user, { maxResults, before }) {
      await flush();
      const rows = await store.query({
        sql: `select query, at from search_history where user = ? and target = ? and at < ? order by at desc, query limit ?`,
        args: [user, target, before ?? Number.MAX_SAFE_INTEGER, maxResults],
      });
      return {
        query: rows.map((row) => ({
          timestamp: fromEpoch(Number(row.at)),
          user,
          query: readJson(ItemSearchDocument, String(row.query)),
        })),
      };
    },
    flush,
  };
}
