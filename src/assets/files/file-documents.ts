import { fromEpoch } from "../../documents/date-time.ts";
import type { FileDocumentValue } from "../documents/file-document.ts";
import type { StoredFile } from "./file-row.ts";

/** Which addresses of files a request wants. */
export interface UriFilter {
  /** Only those of this scheme: `file`, `http`, `s3`. */
  readonly scheme?: string | undefined;
}

/** Where a file is; nowhere when it is lost. A file on a storage has the addresses that the storage's methods give it. */
export function urisOf(file: StoredFile, { scheme }: UriFilter = {}): readonly string[] {
  if (file.uri === undefined || file.state === "LOST") return [];
  return scheme === undefined || file.uri.toLowerCase().startsWith(`${scheme.toLowerCase()}:`) ? [file.uri] : [];
}

/** A file as a document. */
export function fileDocument(
  file: StoredFile,
  format: (serial: number) => string,
  filter: UriFilter = {},
): FileDocumentValue {
  const { serial, storage, path, state, size, hash, modified, refreshFlag, sequence, type, ranges, metadata } = file;
  return {
    id: format(serial),
    uri: urisOf(file, filter),
    state,
    refreshFlag,
    ...(path === undefined ? {} : { path }),
    ...(size === undefined ? {} : { size }),
    ...(hash === undefined ? {} : { hash }),
    ...(modified === undefined ? {} : { timestamp: fromEpoch(modified) }),
    ...(sequence ? { sequence } : {}),
    ...(storage === undefined ? {} : { storage: format(storage) }),
    ...(metadata.length === 0 ? {} : { metadata: { field: metadata } }),
    ...(ranges === undefined ? {} : { range: ranges }),
    ...(type === undefined ? {} : { type }),
  };
}
