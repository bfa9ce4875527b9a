/**
 * The transient fields that follow from membership at a distance. They are worked out when they are read: kept, the move
 * of one collection would rewrite everything below it. Of the fields that name collections, callers see those that they may
 * find; the numbers beside them count all.
 */
import type { Store } from "../../store/store.ts";
import type { Access } from "../access/create-access.ts";
import type { Fragment } from "../access-port.ts";
import { entityKey } from "../entity.ts";
import type { MetadataEnvironment } from "../metadata/metadata-environment.ts";
import type { MetadataRow, TransientValues } from "../metadata/metadata-row.ts";
import { ancestorsOf, childrenOf, type Related } from "./ancestors.ts";
import { findable } from "./read-members.ts";

type DerivedRow = Pick<MetadataRow, "kind" | "serial" | "transient">;

const all: Fragment = { sql: "1", args: [] };

/** The fields in which entities of a kind name the collections directly around them. */
const directFields = [
  ["item", "__collection"],
  ["collection", "__parent_collection"],
] as const;

/**
 * Makes what works out the derived fields of the rows that can have such, by the keys of their entities: a statement for
 * items, one for collections in others, and one for collections with others in them.
 */
export function createDerivedFields(environment: {
  readonly store: Store;
  readonly access: Access;
}): NonNullable<MetadataEnvironment["derived"]> {
  const { store } = environment;
  return async (subject, rows) => {
    const fields = new Map<number, Record<string, readonly string[]>>();
    const put = (key: number, values: TransientValues) => {
      fields.set(key, { ...fields.get(key), ...values });
    };
    const visible = (serial: string) =>
      subject === undefined ? all : findable(environment, subject, `${serial} * 8 + 2`);
    for (const [kind, direct] of directFields) {
      const placed = rows.filter((row) => row.kind === kind && row.transient[direct] !== undefined);
      if (placed.length === 0) continue;
      const found = await ancestorsOf(store, kind, serialsOf(placed), await visible("up.id"));
      for (const { serial, transient } of placed) {
        put(entityKey(kind, serial), shown(store, direct, transient[direct] ?? [], found.get(serial) ?? []));
      }
    }
    const parents = rows.filter(hasChildren);
    if (parents.length > 0) {
      for (const [serial, children] of await childrenOf(store, serialsOf(parents), await visible("m.member"))) {
        put(entityKey("collection", serial), { __child_collection: identifiersOf(store, children) });
      }
    }
    return fields;
  };
}

function serialsOf(rows: readonly DerivedRow[]): readonly number[] {
  return rows.map(({ serial }) => serial);
}

function hasChildren({ kind, transient }: DerivedRow): boolean {
  return kind === "collection" && (transient.__child_collection_size?.[0] ?? "0") !== "0";
}

/** The collections directly around an entity are among those above it. */
function shown(store: Store, direct: string, kept: readonly string[], above: readonly Related[]): TransientValues {
  const identifiers = identifiersOf(store, above);
  const visible = new Set(identifiers);
  return {
    [direct]: kept.filter((identifier) => visible.has(identifier)),
    __ancestor_collection: identifiers,
    __ancestor_collection_size: [String(above.length)],
  };
}

function identifiersOf({ ids }: Store, related: readonly Related[]): readonly string[] {
  return related.filter(({ visible }) => visible).map(({ serial }) => ids.format(serial));
}
