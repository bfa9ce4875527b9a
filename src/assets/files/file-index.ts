import { fromEpoch } from "../../documents/date-time.ts";
import type { RelatedValue } from "../related-index-port.ts";
import type { StoredFile } from "./file-row.ts";

type IndexedFile = Pick<StoredFile, "serial" | "state"> &
  Partial<Pick<StoredFile, "storage" | "path" | "uri" | "size" | "hash" | "modified" | "type">>;

/** The values that a file is found by. */
export function fileValues(file: IndexedFile, format: (serial: number) => string): readonly RelatedValue[] {
  const { serial, storage, path, uri, state, size, hash, modified, type } = file;
  const optional: readonly (RelatedValue | undefined)[] = [
    storage === undefined ? undefined : { name: "storage", type: "string-exact", text: format(storage) },
    path === undefined ? undefined : { name: "path", type: "string-exact", text: path },
    uri === undefined ? undefined : { name: "uri", type: "string-exact", text: uri },
    size === undefined ? undefined : { name: "size", type: "long", text: String(size) },
    hash === undefined ? undefined : { name: "hash", type: "string-exact", text: hash },
    modified === undefined ? undefined : { name: "timestamp", type: "date", text: fromEpoch(modified) },
    type === undefined ? undefined : { name: "type", type: "string-exact", text: type },
  ];
  return [
    { name: "id", type: "string-exact", text: format(serial) },
    { name: "state", type: "string-exact", text: state },
    ...optional.filter((value) => value !== undefined),
  ];
}
