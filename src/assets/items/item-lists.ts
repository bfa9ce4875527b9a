import type { Subject } from "../../plugin/contract.ts";

/** Lists below an item that other domains give. */
export type ItemListName = "collections" | "library";

/** Which list of which item, for whom, with the parameters of the request. */
export interface ItemListRequest {
  readonly subject: Subject;
  readonly item: number;
  /** A parameter of the request, whether the route declares it or not. */
  parameter(name: string): string | undefined;
  /** The absolute URL of a path. */
  url(path: string): string;
}

export type ItemListLoader = (request: ItemListRequest) => Promise<readonly string[]>;

/** The lists below items; empty where no domain gives one. */
export interface ItemLists {
  register(name: ItemListName, loader: ItemListLoader): void;
  list(name: ItemListName, request: ItemListRequest): Promise<readonly string[]>;
}

/** An empty register. */
export function createItemLists(): ItemLists {
  const loaders = new Map<ItemListName, ItemListLoader>();
  return {
    register: (name, loader) => {
      loaders.set(name, loader);
    },
    list: async (name, request) => (await loaders.get(name)?.(request)) ?? [],
  };
}
