import type { Row } from "../../store/database.ts";
import type { KeyValuePair } from "../documents/media-types.ts";

/** What a file can be; docs/shapes.md says what each means. */
export const fileStates = [
  "NONE",
  "OPEN",
  "CLOSED",
  "UNKNOWN",
  "MISSING",
  "LOST",
  "TO_APPEAR",
  "TO_BE_DELETED",
  "BEING_READ",
  "ARCHIVED",
  "AWAITING_SYNC",
] as const;
export type FileState = (typeof fileStates)[number];

/** A part of a sequence of files. */
export interface FileRange {
  readonly start: string;
  readonly count: number | bigint;
}

/** A file as it is stored. */
export interface StoredFile {
  readonly serial: number;
  /** The serial of the storage that it is on, with the path from the storage's root; else it is at `uri`. */
  readonly storage?: number;
  readonly path?: string;
  readonly uri?: string;
  readonly state: FileState;
  /** In bytes. */
  readonly size?: number;
  /** SHA-1 in hexadecimal. */
  readonly hash?: string;
  /** When it was last written, in epoch milliseconds. */
  readonly modified?: number;
  readonly refreshFlag: number;
  readonly sequence: boolean;
  readonly type?: string;
  readonly ranges?: readonly FileRange[];
  readonly metadata: readonly KeyValuePair[];
}

/** The columns of `file f` that {@link storedFile} reads. */
export const fileColumns =
  "f.id, f.storage, f.path, f.uri, f.state, f.size, f.hash, f.modified, f.refresh_flag, f.sequence, f.type, f.ranges";

/** A row as a file. */
export function storedFile(row: Row, metadata: readonly KeyValuePair[]): StoredFile {
  return {
    serial: Number(row.id),
    state: row.state as FileState,
    refreshFlag: Number(row.refresh_flag),
    sequence: row.sequence === 1,
    metadata,
    ...(row.storage === null ? {} : { storage: Number(row.storage) }),
    ...(row.path === null ? {} : { path: String(row.path) }),
    ...(row.uri === null ? {} : { uri: String(row.uri) }),
    ...(row.size === null ? {} : { size: Number(row.size) }),
    ...(row.hash === null ? {} : { hash: String(row.hash) }),
    ...(row.modified === null ? {} : { modified: Number(row.modified) }),
    ...(row.type === null ? {} : { type: String(row.type) }),
    ...(row.ranges === null ? {} : { ranges: JSON.parse(String(row.ranges)) as readonly FileRange[] }),
  };
}
