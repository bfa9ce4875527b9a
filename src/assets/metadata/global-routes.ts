import { KinoraError } from "../../errors.ts";
import { booleanParameter, textParameter } from "../../http/parameters.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import {
  MetadataDocument,
  type MetadataEntry,
  MetadataEntryDocument,
  type MetadataFieldValue,
  type MetadataGroupValue,
  type MetadataValues,
  TerseMetadataDocument,
} from "../documents/metadata-document.ts";
import { entityKey, entityOf, globalSerial } from "../entity.ts";
import { metadataDocuments } from "./metadata-documents.ts";
import { metadataReply } from "./metadata-reply.ts";
import { editedDocument } from "./metadata-routes.ts";
import { editorOf, type MetadataRoutesDeps } from "./metadata-routes-deps.ts";
import { readRows } from "./metadata-row.ts";
import { emptyMetadata } from "./model.ts";
import { putMetadata, updateContext } from "./put-metadata.ts";
import { everything } from "./selection/metadata-selection.ts";
import { selectionOf, selectionParameters } from "./selection/selection-parameters.ts";
import { checkSchema } from "./update/check-schema.ts";
import { removeEntry } from "./update/edit-entry.ts";
import { unknownEntry } from "./update/update-context.ts";

const global = { kind: "global", serial: globalSerial } as const;

interface Level {
  readonly field?: readonly MetadataFieldValue[] | undefined;
  readonly group?: readonly MetadataGroupValue[] | undefined;
}

/** The value, field or group with a UUID in a level of a document. */
function entryIn({ field = [], group = [] }: Level, uuid: string): MetadataEntry | undefined {
  for (const one of field) {
    if (one.uuid === uuid) return { field: one };
    const value = one.value?.find((candidate) => candidate.uuid === uuid);
    if (value !== undefined) return { value };
  }
  for (const one of group) {
    const found = one.uuid === uuid ? { group: one } : entryIn(one, uuid);
    if (found !== undefined) return found;
  }
  return undefined;
}

function entryOf({ timespan = [] }: MetadataValues, uuid: string): MetadataEntry | undefined {
  for (const one of timespan) {
    const found = entryIn(one, uuid);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The metadata that belongs to no entity: lists of values for references, and single entries by UUID. */
export function globalMetadataRoutes(deps: MetadataRoutesDeps): RouteTable {
  const route = routes();
  const { environment, edit } = deps;

  route.get(
    "/metadata",
    {
      summary: "Read the global metadata",
      role: "_metadata_read",
      query: selectionParameters,
      output: MetadataDocument,
      alternatives: [TerseMetadataDocument],
      etag: true,
    },
    async ({ query, subject }) => {
      const [row] = await readRows(environment, subject, "global", [globalSerial]);
      const key = entityKey("global", globalSerial);
      const empty = { ...global, key, writes: 0, metadata: emptyMetadata, transient: {}, rank: 4 };
      const [shown] = await metadataDocuments(environment, subject, [row ?? empty], selectionOf(query));
      return metadataReply(shown, query.terse);
    },
  );

  route.put(
    "/metadata",
    {
      summary: "Change the global metadata",
      role: "_metadata_global_write",
      query: { revision: textParameter(), skipForbidden: booleanParameter({ default: false }) },
      input: MetadataDocument,
      output: MetadataDocument,
    },
    async (request) => {
      const edited = await putMetadata(environment, edit, editorOf(request), global, request.body, request.query);
      return editedDocument(deps, request.subject, edited);
    },
  );

  route.get(
    "/metadata/{uuid}",
    { summary: "Read one entry of any metadata", role: "_metadata_read", output: MetadataEntryDocument, etag: true },
    async (request) => {
      const { params, subject } = request;
      const address = environment.uuids.find(params.uuid);
      const entity = address === undefined ? undefined : entityOf(address.entityKey);
      if (entity === undefined) throw unknownEntry(params.uuid);
      const rows = await readRows(environment, subject, entity.kind, [entity.serial]);
      const [shown] = await metadataDocuments(environment, subject, rows, everything);
      const entry = shown === undefined ? undefined : entryOf(shown.document, params.uuid.toLowerCase());
      if (entry === undefined) throw unknownEntry(params.uuid);
      const id = environment.ids.format(entity.serial);
      const path = entity.kind === "global" ? "/metadata" : `/${entity.kind}/${id}`;
      return { ...entry, source: { id, type: entity.kind, loc: request.url(path) } };
    },
  );

  route.delete(
    "/metadata/{uuid}",
    { summary: "Delete one entry of the global metadata", role: "_metadata_global_write", output: "none" },
    async (request) => {
      const { uuid } = request.params;
      const address = environment.uuids.find(uuid);
      const entity = address === undefined ? undefined : entityOf(address.entityKey);
      if (entity?.kind !== "global") throw new KinoraError("not-found", { type: "metadata-entry", id: uuid });
      await edit(editorOf(request), "global", globalSerial, async (base) => {
        const before = base.row.metadata;
        const after = removeEntry(before, uuid, await updateContext(environment, base, {}));
        checkSchema(before, after, base.definitions);
        return { after };
      });
    },
  );
  return route;
}
