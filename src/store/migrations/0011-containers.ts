import type { Migration } from "./declaration.ts";

/** What collections say of the time of their metadata, and when libraries were used. */
export const containers: Migration = {
  id: 11,
  name: "containers",
  statements: [
    // timespans of the collection's metadata are of the clock that start time codes of items are of
    "alter table collection add column absolute_time integer not null default 0 check (absolute_time in (0, 1))",
    // when somebody read it or changed it; of those that were there before nobody knows, so the time begins now
    "alter table library add column used integer not null default 0",
    "update library set used = unixepoch() * 1000",
    "create index library_used on library (used) where auto_refresh = 0",
  ],
};
