import type { Row } from "../../store/database.ts";
import type { ItemSearch } from "../search/documents/item-search-document.ts";

/**
 * What a refresh makes of a library. `MERGE` adds what the search finds anew; `REPLACE` makes it exactly what the search
 * finds; `TRANSIENT` keeps nothing: the search is run whenever the library is read.
 */
export const updateModes = ["MERGE", "REPLACE", "TRANSIENT"] as const;
export type UpdateMode = (typeof updateModes)[number];

/** A library without its items. */
export interface Library {
  readonly serial: number;
  readonly owner: string;
  readonly updateMode: UpdateMode;
  readonly autoRefresh: boolean;
  /** Seconds between two refreshes. */
  readonly updateFrequency: number;
  /** Epoch milliseconds. */
  readonly lastUpdate: number;
  /** When it was last read or changed by somebody, in epoch milliseconds, give or take an hour. */
  readonly used: number;
  /** Absent for a library that was given its items. */
  readonly query?: ItemSearch;
  /** Whether its items know of it; see share-library.ts. */
  readonly shares: boolean;
}

/** Seconds between refreshes when nothing else was asked for, and the fewest. */
export const standardFrequency = 60;
export const leastFrequency = 10;

/** The library in a row of the table. */
export function libraryOf(row: Row): Library {
  return {
    serial: Number(row.id),
    owner: String(row.owner),
    updateMode: String(row.update_mode) as UpdateMode,
    autoRefresh: row.auto_refresh === 1,
    updateFrequency: Number(row.update_frequency),
    lastUpdate: Number(row.last_update),
    used: Number(row.used),
    shares: row.shares === 1,
    ...(typeof row.query === "string" ? { query: JSON.parse(row.query) as ItemSearch } : {}),
  };
}
