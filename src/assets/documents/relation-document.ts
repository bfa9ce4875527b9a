import type { Infer } from "../../documents/declare.ts";
import { attribute, content, document, list, object, oneOf, text } from "../../documents/declare.ts";

/** A relation between two items: directed from source to target, or undirected. */
export const ItemRelationDocument = document("ItemRelationDocument", {
  id: text(),
  direction: object("ItemRelationDirectionType", {
    type: attribute(oneOf("D", "U")).required(),
    source: text().required(),
    target: text().required(),
  }),
  value: list(object("ItemRelationValueType", { key: attribute(text()).required(), value: content() })),
});
export type ItemRelation = Infer<typeof ItemRelationDocument>;

export const ItemRelationListDocument = document("ItemRelationListDocument", {
  relation: list(ItemRelationDocument).jsonEmptyList(),
});
