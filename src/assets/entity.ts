/** Kinds of entity that have metadata with timespans, history and field definitions. */
export type EntityKind = "item" | "collection" | "global" | "document";

/** How many kinds an entity key has room for. */
const kinds = 8;

const kindNumbers: Readonly<Record<EntityKind, number>> = { item: 1, collection: 2, global: 3, document: 4 };

const kindsByNumber: ReadonlyMap<number, EntityKind> = new Map(
  (Object.keys(kindNumbers) as EntityKind[]).map((kind) => [kindNumbers[kind], kind]),
);

/** The one entity of kind `global`. */
export const globalSerial = 1;

/**
 * One integer that names an entity among all kinds: the primary key of its metadata, and of its rows in the index.
 * Keys of one kind are in the order of their serials.
 */
export function entityKey(kind: EntityKind, serial: number): number {
  return serial * kinds + kindNumbers[kind];
}

/** What an entity key stands for; `undefined` when it is the key of no kind that has metadata. */
export function entityOf(key: number): { readonly kind: EntityKind; readonly serial: number } | undefined {
  const kind = kindsByNumber.get(key % kinds);
  return kind === undefined ? undefined : { kind, serial: Math.floor(key / kinds) };
}
