import type { Infer } from "../../documents/declare.ts";
import { document, int, list, text } from "../../documents/declare.ts";
import { ExternalIdentifierType } from "./item-document.ts";

/** Identifiers of another system: which texts they are, and which namespace goes first when several would do. */
export const ExternalIdentifierNamespaceDocument = document("ExternalIdentifierNamespaceDocument", {
  name: text(),
  /** A regular expression that the whole identifier matches. */
  pattern: text().required(),
  /** The smaller, the earlier. Default 0. */
  priority: int(),
});
export type ExternalIdNamespace = Infer<typeof ExternalIdentifierNamespaceDocument>;

export const ExternalIdentifierNamespaceListDocument = document("ExternalIdentifierNamespaceListDocument", {
  namespace: list(ExternalIdentifierNamespaceDocument).jsonEmptyList(),
});

export const ExternalIdentifierListDocument = document("ExternalIdentifierListDocument", {
  id: list(ExternalIdentifierType).jsonEmptyList(),
});
