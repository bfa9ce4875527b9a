import type { ContentLoader } from "../items/item-content.ts";
import type { ItemHooks } from "../items/item-hooks.ts";
import { type ExternalIdEnvironment, identifiersRemoved, readIdentifiers } from "./identifiers.ts";

/** `content=external`: the external identifiers of items. */
export function identifiersOfItems({ store }: ExternalIdEnvironment): ContentLoader {
  return async ({ items }) => {
    const found = await readIdentifiers(store, "item", items);
    return new Map(
      [...found].map(([serial, identifiers]) => {
        const entityId = store.ids.format(serial);
        const externalId = identifiers.map(({ value, namespace }) => ({
          entityId,
          entityType: "item",
          namespace,
          externalId: value,
        }));
        return [serial, { externalId }];
      }),
    );
  };
}

/** Deleted items have no identifiers any more. */
export const externalIdItemHooks: ItemHooks = {
  itemsDeleted: (change, items) => identifiersRemoved(change, "item", items),
};
