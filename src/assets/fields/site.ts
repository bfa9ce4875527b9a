import type { Store } from "../../store/store.ts";

/** The name of this site: what identifiers begin with. */
export function siteOf({ ids }: Pick<Store, "ids">): string {
  return ids.format(1).replace(/-1$/, "");
}
