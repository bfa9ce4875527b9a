import type { Infer } from "../../documents/declare.ts";
import { attribute, boolean, dateTime, document, int, list, long, object, text } from "../../documents/declare.ts";
import { SimpleMetadataDocument } from "../../identity/documents.ts";

/** The item, shapes and components that a file is part of. */
const FileItemType = object("FileItemType", {
  id: text(),
  shape: list(object("FileShapeType", { id: text(), component: list(object("FileComponentType", { id: text() })) })),
});

/** A file, on a storage (`storage` and `path`) or elsewhere (`uri`). */
export const FileType = object("FileType", {
  id: text(),
  path: text(),
  uri: list(text()),
  state: text(),
  size: long(),
  /** SHA-1 in hexadecimal. */
  hash: text(),
  timestamp: dateTime(),
  refreshFlag: int(),
  /** Whether the file is a sequence of files. */
  sequence: boolean(),
  storage: text(),
  item: list(FileItemType),
  metadata: SimpleMetadataDocument,
  range: list(object("FileRangeType", { start: attribute(text()).required(), count: attribute(long()).required() })),
  type: text(),
});

export const FileDocument = document("FileDocument", FileType);
export type FileDocumentValue = Infer<typeof FileType>;
