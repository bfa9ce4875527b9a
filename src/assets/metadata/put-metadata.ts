import { KinoraError } from "../../errors.ts";
import type { MetadataTimespan, MetadataValues } from "../documents/metadata-document.ts";
import type { EntityKind } from "../entity.ts";
import { requireNoConflict } from "./base-revision.ts";
import { extract } from "./difference.ts";
import type { EditBase, Edited, EditMetadata, Editor } from "./metadata-editing.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import type { Container, Metadata } from "./model.ts";
import { type Places, placesNamed } from "./places.ts";
import { isGroup, referencesIn, referrersIn } from "./reference.ts";
import { readInherited, readReferences } from "./surroundings.ts";
import { timeSpanKey } from "./time/time-span.ts";
import { applyUpdate } from "./update/apply-update.ts";
import { checkSchema } from "./update/check-schema.ts";
import { invalid, type UpdateContext, unknownEntry } from "./update/update-context.ts";

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

function hasInherited({ field = [], group = [] }: MetadataTimespan): boolean {
  return [...field, ...group].some(({ inheritance }) => inheritance !== undefined);
}

const nothing: Container = { fields: [], groups: [] };

/** What is inherited, read only when the document says that some of what it holds is. */
async function inheritedContent(
  environment: MetadataEnvironment,
  { row, definitions }: EditBase,
  document: MetadataValues,
): Promise<UpdateContext["inherited"]> {
  if (!(document.timespan ?? []).some(hasInherited)) return undefined;
  const parts = (await readInherited(environment, definitions, [row])).get(row.key) ?? [];
  const bySpan = new Map<string, Container>();
  for (const { span, fields, groups } of parts.flatMap(({ timespans }) => timespans)) {
    const key = timeSpanKey(span);
    const known = bySpan.get(key) ?? nothing;
    bySpan.set(key, { fields: [...known.fields, ...fields], groups: [...known.groups, ...groups] });
  }
  return (key) => bySpan.get(key) ?? nothing;
}

/** What an update is told of the entity and the caller. */
export async function updateContext(
  environment: MetadataEnvironment,
  base: EditBase,
  document: MetadataValues,
  options: Pick<UpdateContext, "skipForbidden" | "system"> = {},
): Promise<UpdateContext> {
  const { row, definitions, rights, stamp } = base;
  const inherited = await inheritedContent(environment, base, document);
  return {
    stamp,
    field: definitions.field,
    group: definitions.group,
    mayWrite: rights.mayWrite,
    entryOf: (uuid) => {
      const address = environment.uuids.find(uuid);
      return address?.entityKey === row.key ? address.entry : undefined;
    },
    isNew: row.writes === 0,
    ...options,
    ...(inherited === undefined ? {} : { inherited }),
  };
}

/** Refuses references that lead nowhere, or where the caller may not read, or from a field to a group or the reverse. */
export async function requireReferences(
  environment: MetadataEnvironment,
  editor: Editor,
  before: Metadata,
  after: Metadata,
): Promise<void> {
  const known = referencesIn(before.timespans);
  const fresh = referrersIn(after.timespans).filter(({ reference }) => !known.has(reference));
  if (fresh.length === 0) return;
  const found = await readReferences(environment, editor.subject, after.timespans);
  for (const { reference, isGroup: fromGroup } of fresh) {
    const referenced = found(reference);
    if (referenced === undefined) throw unknownEntry(reference);
    if (isGroup(referenced.entry) === fromGroup) continue;
    const [from, to] = fromGroup ? ["group", "field"] : ["field", "group"];
    throw invalid(`A ${from} cannot refer to ${reference}, which is a ${to}`, { value: reference });
  }
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
  const named: Places[] = [];
  let after = before;
  for (const document of documents) {
    const context = await updateContext(environment, base, document, { skipForbidden });
    after = applyUpdate(after, document, context);
    if (revision !== undefined) named.push(placesNamed(document, before, context.entryOf));
  }
  if (revision !== undefined) await requireNoConflict(environment.store, base.row, revision, after, named);
  if (after === before) return after;
  checkSchema(before, after, base.definitions);
  await requireReferences(environment, editor, before, after);
  return after;
}

/** What an edit changed, as metadata of its own: new and changed entries with what they stand in. */
export function changesOf({ row, before, stamp }: Edited): Metadata {
  const { metadata } = row;
  if (metadata === before) return { ...metadata, timespans: [] };
  return { ...metadata, timespans: extract(metadata.timespans, ({ change }) => change.id === stamp.id) };
}
