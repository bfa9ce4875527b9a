import type { Migration } from "./declaration.ts";

/** Identifiers that entities have in other systems; in this form unique in each namespace. */
export const externalIds: Migration = {
  id: 7,
  name: "external ids",
  statements: [
    `create table external_id_namespace (
      id integer primary key,
      name text not null unique,
      pattern text not null,
      priority integer not null
    ) strict`,
    `create table external_id (
      type text not null,
      value text not null,
      namespace integer not null references external_id_namespace (id),
      entity integer not null,
      primary key (type, value, namespace)
    ) strict, without rowid`,
    "create index external_id_entity on external_id (type, entity)",
  ],
};
