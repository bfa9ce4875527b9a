import type { Migration } from "./declaration.ts";

export const sharedDocuments: Migration = {
  id: 8,
  name: "shared documents",
  statements: [
    `create table shared_document (
      name text primary key,
      value text,
      version integer not null,
      fetched integer,
      failed integer,
      failure text
    ) strict, without rowid`,
  ],
};
