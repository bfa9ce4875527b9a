import type { SearchKind } from "./search-ports.ts";
import { assetWords, type WordPrefix } from "./tokens/value-tokens.ts";

/** The low bits of the keys of a kind. */
export const kindNumbers: Readonly<Record<SearchKind, number>> = {
  item: 1,
  collection: 2,
  document: 4,
  shape: 5,
  file: 6,
};

const kindsByNumber: ReadonlyMap<number, SearchKind> = new Map(
  Object.entries(kindNumbers).map(([kind, number]) => [number, kind as SearchKind]),
);

/** What full-text words of a kind begin with in the index. */
export function wordPrefixOf(kind: SearchKind): WordPrefix {
  return kind === "shape" || kind === "file" ? `${kind}.` : assetWords;
}

/** The key of an entity of a kind. */
export function searchKey(kind: SearchKind, serial: number): number {
  return serial * 8 + kindNumbers[kind];
}

/** What a key stands for. */
export function searchEntity(key: number): { readonly kind: SearchKind; readonly serial: number } {
  const kind = kindsByNumber.get(key % 8);
  if (kind === undefined) throw new RangeError(`The key ${key} is that of no kind that can be found`);
  return { kind, serial: Math.floor(key / 8) };
}
