import type { Subject } from "../../plugin/contract.ts";
import type { Item } from "../documents/item-document.ts";

/** The parts of an item that `content` names, but for the metadata, each contributed by the domain that has it. */
export const contentNames = [
  "metadata",
  "uri",
  "shape",
  "poster",
  "thumbnail",
  "access",
  "merged-access",
  "external",
] as const;
export type ContentName = (typeof contentNames)[number];

/** For which items, for whom, and with which parameters of the request a part is made. */
export interface ContentRequest {
  readonly subject: Subject;
  /** Items that the subject may read. */
  readonly items: readonly number[];
  /** A parameter of the request, whether the route declares it or not. */
  parameter(name: string): string | undefined;
  /** The absolute URL of a path. */
  url(path: string): string;
}

/** Makes one part for some items: members of their documents, by serial. */
export type ContentLoader = (request: ContentRequest) => Promise<ReadonlyMap<number, Partial<Item>>>;

/** The parts that domains contribute to items. */
export interface ItemContent {
  register(name: Exclude<ContentName, "metadata">, loader: ContentLoader): void;
  /** The loaders of some parts; a part that nobody contributes is left out. */
  loaders(names: Iterable<string>): readonly ContentLoader[];
}

/** An empty register. */
export function createItemContent(): ItemContent {
  const known = new Map<string, ContentLoader>();
  return {
    register: (name, loader) => {
      known.set(name, loader);
    },
    loaders: (names) => [...new Set(names)].flatMap((name) => known.get(name) ?? []),
  };
}
