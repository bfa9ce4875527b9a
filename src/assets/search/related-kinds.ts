import type { PartAccess } from "../access-port.ts";
import type { FieldType } from "../fields/field-types.ts";
import { relatedFields } from "./index/related-index.ts";
import { kindNumbers } from "./kinds.ts";
import { type Fragment, raw, sql } from "./query/fragment.ts";
import type { SearchKinds } from "./search-ports.ts";

const shapeFields: Readonly<Record<string, FieldType>> = {
  id: "string-exact",
  itemId: "string-exact",
  created: "date",
  essenceVersion: "integer",
  placeholder: "boolean",
  tag: "string-exact",
  mimeType: "string-exact",
  component: "string-exact",
  format: "string-exact",
  containerCodec: "string-exact",
  audioCodec: "string-exact",
  videoCodec: "string-exact",
  binaryCodec: "string-exact",
  width: "integer",
  height: "integer",
  channelCount: "integer",
  bitrate: "long",
};

const fileFields: Readonly<Record<string, FieldType>> = {
  id: "string-exact",
  state: "string-exact",
  storage: "string-exact",
  path: "string-exact",
  uri: "string-exact",
  size: "long",
  hash: "string-exact",
  timestamp: "date",
  type: "string-exact",
};

/** From keys of one kind to serials: the high bits. */
const serials = (keys: Fragment) => sql`(with k (id) as (${keys}) select id / 8 from k)`;
const keysOf = (kind: "item" | "shape" | "file", column: string) => raw(`${column} * 8 + ${kindNumbers[kind]} as id`);

const itemKey = raw(String(kindNumbers.item));
const tagsOf = (shape: Fragment) => sql`select tag as name from shape_tagging where shape = ${shape}`;

/** That a caller may find a shape, by its key. */
const shapeVisible = (id: Fragment, shapes: PartAccess) => sql`exists (select 1 from shape vs
  join search_document vd on vd.id = vs.item * 8 + ${itemKey}
  where vs.id = ${id} / 8 and ${shapes.readable(raw("vd.access"), tagsOf(raw("vs.id")))})`;

/** That a caller may find a file, by its key: one of a shape that they may find. */
const fileVisible = (id: Fragment, shapes: PartAccess) => sql`exists (select 1 from shape_file vl
  join shape vs on vs.id = vl.shape join search_document vd on vd.id = vs.item * 8 + ${itemKey}
  where vl.file = ${id} / 8 and ${shapes.readable(raw("vd.access"), tagsOf(raw("vs.id")))})`;

/**
 * Adds shapes and files to what can be searched, and how they, and items, belong together. Who may read a shape may find
 * it and its files; files of no item are for administrators.
 */
export function registerRelatedKinds(kinds: SearchKinds): void {
  kinds.register({
    kind: "shape",
    fields: relatedFields("shape", shapeFields),
    visible: shapeVisible,
  });
  kinds.register({
    kind: "file",
    fields: relatedFields("file", fileFields),
    visible: fileVisible,
  });
  kinds.link("shape", "item", (keys) => sql`select ${keysOf("item", "item")} from shape where id in ${serials(keys)}`);
  kinds.link("item", "shape", (keys) => sql`select ${keysOf("shape", "id")} from shape where item in ${serials(keys)}`);
  kinds.link(
    "file",
    "shape",
    (keys) => sql`select ${keysOf("shape", "shape")} from shape_file where file in ${serials(keys)}`,
  );
  kinds.link(
    "shape",
    "file",
    (keys) => sql`select ${keysOf("file", "file")} from shape_file where shape in ${serials(keys)}`,
  );
  kinds.link(
    "file",
    "item",
    (keys) => sql`select ${keysOf("item", "s.item")} from shape_file l join shape s on s.id = l.shape
      where l.file in ${serials(keys)}`,
  );
  kinds.link(
    "item",
    "file",
    (keys) => sql`select ${keysOf("file", "l.file")} from shape s join shape_file l on l.shape = s.id
      where s.item in ${serials(keys)}`,
  );
}
