import { type ErrorDetails, KinoraError } from "../../errors.ts";
import { raced, repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import type { MetadataValues } from "../documents/metadata-document.ts";
import { entityKey } from "../entity.ts";
import type { Edited, EditMetadata, Editor } from "./metadata-editing.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import { readRows } from "./metadata-row.ts";
import { requireSame } from "./metadata-write.ts";
import { type PutOptions, putMetadata } from "./put-metadata.ts";
import { spreadRemoval } from "./spread-write.ts";

const longestName = 255;

/** Refuses what cannot be the name of a document: a path addresses it. @throws KinoraError `invalid-input` */
function checkDocumentName(name: string): void {
  const usable = name !== "" && name === name.trim() && name !== "." && name !== ".." && name.length <= longestName;
  if (usable && !/[\p{Cc}\p{Cs}]/u.test(name)) return;
  throw new KinoraError("invalid-input", {
    context: "document",
    value: name.slice(0, longestName),
    explanation: `A document's name has 1 to ${longestName} characters, none of them a control character, and no space at its ends`,
  });
}

/** The serial of a document; `undefined` when there is none of the name. */
export async function findDocument(store: Store, name: string): Promise<number | undefined> {
  const [row] = await store.query({ sql: "select id from metadata_document where name = ?", args: [name] });
  return row === undefined ? undefined : Number(row.id);
}

/** The serial of a document. @throws KinoraError `not-found` */
export async function requireDocument(store: Store, name: string): Promise<number> {
  const serial = await findDocument(store, name);
  if (serial === undefined) throw new KinoraError("not-found", { type: "Document", id: name });
  return serial;
}

const takenDetails: ErrorDetails = { context: "document", explanation: "Another writer has made the document" };
const taken = new KinoraError("conflict", takenDetails);

/** Adds a new document to a change. The commit throws `taken` when another writer has made it. */
function addDocument(store: Store, change: Change, serial: number, name: string): void {
  change.add(
    { sql: "insert into metadata_document (id, name) values (?, ?)", args: [serial, name] },
    { unique: taken },
  );
  change.record({
    entity: "document",
    action: "CREATE",
    entityId: name,
    keys: { documentId: store.ids.format(serial), name, action: "CREATE" },
  });
}

/**
 * Puts metadata on a document, which is made when there is none of the name; both or nothing.
 *
 * @throws KinoraError `invalid-input` for a name that no path can address, and what {@link putMetadata} throws
 */
export async function putDocument(
  environment: MetadataEnvironment,
  edit: EditMetadata,
  editor: Editor,
  name: string,
  metadata: MetadataValues,
  options: PutOptions,
): Promise<Edited> {
  const { store } = environment;
  const known = await findDocument(store, name);
  if (known !== undefined) {
    return putMetadata(environment, edit, editor, { kind: "document", serial: known }, metadata, options);
  }
  checkDocumentName(name);
  const serial = await store.ids.nextSerial("document");
  const make = (change: Change) => addDocument(store, change, serial, name);
  const making: EditMetadata = (by, kind, of, plan) =>
    edit(by, kind, of, async (base) => {
      const planned = await plan(base);
      return planned.after === base.row.metadata ? { ...planned, instead: make } : { ...planned, first: make };
    });
  try {
    return await putMetadata(environment, making, editor, { kind: "document", serial }, metadata, options);
  } catch (error) {
    if (!(error instanceof KinoraError) || error.details !== takenDetails) throw error;
    const made = await requireDocument(store, name);
    return putMetadata(environment, edit, editor, { kind: "document", serial: made }, metadata, options);
  }
}

/** Deletes a document with its metadata and history. @throws KinoraError `not-found` */
export async function deleteDocument(
  environment: MetadataEnvironment,
  startChange: () => Change,
  name: string,
): Promise<void> {
  const { store } = environment;
  await repeatWhenRaced(async () => {
    const serial = await requireDocument(store, name);
    const key = entityKey("document", serial);
    const rows = await readRows(environment, undefined, "document", [serial]);
    const [referring] = await store.query({
      sql: "select count(*) as count from metadata_reference where target = ?",
      args: [key],
    });
    const change = startChange();
    requireSame(change, rows);
    for (const row of rows) await spreadRemoval(environment, change, { ...row, referring: Number(referring?.count) });
    change.require({ sql: "select exists (select 1 from metadata_document where id = ?)", args: [serial] }, raced);
    change.add(
      { sql: "delete from metadata_document where id = ?", args: [serial] },
      { sql: "delete from metadata where id = ?", args: [key] },
      { sql: "delete from change_set where entity = ?", args: [key] },
      { sql: "delete from metadata_reference where source = ?", args: [key] },
    );
    environment.index.remove(change, "document", [serial]);
    change.record({
      entity: "document",
      action: "DELETE",
      entityId: name,
      keys: { documentId: store.ids.format(serial), name, action: "DELETE" },
    });
    await change.commit();
  });
}

/** A page of the documents, in the order of their names, and how many there are. */
export async function listDocuments(
  store: Store,
  offset: number,
  limit: number,
): Promise<{ readonly hits: number; readonly names: readonly string[] }> {
  const [count, page] = await store.readAll([
    { sql: "select count(*) as hits from metadata_document" },
    { sql: "select name from metadata_document order by name limit ? offset ?", args: [limit, offset] },
  ]);
  return { hits: Number(count?.[0]?.hits ?? 0), names: (page ?? []).map((row) => String(row.name)) };
}
