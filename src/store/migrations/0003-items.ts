import type { Migration } from "./declaration.ts";

/**
 * Items, metadata and its definitions.
 *
 * An entity with metadata is named by one integer, 8 × its serial + its kind. All of its current metadata is one row,
 * so that reading it is one look-up. A change set has a row only when part of what it added is no longer current, or
 * it took something away: otherwise it is in the current metadata already, entry by entry.
 */
export const items: Migration = {
  id: 3,
  name: "items",
  statements: [
    `create table item (
      id integer primary key,
      created integer not null,
      owner text not null
    ) strict`,
    // writes counts the changes of the row: a write holds only when it is as it was read
    `create table metadata (
      id integer primary key,
      writes integer not null,
      body text not null,
      transient text
    ) strict`,
    `create table change_set (
      entity integer not null,
      sequence integer not null,
      id integer not null,
      user text not null,
      time integer not null,
      body text not null,
      primary key (entity, sequence)
    ) strict, without rowid`,
    // which entities show content of another
    `create table metadata_reference (
      target integer not null,
      source integer not null,
      primary key (target, source)
    ) strict, without rowid`,
    "create index metadata_reference_source on metadata_reference (source)",
    // what the UUIDs of entries are mixed with, different in every database
    "create table metadata_salt (id integer primary key check (id = 1), salt text not null) strict",
    "insert into metadata_salt (id, salt) values (1, lower(hex(randomblob(16))))",
    `create table metadata_lock (
      id integer primary key,
      entity integer not null,
      user text not null,
      expires integer not null,
      fields text not null
    ) strict`,
    "create index metadata_lock_entity on metadata_lock (entity)",
    `create table metadata_document (
      id integer primary key,
      name text not null unique
    ) strict`,
    `create table metadata_field (
      id integer primary key,
      name text not null unique,
      definition text not null,
      enumeration text
    ) strict`,
    `create table metadata_field_group (
      id integer primary key,
      name text not null unique,
      definition text not null
    ) strict`,
    `create table metadata_field_group_member (
      group_id integer not null references metadata_field_group (id) on delete cascade,
      kind text not null check (kind in ('field', 'group')),
      member_id integer not null,
      position integer not null,
      occurrence text,
      primary key (group_id, kind, member_id)
    ) strict, without rowid`,
    "create index metadata_field_group_member_member on metadata_field_group_member (kind, member_id)",
    `create table metadata_field_access (
      id integer primary key,
      field_id integer references metadata_field (id) on delete cascade,
      group_id integer references metadata_field_group (id) on delete cascade,
      user text,
      user_group text,
      permission text not null check (permission in ('READ', 'WRITE', 'DELETE')),
      check ((field_id is null) <> (group_id is null))
    ) strict`,
    "create index metadata_field_access_field on metadata_field_access (field_id)",
    "create index metadata_field_access_group on metadata_field_access (group_id)",
    `create table metadata_schema_group (
      name text primary key,
      content text not null
    ) strict, without rowid`,
    `create table item_lock (
      item integer primary key,
      id integer not null,
      user text not null,
      expires integer not null
    ) strict`,
    // direction: 'D' from source to target, 'U' both ways
    `create table item_relation (
      id integer primary key,
      source integer not null,
      target integer not null,
      direction text not null check (direction in ('D', 'U')),
      pairs text not null
    ) strict`,
    "create index item_relation_source on item_relation (source)",
    "create index item_relation_target on item_relation (target)",
  ],
};
