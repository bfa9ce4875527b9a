import type { Infer } from "../../documents/declare.ts";
import { attribute, boolean, document, list, object, oneOf, text } from "../../documents/declare.ts";
import { SimpleMetadataDocument } from "../../identity/documents.ts";
import { ExternalIdentifierType } from "./item-document.ts";
import { AccessControlMergedDocument } from "./merged-access-document.ts";
import { MetadataDocument, TerseMetadataType } from "./metadata-document.ts";

/** A member of a collection; in requests with what is to be done with it. */
export const CollectionContentType = object("CollectionContentType", {
  mode: attribute(oneOf("add", "remove", "move")),
  before: attribute(text()),
  after: attribute(text()),
  addItems: attribute(boolean()),
  id: text(),
  uri: text(),
  type: oneOf("item", "library", "collection"),
  metadata: SimpleMetadataDocument,
});
export type CollectionContent = Infer<typeof CollectionContentType>;

export const CollectionType = object("CollectionType", {
  loc: text().readOnly(),
  id: text(),
  name: text(),
  content: list(CollectionContentType),
  metadata: MetadataDocument,
  terse: TerseMetadataType,
  "merged-access": AccessControlMergedDocument,
  absoluteTime: boolean(),
  externalId: list(ExternalIdentifierType),
});
export type Collection = Infer<typeof CollectionType>;

export const CollectionDocument = document("CollectionDocument", CollectionType);

const CollectionReorderEntryType = object("CollectionReorderEntryType", {
  id: attribute(text()).required(),
  before: attribute(text()),
  after: attribute(text()),
});

/** Moves of members, carried out one after the other. */
export const CollectionReorderDocument = document("CollectionReorderDocument", {
  item: list(CollectionReorderEntryType),
  collection: list(CollectionReorderEntryType),
  library: list(CollectionReorderEntryType),
});
export type CollectionReorder = Infer<typeof CollectionReorderDocument>;
