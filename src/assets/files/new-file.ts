import { toEpoch } from "../../documents/date-time.ts";
import { KinoraError } from "../../errors.ts";
import { checkText } from "../../identity/names.ts";
import type { FileDocumentValue } from "../documents/file-document.ts";
import { type FileRange, type FileState, fileStates } from "./file-row.ts";

/** A file that becomes known: where it is, and what is known of it. */
export interface NewFile {
  /** The serial of a storage, and the path from its root; or else the address. */
  readonly storage?: number;
  readonly path?: string;
  readonly uri?: string;
  /** Default `CLOSED`. */
  readonly state?: FileState;
  readonly size?: number;
  readonly hash?: string;
  /** In epoch milliseconds. */
  readonly modified?: number;
  readonly sequence?: boolean;
  readonly type?: string;
  readonly ranges?: readonly FileRange[];
  readonly metadata?: NonNullable<FileDocumentValue["metadata"]>["field"];
}

/** Characters of the longest address. */
const longestUri = 4096;

function refuse(context: string, value: string, explanation: string): never {
  throw new KinoraError("invalid-input", { context, value: value.slice(0, 200), explanation });
}

/** Refuses what is no absolute URI. Credentials have no place in one: it is shown to whoever may read the file. */
export function checkFileUri(uri: string): void {
  checkText(uri, "uri", longestUri);
  if (!URL.canParse(uri)) refuse("uri", uri, "The address of a file is an absolute URI, such as file:///mnt/a/b.mp4");
  const { username, password } = new URL(uri);
  if (username !== "" || password !== "") refuse("uri", "", "The address of a file has no user name or password in it");
}

/** The state that a text names. @throws KinoraError `invalid-input` */
export function fileState(text: string): FileState {
  const state = fileStates.find((one) => one === text.toUpperCase());
  return state ?? refuse("state", text, `The state of a file must be one of ${fileStates.join(", ")}`);
}

/**
 * What a document says of a file that is not on a storage.
 *
 * @throws KinoraError `invalid-input` for an address, state or hash that cannot be; `not-found` for a storage
 */
export function fileFromDocument(document: FileDocumentValue): NewFile {
  const { storage, path, uri = [], state, size, hash, timestamp, sequence, type, range, metadata } = document;
  if (storage !== undefined) throw new KinoraError("not-found", { type: "Storage", id: storage });
  if (path !== undefined) refuse("path", path, "A path is that of a file on a storage; name the storage");
  const [address] = uri;
  if (address === undefined || uri.length > 1) refuse("uri", String(uri.length), "A file has one address");
  checkFileUri(address);
  if (hash !== undefined && !/^[0-9a-fA-F]{40}$/.test(hash)) refuse("hash", hash, "A hash is SHA-1 in hexadecimal");
  if (size !== undefined && (typeof size === "bigint" || size < 0)) refuse("size", String(size), "A size is in bytes");
  return {
    uri: address,
    ...(state === undefined ? {} : { state: fileState(state) }),
    ...(size === undefined ? {} : { size: Number(size) }),
    ...(hash === undefined ? {} : { hash: hash.toLowerCase() }),
    ...(timestamp === undefined ? {} : { modified: toEpoch(timestamp) }),
    ...(sequence === undefined ? {} : { sequence }),
    ...(type === undefined ? {} : { type }),
    ...(range === undefined ? {} : { ranges: range }),
    ...(metadata?.field === undefined ? {} : { metadata: metadata.field }),
  };
}
