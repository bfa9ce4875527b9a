import type { Migration } from "./declaration.ts";

export const savedSearches: Migration = {
  id: 12,
  name: "saved searches",
  statements: [
    // used: when somebody saved or read it last, to the day
    `create table saved_search (
      target text not null,
      key text not null,
      user text not null,
      query text not null,
      used integer not null,
      primary key (target, key, user)
    ) strict, without rowid`,
    "create index saved_search_by_user on saved_search (user, used)",
    "create index saved_search_by_use on saved_search (used)",
  ],
};
