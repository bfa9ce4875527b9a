import { URIListDocument } from "../../documents/uri-list.ts";
import { KinoraError } from "../../errors.ts";
import { booleanParameter, intParameter, listParameter, textParameter } from "../../http/parameters.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { accessKey } from "../access/access-entity.ts";
import { requireAccess } from "../access/require-access.ts";
import { CollectionDocument } from "../documents/collection-document.ts";
import { putMetadata } from "../metadata/put-metadata.ts";
import { allSteps } from "./add-items-of.ts";
import { childKinds, collectionAnswers, collectionParameters, idLines } from "./collection-answers.ts";
import { type CollectionDocumentEnvironment, contentDocuments } from "./collection-documents.ts";
import { requestedContent } from "./content-steps.ts";
import { checkedName, createCollection, namingMetadata } from "./create-collection.ts";
import { deleteCollections, mostDeleted } from "./delete-collections.ts";
import { editContent } from "./edit-content.ts";
import { ancestorsOfCollection } from "./member-lists.ts";
import { requireSteps } from "./plan-content.ts";
import { putCollection } from "./put-collection.ts";
import { readPage } from "./read-members.ts";

const read = "_collection_read";
const write = "_collection_write";

/** Collections: create, read, change, delete, rename. Lists and searches are with the search. */
export function collectionRoutes(environment: CollectionDocumentEnvironment): RouteTable {
  const route = routes();
  const { ids } = environment;
  const one = "/collection/{id}" as const;
  const { serialOf, editing, shown, whole: answer } = collectionAnswers(environment);

  route.post(
    "/collection",
    {
      summary: "Create a collection",
      role: write,
      query: { name: textParameter(), settings: textParameter(), externalId: textParameter() },
      input: CollectionDocument,
      inputOptional: true,
      output: CollectionDocument,
      plain: idLines,
    },
    async (request) => {
      const { query, body: document } = request;
      const edit = editing(request);
      const steps = await allSteps(edit, await requestedContent(environment, document?.content ?? []));
      await requireSteps(edit, steps);
      const serial = await createCollection(edit, { ...query, document });
      if (steps.length > 0) await editContent(edit, serial, steps);
      const id = ids.format(serial);
      const name = checkedName(query.name ?? document?.name);
      return { loc: request.url(`/collection/${id}`), id, ...(name === undefined ? {} : { name }) };
    },
  );

  route.delete(
    "/collection",
    { summary: "Delete collections", role: write, query: { id: listParameter({ required: true }) }, output: "none" },
    async (request) => {
      const { id } = request.query;
      if (id.length > mostDeleted) {
        throw new KinoraError("invalid-input", {
          context: "id",
          explanation: `One request deletes at most ${mostDeleted} collections`,
        });
      }
      const serials: number[] = [];
      for (const identifier of id) serials.push(await serialOf(identifier).catch(noSerial));
      await deleteCollections(editing(request), serials, { ignoreMissing: true });
    },
  );

  route.get(
    one,
    {
      summary: "Read a collection and what is in it",
      role: read,
      etag: true,
      query: {
        ...collectionParameters,
        children: listParameter(),
        first: intParameter({ default: 1, minimum: 0 }),
        number: intParameter({ minimum: 0 }),
      },
      output: CollectionDocument,
      plain: idLines,
    },
    async (request) => {
      const serial = await serialOf(request.params.id);
      const collection = await shown(request, serial);
      const kinds = childKinds(request.query.children);
      const members = await readPage(environment, request.subject, serial, { ...request.query, kinds });
      return { ...collection, content: contentDocuments(environment, (path) => request.url(path), members) };
    },
  );

  route.put(
    one,
    {
      summary: "Change what is in a collection, its name and its metadata",
      role: write,
      query: { clear: booleanParameter({ default: true }) },
      input: CollectionDocument,
      output: CollectionDocument,
      plain: idLines,
    },
    async (request) => {
      const { body, query } = request;
      const { content = [], metadata, absoluteTime } = body;
      const serial = await serialOf(request.params.id);
      const name = checkedName(body.name);
      await putCollection(editing(request), serial, { content, clear: query.clear, name, metadata, absoluteTime });
      return answer(request, serial);
    },
  );

  route.delete(one, { summary: "Delete a collection", role: write, output: "none" }, async (request) =>
    deleteCollections(editing(request), [await serialOf(request.params.id)]),
  );

  route.put(
    "/collection/{id}/rename",
    { summary: "Rename a collection", role: write, query: { name: textParameter({ required: true }) }, output: "none" },
    async (request) => {
      const serial = await serialOf(request.params.id);
      const name = checkedName(request.query.name);
      if (name === undefined) {
        throw new KinoraError("invalid-input", { context: "name", explanation: "A collection has a name" });
      }
      const entity = { kind: "collection", serial } as const;
      await putMetadata(environment, environment.edit, editing(request), entity, namingMetadata(name));
    },
  );

  route.get(
    "/collection/{id}/ancestor",
    {
      summary: "List the collections that a collection is in, directly or through others",
      role: read,
      output: URIListDocument,
      plain: ({ uri = [] }) => uri,
    },
    async (request) => {
      const serial = await serialOf(request.params.id);
      await requireAccess(environment, request.subject, accessKey("collection", serial), "READ");
      return { uri: await ancestorsOfCollection(environment, request.subject, serial) };
    },
  );

  return route;
}

/** Identifiers of nothing are passed over; no collection has the serial 0. */
function noSerial(error: unknown): number {
  if (error instanceof KinoraError && error.code === "not-found") return 0;
  throw error;
}
