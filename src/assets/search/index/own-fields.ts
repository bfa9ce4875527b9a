import { referenceIn } from "../../indexed-reference.ts";
import { type IndexField, indexFieldOf } from "../tokens/field-analysis.ts";

/** When the metadata of an entity was last written; kept by the index itself. */
export const modifiedField: IndexField = {
  name: "__metadata_last_modified",
  key: "$modified",
  analysis: "date",
  fullText: false,
  sortable: true,
  valued: true,
};

/** The references in the metadata of an entity. */
export const referenceField = indexFieldOf(referenceIn("reference")) as IndexField;

/** The owner of an entity; `user` is the same. */
export const ownerField = "__user";

export const aliases: ReadonlyMap<string, string> = new Map([["user", ownerField]]);
