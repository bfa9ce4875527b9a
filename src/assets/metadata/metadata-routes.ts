import { booleanParameter, textParameter } from "../../http/parameters.ts";
import { reply, replyAs } from "../../http/reply.ts";
import type { RouteTable } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import {
  MetadataDocument,
  MetadataListDocument,
  type MetadataValues,
  TerseMetadataDocument,
  TerseMetadataListDocument,
} from "../documents/metadata-document.ts";
import { metadataDocuments } from "./metadata-documents.ts";
import type { Edited } from "./metadata-editing.ts";
import { metadataReply } from "./metadata-reply.ts";
import { editorOf, type MetadataRoutesDeps } from "./metadata-routes-deps.ts";
import { toTerse } from "./projection/terse.ts";
import { changesOf, putMetadata } from "./put-metadata.ts";
import { readMetadata, resolveEntity } from "./read-metadata.ts";
import { everything, ownAlone } from "./selection/metadata-selection.ts";
import { requireNoProjection, selectionOf, selectionParameters } from "./selection/selection-parameters.ts";

const readParameters = { ...selectionParameters, revision: textParameter() };

const writeParameters = {
  onlyReturnChanges: booleanParameter({ default: false }),
  revision: textParameter(),
  skipForbidden: booleanParameter({ default: false }),
  projection: textParameter(),
  "output-projection": textParameter(),
};

/** The metadata behind an edit, in full or what of it is new. */
export async function editedDocument(
  { environment }: Pick<MetadataRoutesDeps, "environment">,
  subject: Subject,
  edited: Edited,
  onlyChanges = false,
): Promise<MetadataValues> {
  const row = onlyChanges ? { ...edited.row, metadata: changesOf(edited), transient: {} } : edited.row;
  const selection = onlyChanges ? ownAlone : everything;
  const [shown] = await metadataDocuments(environment, subject, [row], selection);
  return shown?.document ?? {};
}

/** `/item/{id}/metadata`: a list of one, which is how items answer. */
export function addItemMetadataRoutes(route: RouteTable, deps: MetadataRoutesDeps): void {
  const { environment, edit } = deps;
  const path = "/item/{id}/metadata" as const;

  route.get(
    path,
    {
      summary: "Read the metadata of an item",
      role: "_metadata_read",
      query: readParameters,
      output: MetadataListDocument,
      alternatives: [TerseMetadataListDocument],
      etag: true,
    },
    async ({ params, query, subject }) => {
      const serial = await resolveEntity(environment, "item", params.id);
      const selection = selectionOf(query);
      const { document, version } = await readMetadata(
        environment,
        subject,
        { kind: "item", serial },
        selection,
        query.revision,
      );
      const id = environment.ids.format(serial);
      const options = version === undefined ? {} : { etag: version };
      return query.terse
        ? replyAs(TerseMetadataListDocument, { item: [{ id, fields: toTerse(document) }] }, options)
        : reply({ item: [{ id, metadata: document }] }, options);
    },
  );

  route.put(
    path,
    {
      summary: "Change the metadata of an item",
      role: "_metadata_write",
      query: writeParameters,
      input: MetadataDocument,
      output: MetadataListDocument,
    },
    async (request) => {
      const { params, query, subject, body } = request;
      requireNoProjection(query.projection);
      requireNoProjection(query["output-projection"]);
      const serial = await resolveEntity(environment, "item", params.id);
      const entity = { kind: "item", serial } as const;
      const options = { ...query, ifMatch: request.ifMatch };
      const edited = await putMetadata(environment, edit, editorOf(request), entity, body, options);
      const metadata = await editedDocument(deps, subject, edited, query.onlyReturnChanges);
      return { item: [{ id: environment.ids.format(serial), metadata }] };
    },
  );
}

/** `/collection/{id}/metadata`: the document itself. */
export function addCollectionMetadataRoutes(route: RouteTable, deps: MetadataRoutesDeps): void {
  const { environment, edit } = deps;
  const path = "/collection/{id}/metadata" as const;

  route.get(
    path,
    {
      summary: "Read the metadata of a collection",
      role: "_metadata_read",
      query: readParameters,
      output: MetadataDocument,
      alternatives: [TerseMetadataDocument],
      etag: true,
    },
    async ({ params, query, subject }) => {
      const serial = await resolveEntity(environment, "collection", params.id);
      const entity = { kind: "collection", serial } as const;
      return metadataReply(
        await readMetadata(environment, subject, entity, selectionOf(query), query.revision),
        query.terse,
      );
    },
  );

  route.put(
    path,
    {
      summary: "Change the metadata of a collection",
      role: "_metadata_write",
      query: writeParameters,
      input: MetadataDocument,
      output: MetadataDocument,
    },
    async (request) => {
      const { params, query, subject, body } = request;
      requireNoProjection(query.projection);
      requireNoProjection(query["output-projection"]);
      const serial = await resolveEntity(environment, "collection", params.id);
      const entity = { kind: "collection", serial } as const;
      const options = { ...query, ifMatch: request.ifMatch };
      const edited = await putMetadata(environment, edit, editorOf(request), entity, body, options);
      return editedDocument(deps, subject, edited, query.onlyReturnChanges);
    },
  );
}
