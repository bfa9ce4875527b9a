import { URIListDocument } from "../../documents/uri-list.ts";
import { KinoraError } from "../../errors.ts";
import { intParameter, listParameter, textParameter } from "../../http/parameters.ts";
import { reply } from "../../http/reply.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { ItemDocument, LockDocument } from "../documents/item-document.ts";
import { MetadataDocument } from "../documents/metadata-document.ts";
import { requireEntity } from "../metadata/entity-access.ts";
import { editorOf } from "../metadata/metadata-routes-deps.ts";
import { resolveEntity } from "../metadata/read-metadata.ts";
import { reindexEntities } from "../metadata/reindex.ts";
import { addPlaceholder, type ItemEnvironment } from "./create-item.ts";
import { deleteItems } from "./delete-items.ts";
import { type ItemDocumentEnvironment, itemDocument, itemParameters } from "./item-documents.ts";
import type { ItemLists } from "./item-lists.ts";
import { lockItem, readItemLock, unlockItem } from "./item-lock.ts";

/** What the routes of items take from the service. */
export interface ItemRoutesDeps {
  readonly environment: ItemEnvironment & ItemDocumentEnvironment;
  readonly lists: ItemLists;
}

/** Items that one request deletes. */
const mostDeleted = 10_000;

const keepParameters = { keepShapeTagMedia: listParameter(), keepShapeTagStorage: listParameter() };

/** Items: create as placeholder, read, delete, lock, list what belongs to them. */
export function itemRoutes(deps: ItemRoutesDeps): RouteTable {
  const route = routes();
  const { environment } = deps;
  const one = "/item/{id}" as const;

  route.post(
    "/import/placeholder",
    {
      summary: "Create an item that waits for its media",
      role: "_import",
      query: {
        container: intParameter({ minimum: 0, maximum: 1000 }),
        audio: intParameter({ minimum: 0, maximum: 1000 }),
        video: intParameter({ minimum: 0, maximum: 1000 }),
        binary: intParameter({ minimum: 0, maximum: 1000 }),
        frameDuration: textParameter(),
        importTag: textParameter({ default: "original" }),
        settings: textParameter(),
        type: textParameter(),
      },
      input: MetadataDocument,
      inputOptional: true,
      output: ItemDocument,
      plain: ({ id = "" }) => [id],
    },
    async (request) => {
      const { query, body: metadata } = request;
      const change = request.change();
      const serial = await addPlaceholder(environment, editorOf(request), change, {
        ...query,
        metadata,
        tag: query.importTag,
      });
      await change.commit();
      return { id: environment.ids.format(serial) };
    },
  );

  route.get(
    one,
    {
      summary: "Read an item",
      role: "_item_read",
      query: itemParameters,
      output: ItemDocument,
      etag: true,
    },
    async (request) => {
      const serial = await resolveEntity(environment, "item", request.params.id);
      const { item, version } = await itemDocument(environment, request, serial);
      return version === undefined ? item : reply(item, { etag: version });
    },
  );

  route.delete(
    one,
    { summary: "Delete an item", role: "_item_write", query: keepParameters, output: "none" },
    async (request) => {
      const serial = await resolveEntity(environment, "item", request.params.id);
      await deleteItems(environment, editorOf(request), [serial], request.query);
    },
  );

  route.delete(
    "/item",
    {
      summary: "Delete items; unknown ones are passed over",
      role: "_item_write",
      query: { id: listParameter({ required: true }), ...keepParameters },
      output: "none",
    },
    async (request) => {
      const { id: ids } = request.query;
      if (ids.length > mostDeleted) {
        throw new KinoraError("invalid-input", {
          context: "id",
          explanation: `At most ${mostDeleted} items are deleted by one request`,
        });
      }
      const serials = new Set<number>();
      for (const id of ids) {
        const serial = await known(() => resolveEntity(environment, "item", id));
        if (serial !== undefined) serials.add(serial);
      }
      const { keepShapeTagMedia, keepShapeTagStorage } = request.query;
      const keep = { keepShapeTagMedia, keepShapeTagStorage };
      await deleteItems(environment, editorOf(request), [...serials], keep, { ignoreMissing: true });
    },
  );

  route.put(
    `${one}/re-index`,
    { summary: "Bring an item up to date in the index", role: "_item_write", output: "text" },
    async (request) => {
      const serial = await requireEntity(environment, request.subject, "item", request.params.id, "READ");
      await reindexEntities(environment, () => request.change(), "item", [serial]);
      return "OK";
    },
  );

  addLockRoutes(route, deps);
  addListRoutes(route, deps);
  return route;
}

/** The serial, or nothing for an identifier that names no item. */
async function known(resolve: () => number | Promise<number>): Promise<number | undefined> {
  try {
    return await resolve();
  } catch (error) {
    if (error instanceof KinoraError && error.code === "not-found") return undefined;
    throw error;
  }
}

function addLockRoutes(route: RouteTable, { environment }: ItemRoutesDeps): void {
  const path = "/item/{id}/lock" as const;
  const { store } = environment;
  const query = { duration: intParameter({ default: 0, minimum: 0 }), timestamp: textParameter() };

  route.get(
    path,
    { summary: "Read the lock of an item", role: "_item_read", output: LockDocument },
    async (request) => {
      const serial = await requireEntity(environment, request.subject, "item", request.params.id, "READ");
      const lock = await readItemLock(store, serial);
      if (lock === undefined) throw new KinoraError("not-found", { type: "lock", id: request.params.id });
      return lock;
    },
  );

  route.post(path, { summary: "Lock an item", role: "_item_write", query, output: "none" }, async (request) => {
    const serial = await requireEntity(environment, request.subject, "item", request.params.id, "WRITE");
    await lockItem(store, request.change(), serial, request.subject.userName, request.query);
  });

  route.put(
    path,
    { summary: "Renew the lock of an item", role: "_item_write", query, output: "none" },
    async (request) => {
      const serial = await requireEntity(environment, request.subject, "item", request.params.id, "WRITE");
      const lock = await readItemLock(store, serial);
      if (lock === undefined) throw new KinoraError("not-found", { type: "lock", id: request.params.id });
      await lockItem(store, request.change(), serial, request.subject.userName, request.query);
    },
  );

  route.delete(path, { summary: "End the lock of an item", role: "_item_write", output: "none" }, async (request) => {
    const serial = await requireEntity(environment, request.subject, "item", request.params.id, "WRITE");
    await unlockItem(store, request.change(), serial, request.subject);
  });
}

function addListRoutes(route: RouteTable, { environment, lists }: ItemRoutesDeps): void {
  const declaration = {
    output: URIListDocument,
    plain: ({ uri = [] }: { readonly uri?: readonly string[] | undefined }) => uri,
  };

  for (const [name, summary, role] of [
    ["collections", "List the collections that an item is in", "_item_read"],
    ["library", "List the libraries that an item is in", "_item_read"],
  ] as const) {
    route.get(`/item/{id}/${name}`, { summary, role, ...declaration }, async (request) => {
      const { id } = request.params as { readonly id: string };
      const serial = await requireEntity(environment, request.subject, "item", id, "READ");
      return { uri: await lists.list(name, { ...requestOf(request), item: serial }) };
    });
  }
}

function requestOf(request: Pick<Parameters<ItemLists["list"]>[1], "subject" | "parameter" | "url">) {
  const { subject } = request;
  return {
    subject,
    parameter: (name: string) => request.parameter(name),
    url: (path: string) => request.url(path),
  };
}
