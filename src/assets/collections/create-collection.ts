import { KinoraError } from "../../errors.ts";
import type { Collection } from "../documents/collection-document.ts";
import type { MetadataValues } from "../documents/metadata-document.ts";
import { addNewMetadata, untimedFields } from "../metadata/new-metadata.ts";
import { recordCollection } from "./collection-events.ts";
import { titleField } from "./collection-title.ts";
import type { CollectionEditing } from "./plan-content.ts";

/** A collection as it is asked for. */
export interface NewCollection {
  readonly name?: string | undefined;
  readonly document?: Collection | undefined;
  /** The settings profile whose access entries the collection gets. */
  readonly settings?: string | undefined;
  readonly externalId?: string | undefined;
}

/** Characters of the longest name. */
const longestName = 1000;

/**
 * Creates an empty collection: its row, its access, its metadata (what the caller gives, then one change set of the
 * service with identity, time and title), its place in the index.
 *
 * @returns its serial
 * @throws KinoraError what the metadata throws; `not-found` for an unknown settings profile; `invalid-input` for a name that
 * is too long
 */
export async function createCollection(
  editing: CollectionEditing,
  { name, document, settings, externalId }: NewCollection,
): Promise<number> {
  const { environment, subject } = editing;
  const { store, ids } = environment;
  const change = editing.change();
  const serial = await store.ids.nextSerial("asset");
  const now = store.now();
  const owner = subject.userName;
  const collectionId = ids.format(serial);
  const title = checkedName(name ?? document?.name);
  change.add(
    {
      sql: "insert into collection (id, created, absolute_time) values (?, ?, ?)",
      args: [serial, now, document?.absoluteTime ? 1 : 0],
    },
    { silent: true },
  );
  recordCollection(change, "CREATE", collectionId);
  await environment.access.created(change, "collection", serial, owner, settings);
  const created = new Date(now).toISOString();
  await addNewMetadata(environment, editing, change, {
    kind: "collection",
    serial,
    owner,
    own: document?.metadata,
    system: [{ collectionId, created, ...(title === undefined ? {} : { [titleField]: title }) }],
    transient: { __items_size: ["0"], __child_collection_size: ["0"] },
  });
  if (externalId !== undefined) await environment.identify?.(change, serial, externalId);
  await change.commit();
  return serial;
}

/** A name, or none for an empty one. @throws KinoraError `invalid-input` */
export function checkedName(name: string | undefined): string | undefined {
  if (name === undefined || name === "") return undefined;
  if (name.length <= longestName) return name;
  throw new KinoraError("invalid-input", {
    context: "name",
    explanation: `The name of a collection has at most ${longestName} characters`,
  });
}

/** The metadata that gives a collection its name. */
export function namingMetadata(name: string): MetadataValues {
  return untimedFields({ [titleField]: name });
}
