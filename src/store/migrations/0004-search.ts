import type { Migration } from "./declaration.ts";

/** Ends tokens at white space and control characters only; folds A-Z, which the index writes as two characters. */
const tokenize = `tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~'"`;

/** The index of everything that can be searched. `id` is an entity key. */
export const search: Migration = {
  id: 4,
  name: "search",
  statements: [
    // Every token that a search can ask for. Only the index itself is stored, not the texts it is made from.
    `create virtual table search_index using fts5 (tokens, content = '', contentless_delete = 1, ${tokenize})`,
    "create virtual table search_index_token using fts5vocab (search_index, 'row')",
    "create virtual table search_index_place using fts5vocab (search_index, 'instance')",
    // Who may find the entity: the access set it belongs to; 0 for administrators only. timed: it has timespans.
    `create table search_document (
      id integer primary key,
      access integer not null default 0,
      timed integer not null default 0
    ) strict`,
    // How many entities of a kind are in an access set, so that an empty search need not count.
    `create table search_total (
      kind integer not null,
      access integer not null,
      entities integer not null,
      primary key (kind, access)
    ) strict, without rowid`,
    `create trigger search_document_added after insert on search_document begin
      insert into search_total (kind, access, entities) values (new.id & 7, new.access, 1)
        on conflict do update set entities = entities + 1;
    end`,
    `create trigger search_document_removed after delete on search_document begin
      update search_total set entities = entities - 1 where kind = old.id & 7 and access = old.access;
    end`,
    `create trigger search_document_moved after update of access on search_document when old.access <> new.access begin
      update search_total set entities = entities - 1 where kind = old.id & 7 and access = old.access;
      insert into search_total (kind, access, entities) values (new.id & 7, new.access, 1)
        on conflict do update set entities = entities + 1;
    end`,
    // Values to count and to sort by: a JSON object of lists by field key, in the database's binary form.
    "create table search_value (id integer primary key, value blob not null) strict",
    // The same values of sortable fields in their order. ends: 1 the entity's lowest value, 2 its highest, 3 both.
    `create table search_sort (
      field text not null,
      value any not null,
      id integer not null,
      ends integer not null,
      primary key (field, value, id)
    ) strict, without rowid`,
    // Fields that other domains maintain: __collection, __shape_size and the like.
    "create table search_transient_field (id integer primary key, name text not null unique) strict",
    `create table search_transient (
      id integer not null,
      field integer not null,
      value any not null,
      primary key (id, field, value)
    ) strict, without rowid`,
    "create index search_transient_by_value on search_transient (field, value, id)",
    "insert into search_transient_field (name) values ('__user')",
    // Instances of field groups. parent: entry of the instance around it, 0 for none.
    `create table search_group (
      id integer primary key,
      entity integer not null,
      entry integer not null,
      parent integer not null,
      name text not null,
      unique (entity, entry)
    ) strict`,
    `create virtual table search_group_index using fts5 (tokens, content = '', contentless_delete = 1, ${tokenize})`,
    "create virtual table search_group_index_token using fts5vocab (search_group_index, 'row')",
    "create virtual table search_group_index_place using fts5vocab (search_group_index, 'instance')",
    // Entities to be indexed anew, because a change touched more than its batch can hold.
    "create table search_queue (id integer primary key) strict",
    // Rebuilding of an index, asked for by an administrator. after: the last entity or set that was done.
    `create table reindex_request (
      target text primary key,
      priority integer not null,
      status text not null,
      start integer not null,
      finish integer,
      done integer not null,
      total integer not null,
      after integer not null
    ) strict, without rowid`,
    // Searches that users made, the latest of each kept.
    `create table search_history (
      user text not null,
      target text not null,
      query text not null,
      at integer not null,
      primary key (user, target, query)
    ) strict, without rowid`,
    "create index search_history_by_time on search_history (user, target, at)",
  ],
};
