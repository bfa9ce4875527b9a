import { pageOf, pageParameters } from "../../http/page.ts";
import { booleanParameter, intParameter, listParameter, textParameter } from "../../http/parameters.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { DocumentListDocument } from "../documents/document-list.ts";
import { MetadataChangeSetDocument, MetadataDocument, TerseMetadataDocument } from "../documents/metadata-document.ts";
import { listChangeSets } from "./history-routes.ts";
import { metadataDocuments } from "./metadata-documents.ts";
import { metadataReply } from "./metadata-reply.ts";
import { editedDocument } from "./metadata-routes.ts";
import { editorOf, type MetadataRoutesDeps } from "./metadata-routes-deps.ts";
import { readRows } from "./metadata-row.ts";
import { deleteDocument, listDocuments, putDocument, requireDocument } from "./named-documents.ts";
import { selectionOf, selectionParameters } from "./selection/selection-parameters.ts";

const mostListed = 1000;
const mostChangeSets = 10_000;

/** Documents of metadata that are addressed by a name. */
export function documentRoutes(deps: MetadataRoutesDeps): RouteTable {
  const route = routes();
  const { environment, edit } = deps;
  const { store } = environment;
  const one = "/document/{name}" as const;

  route.get(
    "/document",
    {
      summary: "List the documents",
      role: "_document_read",
      query: pageParameters({ number: 100, maximum: mostListed }),
      output: DocumentListDocument,
    },
    async (request) => {
      const { offset, limit } = pageOf(request.query);
      const { hits, names } = await listDocuments(store, offset, limit);
      return {
        hits,
        document: names.map((name) => ({ name, uri: request.url(`/document/${encodeURIComponent(name)}`) })),
      };
    },
  );

  route.get(
    one,
    {
      summary: "Read a document",
      role: "_document_read",
      query: selectionParameters,
      output: MetadataDocument,
      alternatives: [TerseMetadataDocument],
      etag: true,
    },
    async ({ params, query, subject }) => {
      const serial = await requireDocument(store, params.name);
      const rows = await readRows(environment, subject, "document", [serial]);
      const [shown] = await metadataDocuments(environment, subject, rows, selectionOf(query));
      return metadataReply(shown, query.terse);
    },
  );

  route.put(
    one,
    {
      summary: "Create or change a document",
      role: "_document_write",
      query: { revision: textParameter(), skipForbidden: booleanParameter({ default: false }) },
      input: MetadataDocument,
      output: MetadataDocument,
    },
    async (request) => {
      const { params, body, query } = request;
      const edited = await putDocument(environment, edit, editorOf(request), params.name, body, query);
      return editedDocument(deps, request.subject, edited);
    },
  );

  route.delete(one, { summary: "Delete a document", role: "_document_write", output: "none" }, async (request) =>
    deleteDocument(environment, () => request.change(), request.params.name),
  );

  route.get(
    `${one}/changes`,
    {
      summary: "List the change sets of a document",
      role: "_document_read",
      query: {
        change: listParameter(),
        first: intParameter({ default: 1, minimum: 0 }),
        number: intParameter({ default: 0, minimum: 0, maximum: mostChangeSets }),
      },
      output: MetadataChangeSetDocument,
    },
    async ({ params, query, subject }) => {
      const serial = await requireDocument(store, (params as { readonly name: string }).name);
      const [row] = await readRows(environment, subject, "document", [serial]);
      return row === undefined ? {} : listChangeSets(deps, subject, row, query);
    },
  );
  return route;
}
