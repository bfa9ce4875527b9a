import type { Store } from "../../store/store.ts";
import type { AccessPort, Fragment } from "../access-port.ts";
import type { ContentLoader } from "../items/item-content.ts";
import { accessEntityOf, accessKey } from "./access-entity.ts";
import { operationTypes } from "./merged-access.ts";
import { mergedContent } from "./merged-content.ts";
import { permissionWord } from "./wanted-entry.ts";

/** `content=access`: what the caller may do with each item, by the kind of operation. */
export function accessContent(store: Store, access: Pick<AccessPort, "rank">): ContentLoader {
  return async ({ subject, items }) => {
    const ranks: Fragment[] = [];
    for (const type of operationTypes) {
      ranks.push(await access.rank(subject, "item", "i.value", type === "GENERIC" ? undefined : { type }));
    }
    const columns = ranks.map(({ sql }, index) => `${sql} as rank_${index}`).join(", ");
    const rows = await store.query({
      sql: `select i.value as id, ${columns} from json_each(?) i`,
      args: [...ranks.flatMap(({ args }) => args), JSON.stringify(items)],
    });
    return new Map(
      rows.map((row) => {
        const permissions = operationTypes.map((type, index) => ({
          type,
          permission: permissionWord(Number(row[`rank_${index}`])),
        }));
        return [Number(row.id), { access: permissions }];
      }),
    );
  };
}

/** `content=merged-access`: what the caller may do with each item, and through which entries. */
export function mergedAccessContent(store: Store): ContentLoader {
  return async (request) => {
    const keys = request.items.map((item) => accessKey("item", item));
    const found = await mergedContent(store, request, keys);
    return new Map([...found].map(([key, part]) => [accessEntityOf(key).serial, part]));
  };
}
