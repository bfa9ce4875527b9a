import type { ContentLoader } from "../items/item-content.ts";
import type { ItemHooks } from "../items/item-hooks.ts";
import { identifierDocuments } from "./identifier-documents.ts";
import { type ExternalIdEnvironment, identifiersRemoved } from "./identifiers.ts";

/** `content=external`: the external identifiers of items. */
export function identifiersOfItems({ store }: ExternalIdEnvironment): ContentLoader {
  return async ({ items }) => {
    const found = await identifierDocuments(store, "item", items);
    return new Map([...found].map(([serial, externalId]) => [serial, { externalId }]));
  };
}

/** Deleted items have no identifiers any more. */
export const externalIdItemHooks: ItemHooks = {
  itemsDeleted: (change, items) => identifiersRemoved(change, "item", items),
};
