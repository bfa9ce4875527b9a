import { KinoraError } from "../../errors.ts";
import type { MetadataFieldValue, MetadataGroupValue, MetadataValues } from "../documents/metadata-document.ts";
import type { EntityKind } from "../entity.ts";
import { requireNoConflict } from "./base-revision.ts";
import { extract } from "./difference.ts";
import type { EditBase, Edited, EditMetadata, Editor } from "./metadata-editing.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import type { Metadata } from "./model.ts";
import { referencesIn } from "./reference.ts";
import { readInherited, readReferences } from "./surroundings.ts";
import { applyUpdate } from "./update/apply-update.ts";
import { checkSchema } from "./update/check-schema.ts";
import { type UpdateContext, unknownEntry } from "./update/update-context.ts";

export interface PutOptions {
  /** The revision that the document was made from; a newer change of the same places is then a conflict. */
  readonly revision?: string | undefined;
  /** Leave out fields that the caller may not write, rather than refuse them. Default `false`. */
  readonly skipForbidden?: boolean | undefined;
  /** Versions of entity tags, of which the entity must have one at the moment of the write. */
  readonly ifMatch?: readonly string[] | undefined;
}

/** A version as `metadataDocuments` tells it; those of answers that show other entities as well are made otherwise. */
const versionPattern = /^(\d+)-\d+$/;

/** Refuses a write of an entity that has changed since its tag was read. @throws KinoraError `precondition-failed` */
function requireVersion({ row }: EditBase, ifMatch: readonly string[] | undefined): void {
  const counted = ifMatch?.map((version) => versionPattern.exec(version)?.[1]);
  if (counted === undefined || counted.includes(undefined) || counted.includes(String(row.writes))) return;
  throw new KinoraError("precondition-failed");
}

function hasInherited(level: {
  readonly field?: readonly MetadataFieldValue[] | undefined;
  readonly group?: readonly MetadataGroupValue[] | undefined;
}): boolean {
  return (level.field ?? []).some((field) => field.inheritance !== undefined) || (level.group ?? []).some(hasInherited);
}

/** The inherited values of fields, read only when the document says that some of its fields are inherited. */
async function inheritedValues(
  environment: MetadataEnvironment,
  { row, definitions }: EditBase,
  document: MetadataValues,
): Promise<UpdateContext["inherited"]> {
  if (!(document.timespan ?? []).some(hasInherited)) return undefined;
  const parts = (await readInherited(environment, definitions, [row])).get(row.key) ?? [];
  return (name, track) => {
    for (const { timespans } of parts) {
      for (const { fields } of timespans) {
        const field = fields.find((one) => one.name === name && one.track === track);
        if (field !== undefined) return field.values.map(({ text }) => text);
      }
    }
    return [];
  };
}

/** What an update is told of the entity and the caller. */
export async function updateContext(
  environment: MetadataEnvironment,
  base: EditBase,
  document: MetadataValues,
  options: Pick<UpdateContext, "skipForbidden" | "system"> = {},
): Promise<UpdateContext> {
  const { row, definitions, rights, stamp } = base;
  const inherited = await inheritedValues(environment, base, document);
  return {
    stamp,
    field: definitions.field,
    group: definitions.group,
    mayWrite: rights.mayWrite,
    entryOf: (uuid) => {
      const address = environment.uuids.find(uuid);
      return address?.entityKey === row.key ? address.entry : undefined;
    },
    ...options,
    ...(inherited === undefined ? {} : { inherited }),
  };
}

/** Refuses references that lead nowhere, or where the caller may not read. */
export async function requireReferences(
  environment: MetadataEnvironment,
  editor: Editor,
  before: Metadata,
  after: Metadata,
): Promise<void> {
  const known = referencesIn(before.timespans);
  const fresh = [...referencesIn(after.timespans)].filter((uuid) => !known.has(uuid));
  if (fresh.length === 0) return;
  const found = await readReferences(environment, editor.subject, after.timespans);
  for (const uuid of fresh) if (found(uuid) === undefined) throw unknownEntry(uuid);
}

/**
 * Puts a document on the metadata of an entity, as one change set; none when it changes nothing.
 *
 * @throws KinoraError what {@link applyUpdate} throws; `conflict` when it is based on a revision and others changed the
 * same since; `precondition-failed` when the entity is no longer of the version; `not-found` for a reference that leads
 * nowhere; `invalid-input` for what breaks the validation schema
 */
export function putMetadata(
  environment: MetadataEnvironment,
  edit: EditMetadata,
  editor: Editor,
  entity: { readonly kind: EntityKind; readonly serial: number },
  document: MetadataValues,
  options: PutOptions = {},
): Promise<Edited> {
  return edit(editor, entity.kind, entity.serial, async (base) => ({
    after: await metadataAfter(environment, editor, base, [document], options),
  }));
}

/**
 * What documents make of the metadata of an entity, one after the other, as one change set; the same object when they
 * change nothing.
 *
 * @throws KinoraError what {@link putMetadata} throws
 */
export async function metadataAfter(
  environment: MetadataEnvironment,
  editor: Editor,
  base: EditBase,
  documents: readonly MetadataValues[],
  options: PutOptions = {},
): Promise<Metadata> {
  const { skipForbidden = false, ifMatch, revision = documents[0]?.revision } = options;
  requireVersion(base, ifMatch);
  const before = base.row.metadata;
  let after = before;
  for (const document of documents) {
    after = applyUpdate(after, document, await updateContext(environment, base, document, { skipForbidden }));
  }
  if (after === before) return after;
  checkSchema(before, after, base.definitions);
  await requireReferences(environment, editor, before, after);
  if (revision !== undefined) await requireNoConflict(environment.store, base.row, revision, after);
  return after;
}

/** What an edit changed, as metadata of its own: new and changed entries with what they stand in. */
export function changesOf({ row, before, stamp }: Edited): Metadata {
  const { metadata } = row;
  if (metadata === before) return { ...metadata, timespans: [] };
  return { ...metadata, timespans: extract(metadata.timespans, ({ change }) => change.id === stamp.id) };
}
