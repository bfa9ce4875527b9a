import type { Subject } from "../../plugin/contract.ts";
import type { Store } from "../../store/store.ts";
import type { AccessPort } from "../access-port.ts";
import type { EntityKind } from "../entity.ts";
import type { EntityIds } from "../entity-ids.ts";
import type { DefinitionCache } from "../fields/definition-cache.ts";
import type { MetadataIndex } from "../index-port.ts";
import type { InheritancePort } from "../inheritance-port.ts";
import { type EntryUuids, entryUuids } from "./entry-uuid.ts";
import type { TransientValues } from "./metadata-row.ts";

/** What reading and writing metadata depends on. */
export interface MetadataEnvironment {
  readonly store: Store;
  readonly definitions: DefinitionCache;
  readonly uuids: EntryUuids;
  readonly ids: EntityIds;
  readonly access: AccessPort;
  readonly inheritance: InheritancePort;
  readonly index: MetadataIndex;
  /**
   * Transient fields that are worked out when they are read, and those of which a caller sees less than is written, by the
   * keys of their entities.
   */
  readonly derived?: (
    subject: Subject | undefined,
    rows: readonly { readonly kind: EntityKind; readonly serial: number; readonly transient: TransientValues }[],
  ) => Promise<ReadonlyMap<number, TransientValues>>;
  /** Names of the groups and roles of a user, directly or through parents. */
  readonly groupsOf: (userName: string) => ReadonlySet<string> | Promise<ReadonlySet<string>>;
}

/** Reads what the UUIDs of this database's entries are made with. */
export async function readEntryUuids(store: Store): Promise<EntryUuids> {
  const [row] = await store.query({ sql: "select salt from metadata_salt" });
  return entryUuids(String(row?.salt));
}

/** How a kind of entity names itself in errors and events. */
export interface KindNames {
  /** In not-found errors and references. */
  readonly type: string;
  /** `entity` of the event that a write of metadata records. */
  readonly event: string;
  /** Key of the event that has the identifier. */
  readonly idKey: string;
}

export const kindNames: Readonly<Record<EntityKind, KindNames>> = {
  item: { type: "Item", event: "metadata", idKey: "itemId" },
  collection: { type: "Collection", event: "collection-metadata", idKey: "collectionId" },
  global: { type: "Metadata", event: "global-metadata", idKey: "metadataId" },
  document: { type: "Document", event: "document", idKey: "documentId" },
};
