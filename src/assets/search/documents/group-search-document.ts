import type { Infer } from "../../../documents/declare.ts";
import { attribute, document, int, list, object, text } from "../../../documents/declare.ts";
import { MetadataFieldGroupDocument } from "../../documents/field-document.ts";
import { MetadataGroupValueType } from "../../documents/metadata-document.ts";

/** Instances of field groups that a search found, with what was asked for of each. */
export const MetadataFieldResultDocument = document("MetadataFieldResultDocument", {
  hits: int().required(),
  group: list(
    object("MetadataFieldResultGroupType", {
      name: attribute(text()).required(),
      uuid: attribute(text()).required(),
      start: attribute(text()).required(),
      end: attribute(text()).required(),
      value: MetadataGroupValueType,
      definition: MetadataFieldGroupDocument,
      source: object("MetadataFieldResultSourceType", { id: text(), type: text(), loc: text() }),
    }),
  ).jsonEmptyList(),
});
export type MetadataFieldResult = Infer<typeof MetadataFieldResultDocument>;
