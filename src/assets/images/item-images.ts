import { parseBoolean } from "../../documents/scalar.ts";
import type { Store } from "../../store/store.ts";
import type { ContentLoader } from "../items/item-content.ts";
import type { ItemHooks } from "../items/item-hooks.ts";
import type { ImageAddresses, ImageKind } from "./image-address.ts";
import { imageUrl } from "./image-urls.ts";
import { imagesRemoved, imageTimes } from "./images.ts";

/** `content=thumbnail` and `content=poster`: the addresses of the images of items. */
export function imagesOfItems(store: Store, addresses: ImageAddresses, kind: ImageKind): ContentLoader {
  return async ({ items, parameter, url }) => {
    const noAuth = parseBoolean(parameter("noauth-url") ?? "") ?? false;
    const choice = { url, noAuth, baseURI: parameter("baseURI") };
    const found = await imageTimes(store, kind, items);
    return new Map(
      items.map((item) => {
        const list = { uri: (found.get(item) ?? []).map((image) => imageUrl(addresses, image, choice)) };
        return [item, kind === "thumbnail" ? { thumbnails: list } : { posters: list }];
      }),
    );
  };
}

/** Deleted items have no images any more. */
export const imageItemHooks: ItemHooks = { itemsDeleted: imagesRemoved };
