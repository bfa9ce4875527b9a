import type { Infer } from "../../documents/declare.ts";
import { attribute, boolean, dateTime, document, int, list, text } from "../../documents/declare.ts";
import { SimpleMetadataDocument } from "../../identity/documents.ts";

/** What protects an item, a collection or a file from deletion until it expires. */
export const DeletionLockDocument = document("DeletionLockDocument", {
  isExpired: attribute(boolean()).readOnly(),
  /** It is that of a collection or item which the entity is in. */
  isInherited: attribute(boolean()).readOnly(),
  /** It is the one that counts: of those that reach the entity and are not expired, the one that expires last. */
  isEffective: attribute(boolean()).readOnly(),
  id: text().readOnly(),
  user: text().readOnly(),
  expiryTime: dateTime(),
  modified: dateTime().readOnly(),
  entityType: text(),
  entityId: text(),
  metadata: SimpleMetadataDocument,
});
export type DeletionLockValue = Infer<typeof DeletionLockDocument>;

export const DeletionLockListDocument = document("DeletionLockListDocument", {
  hits: int(),
  lock: list(DeletionLockDocument).jsonEmptyList(),
});
