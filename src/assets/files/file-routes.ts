import { KinoraError } from "../../errors.ts";
import { booleanParameter, textParameter } from "../../http/parameters.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { addKeyValueRoutes } from "../../identity/key-value-routes.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Store } from "../../store/store.ts";
import type { AccessPort } from "../access-port.ts";
import { FileDocument } from "../documents/file-document.ts";
import type { EntityIds } from "../entity-ids.ts";
import type { RelatedIndex } from "../related-index-port.ts";
import { fileDocument } from "./file-documents.ts";
import { itemsOfFiles } from "./file-items.ts";
import { fileFromDocument } from "./new-file.ts";
import { requireFile } from "./read-files.ts";
import { addFile, findFile, updateFile } from "./register-file.ts";

/** What the routes of files take from the service. */
export interface FileRoutesDeps {
  readonly store: Store;
  readonly ids: EntityIds;
  readonly access: AccessPort;
  readonly index: RelatedIndex;
}

const reads = "_file_read";
const writes = "_file_write";
/** A file answers under its short path and under that of the storages. */
const filePaths = ["/file/{fileId}", "/storage/file/{fileId}"] as const;

/** Files as entities: register one that is not on a storage, read, simple metadata. */
export function fileRoutes(deps: FileRoutesDeps): RouteTable {
  const { store, ids, index } = deps;
  const route = routes();

  async function shown(
    request: {
      readonly subject: Subject;
      readonly query: { readonly includeItem: boolean; readonly scheme?: string | undefined };
    },
    identifier: string,
  ) {
    const file = await requireFile(deps, identifier);
    const document = fileDocument(file, ids.format, request.query);
    if (!request.query.includeItem) return document;
    const items = await itemsOfFiles(deps, request.subject, [file.serial]);
    return { ...document, item: items.get(file.serial) ?? [] };
  }

  route.post(
    "/storage/file",
    {
      summary: "Register a file by its address; with createOnly=false update one that is known",
      role: writes,
      query: { createOnly: booleanParameter({ default: true }) },
      input: FileDocument,
      output: FileDocument,
      plain: ({ id = "" }) => [id],
    },
    async (request) => {
      const file = fileFromDocument(request.body);
      const known = request.query.createOnly ? undefined : await findFile(store, file);
      const change = request.change();
      const serial = known ?? (await addFile(store, index, change, file));
      if (known !== undefined) updateFile(store, index, change, await requireFile(deps, ids.format(known)), file);
      await change.commit();
      return fileDocument(await requireFile(deps, ids.format(serial)), ids.format);
    },
  );

  for (const path of filePaths) {
    route.get(
      path,
      {
        summary: "Read a file",
        role: reads,
        query: { includeItem: booleanParameter({ default: false }), scheme: textParameter() },
        output: FileDocument,
        etag: true,
        plain: ({ id = "", path: place, uri = [] }) => [`${id}\t${place ?? uri[0] ?? ""}`],
      },
      (request) => shown(request, (request.params as { readonly fileId: string }).fileId),
    );

    addKeyValueRoutes(route, store, {
      path,
      entity: "a file",
      read: reads,
      write: writes,
      setStatus: 204,
      owner: async ({ fileId = "" }) => ({
        entity: "file",
        row: { sql: "(select id from file where id = ?)", args: [await ids.resolve("File", fileId)] },
        missing: new KinoraError("not-found", { type: "File", id: fileId }),
      }),
    });
  }

  return route;
}
