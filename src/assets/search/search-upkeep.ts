import type { MetadataEnvironment } from "../metadata/metadata-environment.ts";
import { drainIndexQueue } from "./reindex/metadata-reindexers.ts";
import { type Reindexers, reindexRunner } from "./reindex/reindex-requests.ts";
import type { SavedSearches } from "./saved-searches.ts";
import type { SearchHistory } from "./search-history.ts";

/** Milliseconds that one tick may work on. */
const budgetMs = 1000;

/**
 * What the search does in the background: entities that wait to be indexed, rebuildings, the history of searches, saved ones.
 *
 * @returns a function that does what is due, and tells the milliseconds after which to come back
 */
export function searchUpkeep(
  environment: MetadataEnvironment,
  reindexers: Reindexers,
  { history, saved }: { readonly history: SearchHistory; readonly saved: SavedSearches },
): () => Promise<number> {
  const reindex = reindexRunner(environment.store, reindexers);
  return async () => {
    await history.flush();
    await saved.tidy();
    const until = performance.now() + budgetMs;
    while (await drainIndexQueue(environment)) if (performance.now() >= until) return 0;
    return reindex(budgetMs);
  };
}
