import type { Migration } from "./declaration.ts";

/** What the store itself needs. */
export const core: Migration = {
  id: 1,
  name: "core",
  statements: [
    // A guard inserts a row only when its condition does not hold; the check then fails the batch. It stays empty.
    "create table guard (ok integer not null constraint guard_holds check (ok = 1)) strict",
    // Ids (with the time in front) of the last changes, to find out after a lost connection whether one was written.
    "create table change_log (id text primary key) strict, without rowid",
    // The next number that no instance has reserved yet.
    "create table id_block (entity text primary key, next integer not null) strict, without rowid",
    "create table version (name text primary key, value integer not null) strict, without rowid",
    `create table lease (
      name text primary key,
      fence integer not null,
      holder text not null,
      expires integer not null
    ) strict, without rowid`,
    `create table event (
      id integer primary key,
      at integer not null,
      entity text not null,
      action text not null,
      entity_id text not null,
      keys text not null,
      actor text not null,
      run_as text,
      request_id text
    ) strict`,
    "create index event_by_entity on event (entity, entity_id)",
    "create index event_by_time on event (at)",
  ],
};
