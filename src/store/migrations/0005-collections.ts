import type { Migration } from "./declaration.ts";

/**
 * Access control, collections and libraries. Entities are named by their keys (8 × serial + kind; a library is of kind 7).
 *
 * `search_document.access` of an entity is its access set. A set stands for how an entity is placed (owner, own
 * entries, containers that pass on), its class for what comes of it: who may do what. See docs/adr/0005-access-sets.md.
 */
export const collections: Migration = {
  id: 5,
  name: "collections",
  statements: [
    // Users and groups that entries name; users have even numbers, groups odd ones. The key goes when the user or group
    // is deleted, so that another of that name gets nothing. What a suspended user granted is not in force.
    `create table access_principal (
      id integer primary key,
      key text unique,
      name text not null,
      suspended integer not null default 0 check (suspended in (0, 1))
    ) strict`,
    "create index access_principal_suspended on access_principal (id) where suspended = 1",
    // Entries that were made. The owner's entry is no row: it is in the set. reach: see reach.ts
    `create table access_entry (
      id integer primary key,
      entity integer not null,
      principal integer not null,
      permission integer not null check (permission between 0 and 3),
      reach integer not null,
      priority integer not null,
      operation text not null,
      grantor integer not null
    ) strict`,
    "create index access_entry_entity on access_entry (entity)",
    "create index access_entry_principal on access_entry (principal)",
    "create table access_class (id integer primary key, key text not null unique) strict",
    // Of the rows of a subject's principals that with the highest grade decides; its low three bits are the permission.
    `create table access_reader (
      class integer not null,
      principal integer not null,
      operation text not null,
      grantor integer not null,
      grade integer not null,
      primary key (class, principal, operation, grantor)
    ) strict, without rowid`,
    "create index access_reader_principal on access_reader (principal, class, operation, grantor, grade)",
    // key: the placement in JSON, see access-set.ts. Numbers are never used twice.
    `create table access_set (
      id integer primary key autoincrement,
      key text not null unique,
      class integer not null
    ) strict`,
    "create index access_set_class on access_set (class)",
    `create table access_set_parent (
      container integer not null,
      access_set integer not null,
      primary key (container, access_set)
    ) strict, without rowid`,
    "create index access_set_parent_set on access_set_parent (access_set, container)",
    // Groups that get access to what a user imports, and named profiles of entries.
    `create table import_access (
      user text not null,
      user_group text not null,
      permission integer not null check (permission between 0 and 3),
      primary key (user, user_group)
    ) strict, without rowid`,
    "create table import_settings (id integer primary key, user text not null, entries text not null) strict",
    "create index import_settings_user on import_settings (user)",

    // Numbers of members by kind are kept by the triggers below. changes counts the changes of the content.
    `create table collection (
      id integer primary key,
      created integer not null,
      changes integer not null default 0,
      items integer not null default 0,
      collections integer not null default 0,
      libraries integer not null default 0,
      folder_mapped integer not null default 0 check (folder_mapped in (0, 1)),
      folder_name text
    ) strict`,
    // passes: who put the member in was allowed to share it, so what the collection grants reaches it
    `create table collection_member (
      collection integer not null,
      kind integer not null check (kind in (1, 2, 7)),
      member integer not null,
      position integer not null,
      passes integer not null check (passes in (0, 1)),
      metadata text,
      primary key (collection, kind, member)
    ) strict, without rowid`,
    "create index collection_member_of on collection_member (kind, member, collection, passes)",
    "create index collection_member_order on collection_member (collection, position)",
    `create trigger collection_member_added after insert on collection_member begin
      update collection set items = items + (new.kind = 1), collections = collections + (new.kind = 2),
        libraries = libraries + (new.kind = 7) where id = new.collection;
    end`,
    `create trigger collection_member_removed after delete on collection_member begin
      update collection set items = items - (old.kind = 1), collections = collections - (old.kind = 2),
        libraries = libraries - (old.kind = 7) where id = old.collection;
    end`,
    // query: the search it is made from, in JSON. shares: what it grants, or is granted, reaches its items
    `create table library (
      id integer primary key,
      created integer not null,
      owner text not null,
      update_mode text not null check (update_mode in ('MERGE', 'REPLACE', 'TRANSIENT')),
      auto_refresh integer not null check (auto_refresh in (0, 1)),
      update_frequency integer not null,
      last_update integer not null,
      query text,
      items integer not null default 0,
      shares integer not null default 0 check (shares in (0, 1))
    ) strict`,
    "create index library_due on library (last_update) where auto_refresh = 1",
    `create table library_item (
      library integer not null,
      item integer not null,
      passes integer not null check (passes in (0, 1)),
      primary key (library, item)
    ) strict, without rowid`,
    "create index library_item_of on library_item (item, library, passes)",
    `create trigger library_item_added after insert on library_item begin
      update library set items = items + 1 where id = new.library;
    end`,
    `create trigger library_item_removed after delete on library_item begin
      update library set items = items - 1 where id = old.library;
    end`,
    // Work that is too much for one batch and goes on in slices. cursor: how far it came
    `create table asset_task (
      id integer primary key,
      name text not null,
      payload text not null,
      cursor integer not null default 0
    ) strict`,
  ],
};
