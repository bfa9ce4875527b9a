import type { Migration } from "./declaration.ts";

/**
 * Shapes, files, shape tags, thumbnails and posters, deletion locks.
 *
 * All of a shape but its files and its pairs of metadata is one row; beside it stand only what other entities look for:
 * which shapes have a tag, and which files belong to which component.
 */
export const shapes: Migration = {
  id: 6,
  name: "shapes",
  statements: [
    // version: of the essence; versioned: since when the shape has it, when that is not its creation
    // awaited: a placeholder, whose files are still to come; writes: a write holds only when it is as it was read
    `create table shape (
      id integer primary key,
      item integer not null,
      created integer not null,
      version integer not null,
      versioned integer,
      awaited integer not null check (awaited in (0, 1)),
      writes integer not null,
      body text not null
    ) strict`,
    "create index shape_item on shape (item)",
    `create table shape_tagging (
      tag text not null,
      shape integer not null,
      primary key (tag, shape)
    ) strict, without rowid`,
    "create index shape_tagging_shape on shape_tagging (shape)",
    `create table shape_file (
      file integer not null,
      component integer not null,
      shape integer not null,
      primary key (file, component)
    ) strict, without rowid`,
    "create index shape_file_shape on shape_file (shape)",
    `create table shape_tag (
      id integer primary key,
      name text not null unique,
      preset text not null,
      script text
    ) strict`,
    `insert into shape_tag (name, preset) values ('original', '{}')`,
    // a file is on a storage, under a path from its root, or elsewhere, at an address
    `create table file (
      id integer primary key,
      storage integer,
      path text,
      uri text,
      state text not null,
      size integer,
      hash text,
      modified integer,
      refresh_flag integer not null default 1,
      sequence integer not null default 0 check (sequence in (0, 1)),
      type text,
      ranges text,
      check ((storage is null) = (path is null) and (path is null or uri is null))
    ) strict`,
    "create unique index file_path on file (storage, path) where path is not null",
    "create unique index file_uri on file (uri) where uri is not null",
    "create index file_hash on file (hash) where hash is not null",
    "create index file_state on file (storage, state)",
    // kind: 'thumbnail' or 'poster'; position: the exact time as a fraction of seconds, one image for each
    `create table image (
      id integer primary key,
      item integer not null,
      kind text not null check (kind in ('thumbnail', 'poster')),
      version integer not null,
      position text not null,
      seconds real not null,
      time text not null,
      type text not null,
      size integer not null,
      hash text not null,
      unique (item, kind, version, position)
    ) strict`,
    `create table image_part (
      image integer not null,
      part integer not null,
      bytes blob not null,
      primary key (image, part)
    ) strict, without rowid`,
    // what the addresses of images that need no login are signed with, different in every database
    "create table image_key (id integer primary key check (id = 1), secret text not null) strict",
    "insert into image_key (id, secret) values (1, lower(hex(randomblob(32))))",
    `create table deletion_lock (
      id integer primary key,
      type text not null check (type in ('item', 'collection', 'file')),
      entity integer not null,
      user text not null,
      expires integer not null,
      modified integer not null
    ) strict`,
    "create index deletion_lock_entity on deletion_lock (type, entity, expires)",
    "create index deletion_lock_expires on deletion_lock (expires)",
    // entities whose field __deletion_lock_expiry is to be brought up to date; cursor: the last item of a collection done
    `create table deletion_lock_stale (
      type text not null,
      entity integer not null,
      cursor integer,
      primary key (type, entity)
    ) strict, without rowid`,
  ],
};
