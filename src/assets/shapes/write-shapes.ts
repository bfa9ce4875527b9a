import { KinoraError } from "../../errors.ts";
import { putKeyValues } from "../../identity/key-values.ts";
import { raced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import type { KeyValuePair } from "../documents/media-types.ts";
import { identifiersRemoved } from "../external-ids/identifiers.ts";
import type { Component, Shape } from "./shape.ts";
import { encodeShape } from "./shape-body.ts";

const silent = { silent: true } as const;

/** Shapes of one item, before and behind an edit. */
export interface ShapeStep {
  readonly before: readonly Shape[];
  readonly after: readonly Shape[];
}

/** What a step does to shapes. */
export interface ShapeDifference {
  readonly created: readonly Shape[];
  readonly modified: readonly { readonly before: Shape; readonly after: Shape }[];
  readonly deleted: readonly Shape[];
}

export function shapeDifference({ before, after }: ShapeStep): ShapeDifference {
  const earlier = new Map(before.map((shape) => [shape.serial, shape]));
  const later = new Set(after.map(({ serial }) => serial));
  return {
    created: after.filter(({ serial }) => !earlier.has(serial)),
    modified: after.flatMap((shape) => {
      const was = earlier.get(shape.serial);
      return was === undefined || was === shape ? [] : [{ before: was, after: shape }];
    }),
    deleted: before.filter(({ serial }) => !later.has(serial)),
  };
}

/** Lets the change hold only while the shapes of an item are as they were read, and the item is there. */
export function requireSameShapes(change: Change, item: number, before: readonly Shape[]): void {
  const known = before.map(({ serial, writes }) => `${serial}:${writes}`).join();
  change.require(
    {
      sql: `select exists (select 1 from item where id = ?1) and (
          select coalesce(group_concat(known, ','), '') = ?2
          from (select id || ':' || writes as known from shape where item = ?1 order by id))`,
      args: [item, known],
    },
    raced,
  );
}

function values(shape: Shape) {
  return [
    shape.item,
    shape.created,
    shape.version,
    shape.versioned ?? null,
    shape.awaited ? 1 : 0,
    encodeShape(shape),
    shape.serial,
  ];
}

function insertShape(change: Change, shape: Shape): void {
  change.add(
    {
      sql: "insert into shape (item, created, version, versioned, awaited, writes, body, id) values (?, ?, ?, ?, ?, 1, ?, ?)",
      args: values(shape),
    },
    silent,
  );
}

function updateShape(change: Change, shape: Shape): void {
  change.add(
    {
      sql: `update shape set item = ?, created = ?, version = ?, versioned = ?, awaited = ?, writes = writes + 1, body = ?
        where id = ?`,
      args: values(shape),
    },
    silent,
  );
}

function writeTags(change: Change, shape: Shape, former: readonly string[]): void {
  const gone = former.filter((tag) => !shape.tags.includes(tag));
  const fresh = shape.tags.filter((tag) => !former.includes(tag));
  if (gone.length > 0) {
    change.add(
      {
        sql: "delete from shape_tagging where shape = ? and tag in (select value from json_each(?))",
        args: [shape.serial, JSON.stringify(gone)],
      },
      silent,
    );
  }
  for (const tag of fresh) {
    requireTag(change, tag);
    change.add({ sql: "insert into shape_tagging (tag, shape) values (?, ?)", args: [tag, shape.serial] }, silent);
  }
}

/** Lets the change hold only while a shape tag is defined. */
export function requireTag(change: Change, tag: string): void {
  // This one is always defined.
  if (tag === originalTag) return;
  change.require(
    { sql: "select exists (select 1 from shape_tag where name = ?)", args: [tag] },
    new KinoraError("not-found", { type: "shape-tag", id: tag }),
  );
}

/** The tag of the media that an item was imported with. */
export const originalTag = "original";

interface Link {
  readonly file: number;
  readonly component: number;
}

function linksOf(components: readonly Component[]): readonly Link[] {
  return components.flatMap(({ serial, files }) => files.map((file) => ({ file, component: serial })));
}

function writeLinks(change: Change, shape: Shape, former: readonly Component[]): void {
  const linkKey = ({ file, component }: Link) => `${file}:${component}`;
  const before = linksOf(former);
  const after = linksOf(shape.components);
  const had = new Set(before.map(linkKey));
  const has = new Set(after.map(linkKey));
  for (const { file, component } of before.filter((link) => !has.has(linkKey(link)))) {
    change.add({ sql: "delete from shape_file where file = ? and component = ?", args: [file, component] }, silent);
  }
  for (const { file, component } of after.filter((link) => !had.has(linkKey(link)))) {
    change.require({ sql: "select exists (select 1 from file where id = ?)", args: [file] }, raced);
    change.add(
      {
        sql: "insert into shape_file (file, component, shape) values (?, ?, ?)",
        args: [file, component, shape.serial],
      },
      silent,
    );
  }
}

function writePairs(change: Change, entity: string, serial: number, pairs: readonly KeyValuePair[]): void {
  if (pairs.length === 0) return;
  const row = { sql: "?", args: [serial] };
  putKeyValues(change, { entity, row, missing: raced }, { field: pairs });
}

function removePairs(change: Change, entity: string, serials: readonly number[]): void {
  if (serials.length === 0) return;
  change.add(
    {
      sql: "delete from key_value where entity = ? and entity_id in (select value from json_each(?))",
      args: [entity, JSON.stringify(serials)],
    },
    silent,
  );
}

const nothing: Pick<Shape, "tags" | "components"> = { tags: [], components: [] };

function writeParts(change: Change, shape: Shape, former: Pick<Shape, "tags" | "components">): void {
  writeTags(change, shape, former.tags);
  writeLinks(change, shape, former.components);
  const had = new Set(former.components.map(({ serial }) => serial));
  const has = new Set(shape.components.map(({ serial }) => serial));
  for (const { serial, metadata } of shape.components) {
    if (!had.has(serial)) writePairs(change, "component", serial, metadata);
  }
  removePairs(
    change,
    "component",
    former.components.map(({ serial }) => serial).filter((serial) => !has.has(serial)),
  );
}

/** Adds the rows of a difference to a change. The pairs of shapes and components that were there before stay. */
export function addShapeRows(change: Change, { created, modified, deleted }: ShapeDifference): void {
  for (const shape of deleted) {
    writeParts(change, { ...shape, ...nothing }, shape);
    change.add({ sql: "delete from shape where id = ?", args: [shape.serial] }, silent);
  }
  const gone = deleted.map(({ serial }) => serial);
  removePairs(change, "shape", gone);
  if (gone.length > 0) identifiersRemoved(change, "shape", gone);
  for (const { before, after } of modified) {
    writeParts(change, after, before);
    updateShape(change, after);
  }
  for (const shape of created) {
    insertShape(change, shape);
    writeParts(change, shape, nothing);
    writePairs(change, "shape", shape.serial, shape.metadata);
  }
}
