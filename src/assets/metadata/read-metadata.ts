import { KinoraError } from "../../errors.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { EntityKind } from "../entity.ts";
import { revisionIds } from "./base-revision.ts";
import { notFound } from "./entity-access.ts";
import { replay } from "./history.ts";
import { readChangeSets } from "./history-store.ts";
import { metadataDocuments, type ShownMetadata } from "./metadata-documents.ts";
import { kindNames, type MetadataEnvironment } from "./metadata-environment.ts";
import { type MetadataRow, readRows } from "./metadata-row.ts";
import type { MetadataSelection } from "./selection/metadata-selection.ts";

/** Reads the row of one entity. @throws KinoraError `not-found` when it does not exist or may not be read */
export async function readRow(
  environment: MetadataEnvironment,
  subject: Subject | undefined,
  kind: EntityKind,
  serial: number,
): Promise<MetadataRow> {
  const [row] = await readRows(environment, subject, kind, [serial]);
  if (row === undefined) throw notFound(environment, kind, serial);
  return row;
}

/**
 * The row as it was at a revision: behind the newest change set that the revision names.
 *
 * @throws KinoraError `not-found` with type `revision` when it names none of the entity
 */
export async function rowAtRevision(
  environment: MetadataEnvironment,
  row: MetadataRow,
  revision: string,
): Promise<MetadataRow> {
  const wanted = new Set(revisionIds(revision).map((id) => environment.store.ids.parse(id)));
  const changeSets = await readChangeSets(environment.store, row);
  const named = changeSets.filter(({ stamp }) => wanted.has(stamp.id));
  if (named.length === 0) throw new KinoraError("not-found", { type: "revision", id: revision.slice(0, 200) });
  const newest = Math.max(...named.map(({ stamp }) => stamp.sequence));
  const until = changeSets.filter(({ stamp }) => stamp.sequence <= newest);
  return { ...row, metadata: replay(until, row.metadata.nextEntry) };
}

/**
 * The metadata of one entity as a document.
 *
 * @param revision as of which; the present by default
 * @throws KinoraError `not-found`
 */
export async function readMetadata(
  environment: MetadataEnvironment,
  subject: Subject | undefined,
  entity: { readonly kind: EntityKind; readonly serial: number },
  selection: MetadataSelection,
  revision?: string,
): Promise<ShownMetadata> {
  const present = await readRow(environment, subject, entity.kind, entity.serial);
  const row = revision ? await rowAtRevision(environment, present, revision) : present;
  const [shown] = await metadataDocuments(environment, subject, [row], selection);
  if (shown === undefined) throw notFound(environment, entity.kind, entity.serial);
  return revision ? { document: shown.document } : shown;
}

/** The serial of an entity that an identifier names. @throws KinoraError `not-found` */
export function resolveEntity(
  { ids }: Pick<MetadataEnvironment, "ids">,
  kind: EntityKind,
  identifier: string,
): number | Promise<number> {
  return ids.resolve(kindNames[kind].type, identifier);
}
