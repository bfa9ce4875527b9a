/** What a write of one entity changes in others: items inherit from collections, and references show other entities. */
import { KinoraError } from "../../errors.ts";
import type { Change } from "../../store/change.ts";
import { type EntityKind, entityOf } from "../entity.ts";
import type { Definitions } from "../fields/definitions.ts";
import { indexedValues, type Shown, valueDifference } from "./indexed-values.ts";
import { type InheritanceSource, inheritedParts } from "./inherited.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import { type MetadataRow, readRows } from "./metadata-row.ts";
import { requireSame, type WriteResult } from "./metadata-write.ts";
import { emptyMetadata, type Metadata, modifiedAt } from "./model.ts";
import { entriesByNumber, type ReferenceLookup, referencesIn } from "./reference.ts";
import { readInherited, readReferences, type SeenRows, sourceOf } from "./surroundings.ts";

/** Entities that one write may bring up to date in the index, in its own batch. */
export const mostSpread = 10_000;

/**
 * What an entity shows of others before and behind a write of its own; `undefined` when it shows nothing. The change
 * holds only while those others are as they were read.
 */
export async function surroundingsOf(
  environment: MetadataEnvironment,
  change: Change,
  definitions: Definitions,
  row: MetadataRow,
  after: Metadata,
): Promise<{ readonly before: Shown; readonly after: Shown } | undefined> {
  const inherits = definitions.anyInherited && row.kind === "item";
  const refers = [row.metadata, after].some(({ timespans }) => referencesIn(timespans).size > 0);
  if (!inherits && !refers) return undefined;
  const seen: SeenRows = [];
  const shownBy = async (metadata: Metadata): Promise<Shown> => {
    const parts = inherits
      ? await readInherited(environment, definitions, [{ ...row, metadata }], { seen })
      : undefined;
    const inherited = parts?.get(row.key) ?? [];
    const containers = [...metadata.timespans, ...inherited.flatMap((part) => part.timespans)];
    return { inherited, references: await readReferences(environment, undefined, containers, seen) };
  };
  const shown = { before: await shownBy(row.metadata), after: await shownBy(after) };
  requireSame(change, seen);
  return shown;
}

/** Whether a write touches what is inherited. */
function touchesInherited(definitions: Definitions, written: WriteResult): boolean {
  return [...written.added, ...written.removed].some(
    ({ field, groups }) =>
      (groups.length === 0 && definitions.field(field.name)?.inheritance === true) ||
      (groups[0] !== undefined && definitions.group(groups[0].name)?.inheritance === true),
  );
}

/**
 * Adds to the change of a write what it changes in the index of other entities: the items in a collection whose
 * inherited values changed, and the entities that refer to the written one.
 *
 * @throws KinoraError `too-large` when there are more of them than one batch should carry
 */
export async function spreadWrite(
  environment: MetadataEnvironment,
  change: Change,
  definitions: Definitions,
  row: MetadataRow,
  after: Metadata,
  written: WriteResult,
): Promise<void> {
  if (row.kind === "collection" && definitions.anyInherited && touchesInherited(definitions, written)) {
    await spreadToMembers(environment, change, definitions, row, { ...row, metadata: after });
  }
  if ((row.referring ?? 0) > 0) await spreadToReferring(environment, change, definitions, row, after);
}

/** Adds to the change of an entity's removal what it changes in the index of those that refer to it. */
export async function spreadRemoval(environment: MetadataEnvironment, change: Change, row: MetadataRow): Promise<void> {
  if ((row.referring ?? 0) === 0) return;
  const definitions = await environment.definitions.current();
  await spreadToReferring(environment, change, definitions, row, emptyMetadata);
}

/** Leaves entities to the index for soon after the change. @throws KinoraError `too-large` where it cannot */
export function handLater(
  { index }: Pick<MetadataEnvironment, "index">,
  change: Change,
  kind: EntityKind,
  serials: readonly number[],
): void {
  if (index.later === undefined) {
    throw new KinoraError("too-large", {
      explanation: `The write would change more than ${mostSpread} other entities`,
    });
  }
  index.later(change, kind, serials);
}

/**
 * Adds to a change what the items in a collection inherit otherwise because of it. The collection's own row is to be
 * guarded by the caller.
 *
 * @param before the collection as the index knows it at this place of the batch
 * @param after the collection as the change leaves it
 */
