import { document, int, list, object, text } from "../../documents/declare.ts";

/** Named documents of metadata. */
export const DocumentListDocument = document("DocumentListDocument", {
  hits: int(),
  document: list(object("DocumentListEntryType", { name: text().required(), uri: text().required() })).jsonEmptyList(),
});
