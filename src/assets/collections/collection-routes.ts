import { URIListDocument } from "../../documents/uri-list.ts";
import { KinoraError } from "../../errors.ts";
import {
  booleanParameter,
  intParameter,
  listParameter,
  oneOfParameter,
  repeatedParameter,
  textParameter,
} from "../../http/parameters.ts";
import { type AnyRouteRequest, type RouteTable, routes } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import { accessKey } from "../access/access-entity.ts";
import { resolveAccessEntity } from "../access/entity-id.ts";
import { requireAccess } from "../access/require-access.ts";
import type { AccessKind } from "../access-port.ts";
import { type Collection, CollectionDocument, CollectionReorderDocument } from "../documents/collection-document.ts";
import { putMetadata } from "../metadata/put-metadata.ts";
import { selectionParameters } from "../metadata/selection/selection-parameters.ts";
import { addItemsOf } from "./add-items-of.ts";
import {
  type CollectionDocumentEnvironment,
  type CollectionRequest,
  collectionDocuments,
  contentDocuments,
} from "./collection-documents.ts";
import { metadataEdit, reorderSteps, requestedContent } from "./content-steps.ts";
import { checkedName, createCollection, namingMetadata } from "./create-collection.ts";
import { deleteCollections, mostDeleted } from "./delete-collections.ts";
import { type CollectionEditing, editContent, replaceContent } from "./edit-content.ts";
import { mapToFolder, nameFolder, unmapFolder } from "./folder.ts";
import { ancestorsOfCollection } from "./member-lists.ts";
import { readPage } from "./read-members.ts";

/** What the routes of collections take from the service. */
export interface CollectionRoutesDeps {
  readonly environment: CollectionDocumentEnvironment;
}

/** Parameters by which requests say what of collections they want. */
export const collectionParameters = { ...selectionParameters, content: listParameter(), revision: textParameter() };

const read = "_collection_read";
const write = "_collection_write";

type SubjectRequest = Pick<AnyRouteRequest, "change"> & { readonly subject: Subject };

function idLines({ id = "" }: Collection): readonly string[] {
  return [id];
}

