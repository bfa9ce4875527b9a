import { KinoraError } from "../../errors.ts";
import { oneOfParameter, textParameter } from "../../http/parameters.ts";
import type { RouteTable } from "../../http/route-table.ts";
import {
  MetadataDocument,
  type MetadataEntry,
  MetadataEntryDocument,
  MetadataEntryListDocument,
} from "../documents/metadata-document.ts";
import type { EntityKind } from "../entity.ts";
import type { EditBase, Editor } from "./metadata-editing.ts";
import { editedDocument } from "./metadata-routes.ts";
import { editorOf, type MetadataRoutesDeps } from "./metadata-routes-deps.ts";
import type { Metadata } from "./model.ts";
import { metadataGraph } from "./projection/graph.ts";
import { requireReferences, updateContext } from "./put-metadata.ts";
import { readMetadata, resolveEntity } from "./read-metadata.ts";
import { everything } from "./selection/metadata-selection.ts";
import { parseTimeSpan } from "./time/time-span.ts";
import { checkSchema } from "./update/check-schema.ts";
import { applyEntries } from "./update/edit-entry.ts";
import { moveEntry } from "./update/move-entry.ts";
import type { UpdateContext } from "./update/update-context.ts";

function uuidOf({ value, field, group }: MetadataEntry): string {
  const uuid = (value ?? field ?? group)?.uuid;
  if (uuid !== undefined) return uuid;
  throw new KinoraError("invalid-input", {
    context: "metadata",
    explanation: "An entry of the list has no uuid",
  });
}

/** Edits of single entries of an entity's metadata, and its graph. */
export function addEntryRoutes(route: RouteTable, deps: MetadataRoutesDeps, kind: EntityKind, entity: string): void {
  const { environment, edit } = deps;
  const root = `/${kind}/{id}/metadata` as const;
  const paramsOf = (request: { readonly params: unknown }) =>
    request.params as { readonly id: string; readonly uuid: string };

  /** Edits by a function of the metadata, and checks what comes of it. */
  async function editBy(editor: Editor, id: string, update: (current: Metadata, context: UpdateContext) => Metadata) {
    const serial = await resolveEntity(environment, kind, id);
    return edit(editor, kind, serial, async (base: EditBase) => {
      const before = base.row.metadata;
      const after = update(before, await updateContext(environment, base, {}));
      checkSchema(before, after, base.definitions);
      await requireReferences(environment, editor, before, after);
      return { after };
    });
  }

  route.put(
    `${root}/entry/{uuid}`,
    {
      summary: `Change one entry of ${entity}'s metadata`,
      role: "_metadata_write",
      input: MetadataEntryDocument,
      output: MetadataDocument,
    },
    async (request) => {
      const { id, uuid } = paramsOf(request);
      const edited = await editBy(editorOf(request), id, (current, context) =>
        applyEntries(current, [{ uuid, document: request.body }], context),
      );
      return editedDocument(deps, request.subject, edited);
    },
  );

  route.put(
    `${root}/entry`,
    {
      summary: `Change several entries of ${entity}'s metadata, all or none`,
      role: "_metadata_write",
      input: MetadataEntryListDocument,
      output: MetadataDocument,
    },
    async (request) => {
      const updates = (request.body.entry ?? []).map((document) => ({ uuid: uuidOf(document), document }));
      const edited = await editBy(editorOf(request), paramsOf(request).id, (current, context) =>
        applyEntries(current, updates, context),
      );
      return editedDocument(deps, request.subject, edited);
    },
  );

  route.put(
    `${root}/move`,
    {
      summary: `Move a field or group of ${entity}'s metadata to another timespan`,
      role: "_metadata_write",
      query: {
        uuid: textParameter({ required: true }),
        start: textParameter({ default: "-INF" }),
        end: textParameter({ default: "+INF" }),
      },
      output: MetadataDocument,
    },
    async (request) => {
      const { uuid, start, end } = request.query;
      // A plus sign in a query may have become a space.
      const span = parseTimeSpan(start.replace(" ", "+"), end.replace(" ", "+"));
      const edited = await editBy(editorOf(request), paramsOf(request).id, (current, context) =>
        moveEntry(current, uuid, span, context),
      );
      return editedDocument(deps, request.subject, edited);
    },
  );

  route.get(
    `${root}/graph/dot`,
    {
      summary: `Read ${entity}'s metadata as a graph in the language of Graphviz`,
      role: "_metadata_read",
      query: { groupBy: oneOfParameter(["change", "none"], { default: "change" }) },
      output: "bytes",
    },
    async (request) => {
      const serial = await resolveEntity(environment, kind, paramsOf(request).id);
      const { document } = await readMetadata(environment, request.subject, { kind, serial }, everything);
      const graph = metadataGraph(environment.ids.format(serial), document, request.query.groupBy === "change");
      const type = request.accepts("text/vnd.graphviz") ? "text/vnd.graphviz" : "text/plain";
      return new Response(graph, { headers: { "content-type": `${type}; charset=utf-8` } });
    },
  );
}
