import type { Infer } from "../../documents/declare.ts";
import { attribute, dateTime, document, list, object, text } from "../../documents/declare.ts";
import { URIListDocument } from "../../documents/uri-list.ts";
import { HitTimespanType } from "../search/documents/search-answer.ts";
import { AccessControlMergedDocument } from "./merged-access-document.ts";
import { MetadataDocument, TerseMetadataType } from "./metadata-document.ts";
import { ShapeType } from "./shape-document.ts";

export const ExternalIdentifierType = object("ExternalIdentifierType", {
  entityId: text(),
  entityType: text(),
  namespace: text(),
  externalId: text(),
});
export type ExternalIdentifier = Infer<typeof ExternalIdentifierType>;

/** An item with those parts that were asked for. */
export const ItemType = object("ItemType", {
  id: attribute(text()),
  start: attribute(text()),
  end: attribute(text()),
  base: attribute(text()),
  metadata: MetadataDocument,
  thumbnails: URIListDocument,
  posters: URIListDocument,
  files: URIListDocument,
  terse: TerseMetadataType,
  shape: list(ShapeType),
  "merged-access": AccessControlMergedDocument,
  access: list(object("ItemAccessType", { type: text().required(), permission: text().required() })),
  timespan: list(HitTimespanType),
  externalId: list(ExternalIdentifierType),
});
export type Item = Infer<typeof ItemType>;

export const ItemDocument = document("ItemDocument", ItemType);

/** Who holds an entity locked, and until when. */
export const LockDocument = document("LockDocument", {
  id: text().required(),
  user: text().required(),
  expires: dateTime().required(),
});

/** Fields of an entity that one user holds locked; all when none is named. */
export const MetadataLockDocument = document("MetadataLockDocument", {
  id: text().required(),
  user: text().required(),
  expires: dateTime().required(),
  field: list(text()),
});
export type MetadataLock = Infer<typeof MetadataLockDocument>;

export const MetadataLockListDocument = document("MetadataLockListDocument", {
  lock: list(MetadataLockDocument).jsonEmptyList(),
});
