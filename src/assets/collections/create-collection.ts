import { KinoraError } from "../../errors.ts";
import type { Collection } from "../documents/collection-document.ts";
import type { MetadataValues } from "../documents/metadata-document.ts";
import { entityKey } from "../entity.ts";
import { difference } from "../metadata/difference.ts";
import { rightsFor } from "../metadata/metadata-documents.ts";
import { recordWrite } from "../metadata/metadata-event.ts";
import { addMetadataWrite } from "../metadata/metadata-write.ts";
import { type ChangeStamp, emptyMetadata, type Metadata } from "../metadata/model.ts";
import { requireReferences } from "../metadata/put-metadata.ts";
import { systemUser } from "../metadata/system-user.ts";
import { applyUpdate } from "../metadata/update/apply-update.ts";
import { checkSchema } from "../metadata/update/check-schema.ts";
import { recordCollection } from "./collection-events.ts";
import { titleField } from "./collection-title.ts";
import type { CollectionEditing } from "./edit-content.ts";

/** A collection as it is asked for. */
export interface CollectionRequestBody {
  readonly name?: string | undefined;
  readonly document?: Collection | undefined;
  /** The settings profile whose access entries the collection gets. */
  readonly settings?: string | undefined;
  readonly externalId?: string | undefined;
}

/** Characters of the longest name. */
export const longestName = 1000;

function untimed(fields: Readonly<Record<string, string>>): MetadataValues {
  return { timespan: [{ field: Object.entries(fields).map(([name, value]) => ({ name, value: [{ value }] })) }] };
}

/**
 * Creates an empty collection: its row, its metadata (what the caller gives, then one change set of the service with
 * identity, time and title), its access, its place in the index.
 *
 * @returns its serial
 * @throws KinoraError what the metadata throws; `not-found` for an unknown settings profile; `invalid-input` for a name that
 * is too long
 */
export async function createCollection(
  { environment, subject, change: startChange }: CollectionEditing,
  { name, document, settings, externalId }: CollectionRequestBody,
): Promise<number> {
  const { store, ids } = environment;
  const change = startChange();
  const definitions = await environment.definitions.current();
  const rights = await rightsFor(environment, definitions, subject);
  const serial = await store.ids.nextSerial("asset");
  const [ownSet = 0, systemSet = 0] = await store.ids.takeSerials("change-set", 2);
  const now = store.now();
  const { field, group } = definitions;
  const context = { field, group, entryOf: () => undefined, mayWrite: rights.mayWrite };
  const stampOf = (id: number, user: string, before: Metadata): ChangeStamp => {
    return { id, user, time: now, sequence: (before.last?.sequence ?? 0) + 1, writtenOut: false };
  };
  const own = applyUpdate(emptyMetadata, document?.metadata ?? {}, {
    ...context,
    stamp: stampOf(ownSet, subject.userName, emptyMetadata),
    system: false,
  });
  checkSchema(emptyMetadata, own, definitions);
  await requireReferences(environment, { subject, change: startChange }, emptyMetadata, own);
  const collectionId = ids.format(serial);
  const title = checkedName(name ?? document?.name);
  const fields = { collectionId, created: new Date(now).toISOString(), ...(title === undefined ? {} : { title }) };
  const identified = applyUpdate(own, untimed(fields), {
    ...context,
    stamp: stampOf(systemSet, systemUser, own),
    mayWrite: () => true,
    system: true,
  });

  const owner = subject.userName;
  const zero = ["0"] as const;
  const transient = { __user: [owner], user: [owner], __items_size: zero, __child_collection_size: zero };
  change.add({ sql: "insert into collection (id, created) values (?, ?)", args: [serial, now] }, { silent: true });
  recordCollection(change, "CREATE", collectionId);
  await environment.access.created(change, "collection", serial, owner, settings);
  const entity = { kind: "collection", serial, key: entityKey("collection", serial), writes: 0 } as const;
  const states = [emptyMetadata, own, identified] as const;
  addMetadataWrite(environment, change, { entity, states, definitions, owner, transient }, undefined);
  for (const size of ["__items_size", "__child_collection_size"]) {
    environment.index.transient(change, "collection", [serial], size, zero);
  }
  if (own.last !== undefined) {
    recordWrite(environment, change, entity, own.last, difference(emptyMetadata, own), own);
  }
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
  return untimed({ [titleField]: name });
}