export async function spreadToMembers(
  environment: MetadataEnvironment,
  change: Change,
  definitions: Definitions,
  before: MetadataRow,
  after: MetadataRow,
): Promise<void> {
  let count = 0;
  for await (const serials of environment.inheritance.members(after.serial)) {
    count += serials.length;
    if (count > mostSpread) handLater(environment, change, "item", serials);
    else await reindexMembers(environment, change, definitions, serials, [before, after]);
  }
}

/** Hands items to the index as they are with a collection's metadata before and behind a write. */
async function reindexMembers(
  environment: MetadataEnvironment,
  change: Change,
  definitions: Definitions,
  serials: readonly number[],
  [before, after]: readonly [before: MetadataRow, after: MetadataRow],
): Promise<void> {
  const items = await readRows(environment, undefined, "item", serials);
  const sources = await environment.inheritance.sources(serials);
  const all = new Set([...sources.values()].flat().filter((serial) => serial !== after.serial));
  const others = await readRows(environment, undefined, "collection", [...all]);
  requireSame(change, [...items, ...others]);
  const known = new Map(others.map((row) => [row.serial, row]));
  const sourcesWith = (collection: MetadataRow, serial: number): readonly InheritanceSource[] =>
    (sources.get(serial) ?? []).flatMap((source) => {
      const from = source === collection.serial ? collection : known.get(source);
      return from === undefined ? [] : [sourceOf(environment, from)];
    });
  for (const item of items) {
    const references = await readReferences(environment, undefined, item.metadata.timespans);
    const valuesWith = (collection: MetadataRow) =>
      indexedValues(definitions, item.metadata, {
        references,
        inherited: inheritedParts(item.metadata, sourcesWith(collection, item.serial), definitions),
      });
    reindex(environment, change, item, valuesWith(before), valuesWith(after));
  }
}

function reindex(
  environment: MetadataEnvironment,
  change: Change,
  { kind, serial, key, metadata }: MetadataRow,
  before: ReturnType<typeof indexedValues>,
  after: ReturnType<typeof indexedValues>,
): void {
  const step = valueDifference(before, after);
  if (step.added.length === 0 && step.removed.length === 0) return;
  environment.index.write(change, {
    kind,
    serial,
    key,
    created: false,
    modifiedAt: modifiedAt(metadata) ?? environment.store.now(),
    values: after,
    ...step,
  });
}

async function spreadToReferring(
  environment: MetadataEnvironment,
  change: Change,
  definitions: Definitions,
  target: MetadataRow,
  after: Metadata,
): Promise<void> {
  const rows = await environment.store.query({
    sql: "select source from metadata_reference where target = ?1 and source <> ?1",
    args: [target.key],
  });
  for (const kind of ["item", "collection", "document", "global"] as const) {
    const serials = rows.flatMap(({ source }) => {
      const entity = entityOf(Number(source));
      return entity?.kind === kind ? [entity.serial] : [];
    });
    if (serials.length > mostSpread) handLater(environment, change, kind, serials.slice(mostSpread));
    const referring = await readRows(environment, undefined, kind, serials.slice(0, mostSpread));
    const seen: SeenRows = [];
    const inheritedBy = await readInherited(environment, definitions, referring, { seen });
    requireSame(change, [...referring, ...seen]);
    // What of the target itself is inherited is read as it was: those items are brought up to date behind the change.
    const inheriting = seen.some(({ key }) => key === target.key) ? referring.map(({ serial }) => serial) : [];
    if (inheriting.length > 0) handLater(environment, change, kind, inheriting);
    for (const row of referring) {
      const inherited = inheritedBy.get(row.key) ?? [];
      const containers = [...row.metadata.timespans, ...inherited.flatMap(({ timespans }) => timespans)];
      const others = await readReferences(environment, undefined, containers);
      const lookupWith = (metadata: Metadata): ReferenceLookup => {
        const entries = entriesByNumber(metadata.timespans);
        return (uuid) => {
          const address = environment.uuids.find(uuid);
          if (address?.entityKey !== target.key) return others(uuid);
          const entry = entries.get(address.entry);
          if (entry === undefined) return undefined;
          return { type: target.kind, id: environment.ids.format(target.serial), entityKey: target.key, uuid, entry };
        };
      };
      const valuesWith = (metadata: Metadata) =>
        indexedValues(definitions, row.metadata, { inherited, references: lookupWith(metadata) });
      reindex(environment, change, row, valuesWith(target.metadata), valuesWith(after));
    }
  }
}
