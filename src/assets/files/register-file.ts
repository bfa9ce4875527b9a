import { KinoraError } from "../../errors.ts";
import { putKeyValues } from "../../identity/key-values.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import type { RelatedIndex } from "../related-index-port.ts";
import { fileValues } from "./file-index.ts";
import type { StoredFile } from "./file-row.ts";
import type { NewFile } from "./new-file.ts";

/** Says that a file is known already. */
function known(store: Store, file: NewFile, serial: number | undefined): KinoraError {
  const { format } = store.ids;
  return new KinoraError("file-already-exists", {
    ...(file.storage === undefined ? {} : { context: format(file.storage) }),
    ...(serial === undefined ? {} : { id: format(serial) }),
    ...(file.path === undefined ? {} : { value: file.path }),
  });
}

/** The serial of the file at a place. */
export async function findFile(
  store: Store,
  { storage, path, uri }: Pick<NewFile, "storage" | "path" | "uri">,
): Promise<number | undefined> {
  const [row] = await store.query(
    uri === undefined
      ? { sql: "select id from file where storage = ? and path = ?", args: [storage ?? null, path ?? null] }
      : { sql: "select id from file where uri = ?", args: [uri] },
  );
  return row === undefined ? undefined : Number(row.id);
}

/**
 * Adds a new file to a change and records it; answers its serial. Nothing is looked at where the file is said to be.
 *
 * @throws KinoraError `file-already-exists` at once or by the commit when a file is known at the place
 */
export async function addFile(store: Store, index: RelatedIndex, change: Change, file: NewFile): Promise<number> {
  const present = await findFile(store, file);
  if (present !== undefined) throw known(store, file, present);
  const serial = await store.ids.nextSerial("file");
  const { storage, path, uri, state = "CLOSED", size, hash, modified, sequence = false, type, ranges, metadata } = file;
  change.add(
    {
      sql: `insert into file (id, storage, path, uri, state, size, hash, modified, sequence, type, ranges)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      args: [
        serial,
        storage ?? null,
        path ?? null,
        uri ?? null,
        state,
        size ?? null,
        hash ?? null,
        modified ?? null,
        sequence ? 1 : 0,
        type ?? null,
        ranges === undefined ? null : JSON.stringify(ranges, exact),
      ],
    },
    { silent: true, unique: known(store, file, undefined) },
  );
  if (metadata !== undefined && metadata.length > 0) writePairs(store, change, serial, metadata);
  index.entity(change, { kind: "file", serial, fields: fileValues({ ...file, state, serial }, store.ids.format) });
  recordFile(change, "NEW", serial, storage, store.ids.format);
  return serial;
}

/** Adds to a change that what is said of a file counts now; what is not said stays. */
export function updateFile(store: Store, index: RelatedIndex, change: Change, file: StoredFile, said: NewFile): void {
  const now = { ...file, ...said };
  const { serial, storage, state, size, hash, modified, sequence, type, ranges } = now;
  change.add(
    {
      sql: `update file set state = ?, size = ?, hash = ?, modified = ?, sequence = ?, type = ?, ranges = ? where id = ?`,
      args: [
        state,
        size ?? null,
        hash ?? null,
        modified ?? null,
        sequence ? 1 : 0,
        type ?? null,
        ranges === undefined ? null : JSON.stringify(ranges, exact),
        serial,
      ],
    },
    { silent: true },
  );
  if (said.metadata !== undefined && said.metadata.length > 0) writePairs(store, change, serial, said.metadata);
  index.entity(change, { kind: "file", serial, fields: fileValues(now, store.ids.format) });
  recordFile(change, "CHANGE", serial, storage, store.ids.format);
}

function writePairs(store: Store, change: Change, serial: number, pairs: NonNullable<NewFile["metadata"]>): void {
  const missing = new KinoraError("not-found", { type: "File", id: store.ids.format(serial) });
  putKeyValues(change, { entity: "file", row: { sql: "?", args: [serial] }, missing }, { field: pairs });
}

/** Counts beyond 2^53 are kept as text. */
function exact(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** Records an event of a file with the output keys of the file triggers. */
export function recordFile(
  change: Change,
  action: "NEW" | "CHANGE" | "CLOSE" | "DELETE" | "HASH",
  serial: number,
  storage: number | undefined,
  format: (serial: number) => string,
): void {
  const fileId = format(serial);
  const keys = { fileId, action, ...(storage === undefined ? {} : { storageId: format(storage) }) };
  change.record({ entity: "file", action, entityId: fileId, keys });
}
