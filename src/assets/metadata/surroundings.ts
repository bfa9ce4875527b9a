/** What the metadata of entities shows of other entities: inherited values, and what references lead to. */
import type { Subject } from "../../plugin/contract.ts";
import { entityOf } from "../entity.ts";
import type { Definitions } from "../fields/definitions.ts";
import { type InheritanceSource, type InheritedPart, inheritedParts } from "./inherited.ts";
import { kindNames, type MetadataEnvironment } from "./metadata-environment.ts";
import { type MetadataRow, rankFragment, readEntity, readRows, selectRows } from "./metadata-row.ts";
import type { Container } from "./model.ts";
import {
  deepestReference,
  entriesByNumber,
  entryWeight,
  isGroup,
  type Referenced,
  type ReferenceLookup,
  referencesIn,
} from "./reference.ts";

/** What an entity inherits, by its key. */
export type InheritedParts = ReadonlyMap<number, readonly InheritedPart[]>;

const nothing: InheritedParts = new Map();

/** Collects the rows that were looked at, for a write that holds only while they are as they were. */
export type SeenRows = MetadataRow[];

/** What metadata of a collection is to those who inherit it. */
export function sourceOf(
  { ids }: Pick<MetadataEnvironment, "ids">,
  { serial, key, metadata, absoluteTime }: MetadataRow,
): InheritanceSource {
  return { origin: `${kindNames.collection.type}/${ids.format(serial)}`, entityKey: key, metadata, absoluteTime };
}

/**
 * The metadata of collections as those who inherit it see it. It reaches them whatever the subject may do with the
 * collection; one that the subject may not find is not named. One statement.
 */
async function readSources(
  environment: MetadataEnvironment,
  subject: Subject | undefined,
  collections: readonly number[],
): Promise<readonly { readonly row: MetadataRow; readonly source: InheritanceSource }[]> {
  if (collections.length === 0) return [];
  const byMetadata = await rankFragment(environment, subject, "collection");
  const byEntity = await rankFragment(environment, subject, "collection", "entity");
  const rows = await environment.store.query(selectRows("collection", collections, byMetadata, [byEntity]));
  return rows.map((found) => {
    const { row, further } = readEntity(found);
    const source = sourceOf(environment, row);
    const isNamed = row.rank >= 1 || Number(further[0]) >= 1;
    return { row, source: isNamed ? source : { ...source, origin: kindNames.collection.type } };
  });
}

interface InheritedReading {
  /** Whose collections are named in what is inherited. Default: all are. */
  readonly subject?: Subject | undefined;
  readonly seen?: SeenRows | undefined;
  readonly sources?: ReadonlyMap<number, readonly number[]> | undefined;
  readonly written?: MetadataRow | undefined;
}

/**
 * What items inherit. Two statements at most, none when no definition is inherited.
 *
 * @param sources the collections of each item, when the caller knows better than what is written
 * @param written a collection as the change leaves it, which is not to be read
 */
export async function readInherited(
  environment: MetadataEnvironment,
  definitions: Definitions,
  rows: readonly MetadataRow[],
  { subject, seen, sources, written }: InheritedReading = {},
): Promise<InheritedParts> {
  const items = definitions.anyInherited ? rows.filter((row) => row.kind === "item") : [];
  if (items.length === 0) return nothing;
  const bySerial = sources ?? (await environment.inheritance.sources(items.map((row) => row.serial)));
  const collections = new Set([...bySerial.values()].flat().filter((serial) => serial !== written?.serial));
  const read = await readSources(environment, subject, [...collections]);
  seen?.push(...read.map(({ row }) => row));
  const known = new Map(read.map(({ row, source }) => [row.serial, source]));
  if (written !== undefined) known.set(written.serial, sourceOf(environment, written));
  return new Map(
    items.map(({ key, serial, metadata }) => {
      const reaching = (bySerial.get(serial) ?? []).map((collection) => known.get(collection));
      return [
        key,
        inheritedParts(
          metadata,
          reaching.filter((source) => source !== undefined),
          definitions,
        ),
      ];
    }),
  );
}

const nowhere: ReferenceLookup = () => undefined;

/**
 * What the references in some metadata lead to, as far as they lead, in entities that the subject may read. One
 * statement for each kind of entity and each reference in a reference; none without references.
 */
export function readReferences(
  environment: MetadataEnvironment,
  subject: Subject | undefined,
  containers: readonly Container[],
  seen?: SeenRows,
): ReferenceLookup | Promise<ReferenceLookup> {
  const uuids = referencesIn(containers);
  return uuids.size === 0 ? nowhere : follow(environment, subject, [...uuids], seen);
}

async function follow(
  environment: MetadataEnvironment,
  subject: Subject | undefined,
  uuids: readonly string[],
  seen?: SeenRows,
): Promise<ReferenceLookup> {
  let pending = uuids;
  const found = new Map<string, Referenced | undefined>();
  for (let depth = 0; depth < deepestReference && pending.length > 0; depth++) {
    const targets = await readTargets(environment, subject, pending, seen);
    const next = new Set<string>();
    for (const [uuid, referenced] of targets) {
      found.set(uuid, referenced);
      if (referenced === undefined) continue;
      const { entry } = referenced;
      const holder = isGroup(entry) ? { fields: [], groups: [entry] } : { fields: [entry], groups: [] };
      for (const further of referencesIn([holder])) if (!found.has(further)) next.add(further);
    }
    pending = [...next];
  }
  return withinBudget(found);
}

/** Fields, values and groups that references may show in one answer: references to references multiply. */
const mostReferencedEntries = 200_000;

function withinBudget(found: ReadonlyMap<string, Referenced | undefined>): ReferenceLookup {
  const weights = new Map<string, number>();
  let left = mostReferencedEntries;
  return (uuid) => {
    const referenced = found.get(uuid);
    if (referenced === undefined) return undefined;
    let weight = weights.get(uuid);
    if (weight === undefined) {
      weight = entryWeight(referenced.entry);
      weights.set(uuid, weight);
    }
    left -= weight;
    return left < 0 ? undefined : referenced;
  };
}

async function readTargets(
  environment: MetadataEnvironment,
  subject: Subject | undefined,
  uuids: readonly string[],
  seen?: SeenRows,
): Promise<ReadonlyMap<string, Referenced | undefined>> {
  const addresses = uuids.map((uuid) => ({ uuid, address: environment.uuids.find(uuid) }));
  const keys = new Set(addresses.flatMap(({ address }) => (address === undefined ? [] : [address.entityKey])));
  const found = new Map<number, { readonly row: MetadataRow; readonly entries: ReturnType<typeof entriesByNumber> }>();
  for (const kind of ["global", "document", "item", "collection"] as const) {
    const serials = [...keys].flatMap((key) => {
      const entity = entityOf(key);
      return entity?.kind === kind ? [entity.serial] : [];
    });
    for (const row of await readRows(environment, subject, kind, serials)) {
      seen?.push(row);
      found.set(row.key, { row, entries: entriesByNumber(row.metadata.timespans) });
    }
  }
  return new Map(
    addresses.map(({ uuid, address }) => {
      const target = address === undefined ? undefined : found.get(address.entityKey);
      const entry = address === undefined ? undefined : target?.entries.get(address.entry);
      if (target === undefined || entry === undefined) return [uuid, undefined];
      const { kind, serial, key } = target.row;
      return [uuid, { type: kind, id: environment.ids.format(serial), entityKey: key, uuid, entry }];
    }),
  );
}
