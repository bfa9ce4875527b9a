import type { AccessKind } from "../access-port.ts";

/** What an entity with an access list is called. */
export interface AccessEntityKind {
  readonly kind: AccessKind;
  /** The low three bits of its key. */
  readonly number: number;
  /** In errors. */
  readonly type: string;
  /** `entity` of the events of its entries. */
  readonly event: string;
  /** Key of those events that has its identifier. */
  readonly idKey: string;
}

export const accessKinds: Readonly<Record<AccessKind, AccessEntityKind>> = {
  item: { kind: "item", number: 1, type: "Item", event: "access", idKey: "itemId" },
  collection: {
    kind: "collection",
    number: 2,
    type: "Collection",
    event: "collection-access",
    idKey: "collectionId",
  },
  library: { kind: "library", number: 7, type: "Library", event: "library-access", idKey: "libraryId" },
};

const kindsByNumber: ReadonlyMap<number, AccessKind> = new Map(
  Object.values(accessKinds).map(({ kind, number }) => [number, kind]),
);

/** The one integer that names an entity among all kinds; for items and collections the same as `entityKey`. */
export function accessKey(kind: AccessKind, serial: number): number {
  return serial * 8 + accessKinds[kind].number;
}

/** What a key stands for. @throws Error for the key of a kind without access lists */
export function accessEntityOf(key: number): { readonly kind: AccessKind; readonly serial: number } {
  const kind = kindsByNumber.get(key % 8);
  if (kind === undefined) throw new Error(`${key} is not the key of an entity with an access list`);
  return { kind, serial: Math.floor(key / 8) };
}
