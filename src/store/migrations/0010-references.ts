import type { Migration } from "./declaration.ts";

export const references: Migration = {
  id: 10,
  name: "references",
  // The index knows since then who refers to what: those that refer to others are indexed anew.
  statements: [
    "insert into search_queue (id) select distinct source from metadata_reference where true on conflict do nothing",
  ],
};
