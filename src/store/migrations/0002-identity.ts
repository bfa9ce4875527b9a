import type { Migration } from "./declaration.ts";

/**
 * Users, groups, roles and what proves who somebody is.
 *
 * A role is a row of `user_group` with `role` = 1. Membership and hierarchy are edges; who belongs to what through
 * parents is found by a recursive query over `group_child`, so that no closure has to be kept in step.
 */
export const identity: Migration = {
  id: 2,
  name: "identity",
  statements: [
    `create table user (
      id integer primary key,
      name text not null unique,
      real_name text,
      password text,
      salt blob,
      disabled integer not null default 0 check (disabled in (0, 1)),
      access_preserved integer not null default 0 check (access_preserved in (0, 1)),
      run_as_enabled integer not null default 1 check (run_as_enabled in (0, 1)),
      origin text,
      provisioned_by text,
      created integer not null
    ) strict`,
    `create table user_alias (
      name text primary key,
      user_id integer not null references user (id)
    ) strict, without rowid`,
    "create index user_alias_user on user_alias (user_id)",
    `create table user_group (
      id integer primary key,
      name text not null unique,
      description text,
      role integer not null default 0 check (role in (0, 1)),
      origin text,
      created integer not null
    ) strict`,
    // origin: who made the membership, when it was not a caller of the API; such memberships may end the same way
    `create table group_user (
      user_id integer not null references user (id),
      group_id integer not null references user_group (id),
      origin text,
      primary key (user_id, group_id)
    ) strict, without rowid`,
    "create index group_user_group on group_user (group_id, user_id)",
    `create table group_child (
      parent_id integer not null references user_group (id),
      child_id integer not null references user_group (id),
      primary key (parent_id, child_id),
      check (parent_id <> child_id)
    ) strict, without rowid`,
    "create index group_child_child on group_child (child_id, parent_id)",
    `create table token (
      hash text primary key,
      user_id integer not null references user (id),
      seconds integer not null,
      auto_refresh integer not null check (auto_refresh in (0, 1)),
      refreshed integer not null,
      expires integer not null
    ) strict, without rowid`,
    "create index token_user on token (user_id)",
    "create index token_expires on token (expires)",
    `create table access_key (
      id text primary key,
      user_id integer not null references user (id),
      name text,
      secret_hash text not null,
      status text not null check (status in ('ACTIVE', 'INACTIVE')),
      created integer not null
    ) strict, without rowid`,
    "create index access_key_user on access_key (user_id, created)",
    // simple metadata of any kind of entity: 'user', 'group', 'storage' … by the number of its row
    `create table key_value (
      entity text not null,
      entity_id integer not null,
      key text not null,
      value text not null,
      primary key (entity, entity_id, key)
    ) strict, without rowid`,
    `create table configuration_property (
      key text primary key,
      value text not null,
      changed integer not null
    ) strict, without rowid`,
    `create table configuration_document (
      name text primary key,
      value text not null,
      version integer not null,
      changed integer not null
    ) strict, without rowid`,
    `create table audit (
      id integer primary key autoincrement,
      time integer not null,
      user_name text not null,
      run_as text,
      method text not null,
      path text not null,
      query text,
      matrix text,
      content_type text,
      content_length integer,
      body text,
      status integer not null,
      request_id text
    ) strict`,
    "create index audit_time on audit (time)",
    "create index audit_user on audit (user_name, time)",
  ],
};
