import type { Subject } from "../../plugin/contract.ts";
import type { MetadataValues } from "../documents/metadata-document.ts";
import type { Definitions } from "../fields/definitions.ts";
import { readExtraData } from "../fields/extra-data.ts";
import { type FieldRights, unlimitedRights } from "../fields/field-access.ts";
import { fieldDocument } from "../fields/field-documents.ts";
import { rightsOf } from "../fields/field-routes-deps.ts";
import { readEnumerations } from "../fields/read-enumerations.ts";
import { siteOf } from "../fields/site.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";
import type { MetadataRow, TransientValues } from "./metadata-row.ts";
import { modifiedAt } from "./model.ts";
import { projectMetadata } from "./projection/project-metadata.ts";
import type { ProjectionContext } from "./projection/projection-context.ts";
import type { MetadataSelection } from "./selection/metadata-selection.ts";
import { readInherited, readReferences } from "./surroundings.ts";
import { startOf } from "./time/start-time.ts";

/** The rights of a caller; the service itself may do everything. */
export function rightsFor(
  environment: MetadataEnvironment,
  definitions: Definitions,
  subject: Subject | undefined,
): FieldRights | Promise<FieldRights> {
  return subject === undefined ? unlimitedRights : rightsOf(environment, definitions, subject);
}

/** Transient fields of a row, with those that are computed from the metadata itself. */
function transientOf({ transient, metadata }: MetadataRow, derived: TransientValues | undefined): TransientValues {
  const time = modifiedAt(metadata);
  const modified = time === undefined ? undefined : { __metadata_last_modified: [new Date(time).toISOString()] };
  return { ...transient, ...derived, ...modified };
}

/** What of the definitions an answer shows, read when the selection asks for it. */
async function definitionParts(
  environment: MetadataEnvironment,
  definitions: Definitions,
  selection: MetadataSelection,
): Promise<Pick<ProjectionContext, "extraData" | "definitionDocument">> {
  const parts: { -readonly [K in "extraData" | "definitionDocument"]?: ProjectionContext[K] } = {};
  if (selection.data.length > 0) {
    const data = await readExtraData(environment.store, "metadata-field", selection.data);
    parts.extraData = (name) => {
      const pairs = data.get(definitions.field(name)?.id ?? -1);
      return pairs && new Map(pairs.map(({ key, value }) => [key, value]));
    };
  }
  if (selection.definition) {
    const origin = siteOf(environment.store);
    const values = selection.enumeration ? await readEnumerations(environment.store) : undefined;
    parts.definitionDocument = (field) =>
      fieldDocument(field, origin, values === undefined ? {} : { values: { field: values.get(field.id) ?? [] } });
  }
  return parts;
}

/** A metadata document, and what version of the entity it shows. */
export interface ShownMetadata {
  readonly document: MetadataValues;
  /** For entity tags; absent when the document shows more than the entity itself. */
  readonly version?: string;
}

/**
 * The metadata documents of rows, as the caller may see them and the selection wants them; in the order of the rows.
 *
 * @throws KinoraError `invalid-value` when the caller asks for time codes from the start, and that is no time code
 */
export async function metadataDocuments(
  environment: MetadataEnvironment,
  subject: Subject | undefined,
  rows: readonly MetadataRow[],
  selection: MetadataSelection,
): Promise<readonly ShownMetadata[]> {
  const known = environment.definitions.current();
  const definitions = known instanceof Promise ? await known : known;
  const found = rightsFor(environment, definitions, subject);
  const rights = found instanceof Promise ? await found : found;
  const inherits = selection.inherited && definitions.anyInherited;
  const inherited = inherits ? await readInherited(environment, definitions, rows, { subject }) : undefined;
  const containers = rows.flatMap(({ key, metadata }) => [
    ...metadata.timespans,
    ...(inherited?.get(key) ?? []).flatMap((part) => part.timespans),
  ]);
  const lookup = readReferences(environment, subject, containers);
  const references = lookup instanceof Promise ? await lookup : lookup;
  const shared = {
    selection,
    definitions,
    references,
    uuidsOf: environment.uuids.of,
    changeId: environment.ids.format,
    mayRead: (kind: "field" | "group", name: string) =>
      (kind === "field" ? definitions.field(name) : definitions.group(name)) !== undefined &&
      rights.mayRead(kind, name),
    ...(selection.data.length > 0 || selection.definition
      ? await definitionParts(environment, definitions, selection)
      : {}),
  };
  const derived = selection.transient ? await environment.derived?.(subject, rows) : undefined;
  const showsItselfAlone = inherited === undefined && !(lookup instanceof Promise) && rights.unlimited;
  return rows.map((row) => {
    const startSeconds = selection.fromStart ? startOf(row.metadata) : undefined;
    const document = projectMetadata(row.metadata, {
      ...shared,
      entityKey: row.key,
      inherited: inherited?.get(row.key) ?? [],
      ...(selection.transient ? { transient: transientOf(row, derived?.get(row.key)) } : {}),
      ...(startSeconds === undefined ? {} : { startSeconds }),
    });
    return showsItselfAlone && derived?.has(row.key) !== true
      ? { document, version: `${row.writes}-${definitions.version}` }
      : { document };
  });
}
