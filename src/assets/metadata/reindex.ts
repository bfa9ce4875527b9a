import { repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import type { Change } from "../../store/change.ts";
import { type EntityKind, entityOf } from "../entity.ts";
import type { IndexedEntity } from "../index-port.ts";
import { indexedValues, valueDifference } from "./indexed-values.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import { type MetadataRow, readRows } from "./metadata-row.ts";
import { requireSame } from "./metadata-write.ts";
import { modifiedAt } from "./model.ts";
import { readInherited, readReferences, type SeenRows } from "./surroundings.ts";

async function indexedRows(
  environment: MetadataEnvironment,
  rows: readonly MetadataRow[],
  seen: SeenRows,
): Promise<readonly IndexedEntity[]> {
  const definitions = await environment.definitions.current();
  const inherited = await readInherited(environment, definitions, rows, { seen });
  const containers = rows.flatMap(({ key, metadata }) => [
    ...metadata.timespans,
    ...(inherited.get(key) ?? []).flatMap((part) => part.timespans),
  ]);
  const references = await readReferences(environment, undefined, containers, seen);
  return rows.map(({ kind, serial, key, metadata, transient }) => {
    const values = indexedValues(definitions, metadata, { inherited: inherited.get(key) ?? [], references });
    const [owner] = transient.__user ?? [];
    return {
      kind,
      serial,
      key,
      created: true,
      modifiedAt: modifiedAt(metadata) ?? environment.store.now(),
      values,
      added: values,
      removed: [],
      ...(owner === undefined ? {} : { owner }),
    };
  });
}

async function readKeys(environment: MetadataEnvironment, keys: readonly number[]): Promise<readonly MetadataRow[]> {
  const byKind = new Map<EntityKind, number[]>();
  for (const key of keys) {
    const entity = entityOf(key);
    if (entity === undefined) continue;
    const serials = byKind.get(entity.kind);
    if (serials === undefined) byKind.set(entity.kind, [entity.serial]);
    else serials.push(entity.serial);
  }
  const read = await Promise.all([...byKind].map(([kind, serials]) => readRows(environment, undefined, kind, serials)));
  return read.flat();
}

/** Entities as the index takes them anew, by their keys; those that do not exist are left out. */
export async function indexedEntities(
  environment: MetadataEnvironment,
  keys: readonly number[],
): Promise<readonly IndexedEntity[]> {
  return indexedRows(environment, await readKeys(environment, keys), []);
}

/**
 * Takes entities out of the index and puts them in as they are now, in one change that holds only while they, and what
 * they show of others, stay so. Their transient fields come back with them.
 */
export async function reindexEntities(
  environment: MetadataEnvironment,
  startChange: () => Change,
  kind: EntityKind,
  serials: readonly number[],
): Promise<void> {
  await repeatWhenRaced(async () => {
    const rows = await readRows(environment, undefined, kind, serials);
    if (rows.length === 0) return;
    const seen: SeenRows = [];
    const entities = await indexedRows(environment, rows, seen);
    const change = startChange();
    requireSame(change, [...rows, ...seen]);
    const present = rows.map((row) => row.serial);
    environment.index.remove(change, kind, present);
    for (const entity of entities) environment.index.write(change, entity);
    for (const { serial, transient } of rows) {
      for (const [field, values] of Object.entries(transient)) {
        if (field !== "user" && field !== "__user") environment.index.transient(change, kind, [serial], field, values);
      }
    }
    await change.commit();
  });
}

/**
 * Hands items to the index anew because the collections that they inherit from have changed, in the change that changes
 * them. Does nothing when no definition is inherited. Must run inside `repeatWhenRaced`: the change holds only while the
 * items stay as they are.
 *
 * @param sources the collections of each item behind the change, the nearest first
 * @param written a collection as the same change has left it already, guarded by its own write
 */
export async function reinherit(
  environment: MetadataEnvironment,
  change: Change,
  items: readonly number[],
  sources: ReadonlyMap<number, readonly number[]>,
  written?: MetadataRow,
): Promise<void> {
  const definitions = await environment.definitions.current();
  if (!definitions.anyInherited || items.length === 0) return;
  const seen: SeenRows = [];
  const rows = await readRows(environment, undefined, "item", items);
  const before = await readInherited(environment, definitions, rows, { seen, written });
  const after = await readInherited(environment, definitions, rows, { seen, sources, written });
  requireSame(change, [...rows, ...seen]);
  for (const { kind, serial, key, metadata } of rows) {
    const references = await readReferences(environment, undefined, metadata.timespans, seen);
    const earlier = indexedValues(definitions, metadata, { inherited: before.get(key) ?? [], references });
    const values = indexedValues(definitions, metadata, { inherited: after.get(key) ?? [], references });
    environment.index.write(change, {
      kind,
      serial,
      key,
      created: false,
      modifiedAt: modifiedAt(metadata) ?? environment.store.now(),
      values,
      ...valueDifference(earlier, values),
    });
  }
  // A write of an item that was planned with its former collections does not hold behind this one.
  change.add(
    {
      sql: "update metadata set writes = writes + 1 where id in (select value from json_each(?))",
      args: [JSON.stringify(rows.map((row) => row.key))],
    },
    { silent: true },
  );
}
