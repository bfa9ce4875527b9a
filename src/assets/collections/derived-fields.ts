/**
 * The transient fields that follow from membership at a distance. They are worked out when they are read: kept, the move
 * of one collection would rewrite everything below it.
 */
import type { Store } from "../../store/store.ts";
import { entityKey } from "../entity.ts";
import type { MetadataRow, TransientValues } from "../metadata/metadata-row.ts";
import { ancestorsOf, childrenOf } from "./ancestors.ts";

/** Works out the derived fields of the rows that can have such, by the keys of their entities. */
export async function derivedFields(
  store: Store,
  rows: readonly Pick<MetadataRow, "kind" | "serial" | "transient">[],
): Promise<ReadonlyMap<number, TransientValues>> {
  const inCollections = (kind: MetadataRow["kind"], field: string) =>
    rows.filter((row) => row.kind === kind && row.transient[field] !== undefined).map(({ serial }) => serial);
  const items = inCollections("item", "__collection");
  const collections = inCollections("collection", "__parent_collection");
  const parents = rows
    .filter(({ kind, transient }) => kind === "collection" && (transient.__child_collection_size?.[0] ?? "0") !== "0")
    .map(({ serial }) => serial);
  const fields = new Map<number, Record<string, readonly string[]>>();
  const put = (key: number, name: string, values: readonly string[]) => {
    fields.set(key, { ...fields.get(key), [name]: values });
  };
  for (const [kind, serials] of [
    ["item", items],
    ["collection", collections],
  ] as const) {
    if (serials.length === 0) continue;
    for (const [serial, ancestors] of await ancestorsOf(store, kind, serials)) {
      put(entityKey(kind, serial), "__ancestor_collection", ancestors.map(store.ids.format));
      put(entityKey(kind, serial), "__ancestor_collection_size", [String(ancestors.length)]);
    }
  }
  if (parents.length > 0) {
    for (const [serial, children] of await childrenOf(store, parents)) {
      put(entityKey("collection", serial), "__child_collection", children.map(store.ids.format));
    }
  }
  return fields;
}
