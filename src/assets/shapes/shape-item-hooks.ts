import { raced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import { identifiersRemoved } from "../external-ids/identifiers.ts";
import type { ItemHooks, KeepOptions } from "../items/item-hooks.ts";
import { awaitedComponents } from "./placeholders.ts";
import type { Shape } from "./shape.ts";
import { checkTagName } from "./shape-bounds.ts";
import type { ShapeEnvironment } from "./shape-environment.ts";
import { recordShape } from "./shape-event.ts";
import { transientFieldsOf } from "./shape-fields.ts";
import { shapeValues } from "./shape-index.ts";
import { addShapeRows } from "./write-shapes.ts";

/** Whether a list of tags or storages that is kept names everything. */
const everything = "*";

/** The SQL condition by which a file of deleted shapes is only unlinked; `undefined` when none is. */
function keptFiles({ keepShapeTagMedia: tags, keepShapeTagStorage: storages }: KeepOptions, parse: ParseId) {
  const conditions: { readonly sql: string; readonly args: readonly string[] }[] = [];
  if (tags.length > 0 && !tags.includes(everything)) {
    conditions.push({
      sql: `exists (select 1 from shape_file l join shape_tagging t on t.shape = l.shape
        where l.file = file.id and t.tag in (select value from json_each(?)))`,
      args: [JSON.stringify(tags)],
    });
  }
  if (storages.length > 0 && !storages.includes(everything)) {
    const serials = storages.map(parse).filter((serial) => serial !== undefined);
    conditions.push({
      sql: "(file.storage is not null and file.storage in (select value from json_each(?)))",
      args: [JSON.stringify(serials)],
    });
  }
  if (tags.length + storages.length === 0) return undefined;
  return {
    sql: ["true", ...conditions.map(({ sql }) => sql)].join(" and "),
    args: conditions.flatMap(({ args }) => args),
  };
}

type ParseId = (id: string) => number | undefined;

const ofItems = "select id from shape where item in (select value from json_each(?))";

/** A select of the files that go with the shapes of items: no other shape has them, and they are not kept. */
function doomedFiles(items: string, keep: KeepOptions, parse: ParseId) {
  const kept = keptFiles(keep, parse);
  return {
    sql: `select file.id from file
      where file.id in (select file from shape_file where shape in (${ofItems}))
        and not exists (select 1 from shape_file other where other.file = file.id and other.shape not in (${ofItems}))
        ${kept === undefined ? "" : `and not (${kept.sql})`}`,
    args: [items, items, ...(kept?.args ?? [])],
  };
}

function addRemoval(change: Change, items: string, doomed: ReturnType<typeof doomedFiles>): void {
  change.add(
    { sql: `update file set state = 'TO_BE_DELETED' where id in (${doomed.sql})`, args: doomed.args },
    {
      sql: `delete from key_value where entity = 'component' and entity_id in (
        select c.value ->> 'i' from shape s, json_each(s.body, '$.c') c
        where s.item in (select value from json_each(?)))`,
      args: [items],
    },
    { sql: `delete from key_value where entity = 'shape' and entity_id in (${ofItems})`, args: [items] },
    { sql: `delete from shape_file where shape in (${ofItems})`, args: [items] },
    { sql: `delete from shape_tagging where shape in (${ofItems})`, args: [items] },
    { sql: "delete from shape where item in (select value from json_each(?))", args: [items] },
  );
}

/**
 * Gives each new placeholder item its shape, and takes the shapes of deleted items with them. Files that no other shape
 * has are then to be deleted, but for those that the options keep: those of shapes with certain tags, those on certain
 * storages, with both those that are both.
 */
export function shapeItemHooks(environment: ShapeEnvironment): ItemHooks {
  const { store, ids, index, locks } = environment;
  return {
    async placeholderCreated(change, { item, tag, frameDuration, ...counts }) {
      checkTagName(tag);
      const components = await awaitedComponents(store.ids, counts, frameDuration);
      const shape: Shape = {
        serial: await store.ids.nextSerial("shape"),
        item,
        created: store.now(),
        version: 0,
        awaited: true,
        tags: [tag],
        mimeTypes: [],
        components,
        metadata: [],
        filenames: {},
        writes: 0,
      };
      addShapeRows(change, { created: [shape], modified: [], deleted: [] });
      index.entity(change, { kind: "shape", serial: shape.serial, fields: shapeValues(shape, ids.format) });
      recordShape(change, "CREATE", ids.format(item), ids.format(shape.serial));
      return { transient: transientFieldsOf([shape], new Map(), ids.format) };
    },

    async itemsDeleted(change, items, keep) {
      const list = JSON.stringify(items);
      const doomed = doomedFiles(list, keep, store.ids.parse);
      const [shapes = [], files = []] = await store.readAll([
        { sql: "select id, item from shape where item in (select value from json_each(?)) order by id", args: [list] },
        doomed,
      ]);
      change.require(
        {
          sql: "select count(*) = ? from shape where item in (select value from json_each(?))",
          args: [shapes.length, list],
        },
        raced,
      );
      if (files.length > 0) {
        locks.requireDeletable(
          change,
          "file",
          files.map(({ id }) => Number(id)),
        );
      }
      addRemoval(change, list, doomed);
      if (shapes.length === 0) return;
      const serials = shapes.map(({ id }) => Number(id));
      index.removeEntity(change, "shape", serials);
      identifiersRemoved(change, "shape", serials);
      for (const { id, item } of shapes) {
        recordShape(change, "DELETE", ids.format(Number(item)), ids.format(Number(id)));
      }
    },
  };
}
