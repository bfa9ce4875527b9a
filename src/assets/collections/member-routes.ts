import { KinoraError } from "../../errors.ts";
import { booleanParameter, oneOfParameter, repeatedParameter, textParameter } from "../../http/parameters.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { accessKey } from "../access/access-entity.ts";
import { resolveAccessEntity } from "../access/entity-id.ts";
import { requireAccess } from "../access/require-access.ts";
import type { AccessKind } from "../access-port.ts";
import { CollectionDocument, CollectionReorderDocument } from "../documents/collection-document.ts";
import { addItemsOf } from "./add-items-of.ts";
import { collectionAnswers, idLines } from "./collection-answers.ts";
import type { CollectionDocumentEnvironment } from "./collection-documents.ts";
import { metadataEdit, reorderSteps } from "./content-steps.ts";
import { editContent } from "./edit-content.ts";
import { mapToFolder, nameFolder, unmapFolder } from "./folder.ts";

const write = "_collection_write";

/** What is in a collection: one by one, and its order; and the folder that it is mapped to. */
export function memberRoutes(environment: CollectionDocumentEnvironment): RouteTable {
  const route = routes();
  const { serialOf, editing, whole } = collectionAnswers(environment);

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
      return whole(request, serial);
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