/** Collections: create, read, delete, rename, and their members. Lists and searches are with the search. */
export function collectionRoutes({ environment }: CollectionRoutesDeps): RouteTable {
  const route = routes();
  const { ids } = environment;
  const one = "/collection/{id}" as const;
  const editing = (request: SubjectRequest): CollectionEditing => ({
    environment,
    subject: request.subject,
    change: () => request.change(),
  });
  const serialOf = async (id: string) => Math.floor((await resolveAccessEntity(environment, "collection", id)) / 8);
  const shown = async (request: CollectionRequest, serial: number): Promise<Collection> => {
    const [found] = await collectionDocuments(environment, request, [serial]);
    if (found === undefined) throw new KinoraError("not-found", { type: "Collection", id: ids.format(serial) });
    return found.collection;
  };

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
      const content = await requestedContent(environment, document?.content ?? []);
      for (const { key } of content.steps) await requireAccess(environment, request.subject, key, "READ");
      const serial = await createCollection(edit, { ...query, document });
      if (content.steps.length > 0) await editContent(edit, serial, content.steps);
      for (const source of content.itemsOf) await addItemsOf(edit, serial, source);
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
      const { body, query, subject } = request;
      const serial = await serialOf(request.params.id);
      const edit = editing(request);
      await requireAccess(environment, subject, accessKey("collection", serial), "WRITE");
      const { steps, itemsOf, whole } = await requestedContent(environment, body.content ?? []);
      if (whole && steps.length > 0) await replaceContent(edit, serial, steps, query.clear);
      else await editContent(edit, serial, steps);
      for (const source of itemsOf) await addItemsOf(edit, serial, source);
      const name = checkedName(body.name);
      const entity = { kind: "collection", serial } as const;
      if (body.metadata !== undefined) await putMetadata(environment, environment.edit, edit, entity, body.metadata);
      if (name !== undefined) await putMetadata(environment, environment.edit, edit, entity, namingMetadata(name));
      const collection = await shown(plainRequest(request), serial);
      const members = await readPage(environment, subject, serial, { first: 1, kinds: childKinds([]) });
      return { ...collection, content: contentDocuments(environment, (path) => request.url(path), members) };
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

  route.post(
    "/collection/{id}/order",
    {
      summary: "Move members of a collection before or after others",
      role: write,
      input: CollectionReorderDocument,
      output: CollectionDocument,
      plain: idLines,
    },
    async (request) => {
      const serial = await serialOf(request.params.id);
      await editContent(editing(request), serial, await reorderSteps(environment, request.body));
      const collection = await shown(plainRequest(request), serial);
      const members = await readPage(environment, request.subject, serial, { first: 1, kinds: childKinds([]) });
      return { ...collection, content: contentDocuments(environment, (path) => request.url(path), members) };
    },
  );

  route.put(
    "/collection/{id}/map-to-folder",
    { summary: "Mark a collection as mapped to a folder", role: write, output: "none" },
    async (request) => mapToFolder(editing(request), await serialOf(request.params.id)),
  );
  route.delete(
    "/collection/{id}/map-to-folder",
    { summary: "End the mapping of a collection to a folder", role: write, output: "none" },
    async (request) => unmapFolder(editing(request), await serialOf(request.params.id)),
  );
  route.put(
    "/collection/{id}/folder-name",
    {
      summary: "Set the name of the folder of a collection",
      role: write,
      query: { name: textParameter({ required: true }) },
      output: "text",
    },
    async (request) => nameFolder(editing(request), await serialOf(request.params.id), request.query.name),
  );

  const member = "/collection/{id}/{memberId}" as const;
  const memberType = { type: oneOfParameter(["item", "collection", "library"], { default: "item" }) } as const;
  const memberOf = (type: AccessKind, identifier: string) => resolveAccessEntity(environment, type, identifier);

  route.put(
    member,
    {
      summary: "Put an item, collection or library into a collection",
      role: write,
      query: { ...memberType, addItems: booleanParameter({ default: false }), metadata: repeatedParameter() },
      output: "none",
    },
    async (request) => {
      const { params, query } = request;
      const serial = await serialOf(params.id);
      const key = await memberOf(query.type, params.memberId);
      if (query.addItems && query.type !== "item") {
        await addItemsOf(editing(request), serial, key);
        return;
      }
      const metadata = metadataEdit(query.metadata);
      await editContent(editing(request), serial, [
        { mode: "add", key, ...(metadata === undefined ? {} : { metadata }) },
      ]);
    },
  );

  route.delete(
    member,
    {
      summary: "Take an item, collection or library out of a collection, or remove an external identifier of it",
      role: write,
      query: memberType,
      output: "none",
    },
    async (request) => {
      const { params, query } = request;
      const serial = await serialOf(params.id);
      if (request.parameter("type") === undefined) {
        await requireAccess(environment, request.subject, accessKey("collection", serial), "WRITE");
        if (await environment.removeIdentifier?.(() => request.change(), serial, params.memberId)) return;
      }
      const key = await memberOf(query.type, params.memberId);
      if (await editContent(editing(request), serial, [{ mode: "remove", key }])) return;
      throw new KinoraError("not-found", { type: "collection-member", id: params.memberId });
    },
  );

  return route;
}

/** A request for the plain document, whatever parameters it has. */
function plainRequest(request: Pick<CollectionRequest, "subject" | "url">): CollectionRequest {
  const none = Object.fromEntries(
    Object.entries(collectionParameters).map(([name, parameter]) => [name, parameter.default]),
  ) as CollectionRequest["query"];
  return { subject: request.subject, url: (path) => request.url(path), parameter: () => undefined, query: none };
}

/** Identifiers of nothing are passed over; no collection has the serial 0. */
function noSerial(error: unknown): number {
  if (error instanceof KinoraError && error.code === "not-found") return 0;
  throw error;
}

const everyKind: readonly AccessKind[] = ["item", "collection", "library"];

/** Which members are shown. @throws KinoraError `invalid-input` */
function childKinds(children: readonly string[]): readonly AccessKind[] {
  if (children.length === 0 || children.includes("all")) return everyKind;
  const unknown = children.find((name) => name !== "none" && !everyKind.some((kind) => kind === name));
  if (unknown !== undefined) {
    throw new KinoraError("invalid-input", {
      context: "children",
      value: unknown.slice(0, 100),
      explanation: "The parameter children is a list of item, collection, library, or all or none",
    });
  }
  return everyKind.filter((kind) => children.includes(kind));
}
