import type { Store } from "../../store/store.ts";
import { accessKey } from "../access/access-entity.ts";
import type { ItemHooks } from "../items/item-hooks.ts";
import { leaveCollections } from "./leave-collections.ts";

/** Lets deleted items leave the collections and libraries that they are in. */
export function membershipHooks({ store }: { readonly store: Store }): ItemHooks {
  return {
    async itemsDeleted(change, items) {
      await leaveCollections(
        store,
        change,
        items.map((item) => accessKey("item", item)),
      );
      change.add(
        {
          sql: "delete from library_item where item in (select value from json_each(?))",
          args: [JSON.stringify(items)],
        },
        { silent: true },
      );
    },
  };
}
