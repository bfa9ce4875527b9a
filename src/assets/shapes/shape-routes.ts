import { URIListDocument, uriLines } from "../../documents/uri-list.ts";
import { booleanParameter, listParameter, oneOfParameter, textParameter } from "../../http/parameters.ts";
import { reply } from "../../http/reply.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { ShapeDocument } from "../documents/shape-document.ts";
import { fileDocument } from "../files/file-documents.ts";
import { itemsOfFiles } from "../files/file-items.ts";
import { readFiles } from "../files/read-files.ts";
import { editorOf } from "../metadata/metadata-routes-deps.ts";
import { FoundFileListDocument } from "../search/documents/list-documents.ts";
import { editItemShapes } from "./edit-shapes.ts";
import { findShape } from "./find-shape.ts";
import { mediaFieldsOf } from "./media-fields.ts";
import { everyShape } from "./read-shapes.ts";
import { filesOf, latestVersion, type Shape } from "./shape.ts";
import { checkTagName } from "./shape-bounds.ts";
import { shapeDocument, shownComponents } from "./shape-documents.ts";
import { shapeContent } from "./shape-from-document.ts";
import {
  readsShapes,
  type ShapeRoutesDeps,
  shapeOf,
  shapePath,
  shapesOf,
  shapesPath,
  shownShape,
  writesShapes,
} from "./shape-routes-deps.ts";
import { selectShapes } from "./shape-selection.ts";
import { originalTag } from "./write-shapes.ts";

/** Parameters by which a request says which addresses of files it wants. */
const uriParameters = { scheme: textParameter() };

/** The newest original of an item, which its fields tell of. */
function originalOf(shapes: readonly Shape[]): Shape | undefined {
  const originals = selectShapes(shapes, { tag: [originalTag], version: "all" });
  return originals.filter(({ version }) => version === latestVersion(originals)).at(-1);
}

/** Shapes as such: list, create, read, delete; their files. */
export function shapeRoutes(deps: ShapeRoutesDeps): RouteTable {
  const { environment, edit } = deps;
  const { ids, store } = environment;
  const route = routes();

  route.get(
    shapesPath,
    {
      summary: "List the shapes of an item",
      role: readsShapes,
      query: {
        placeholder: oneOfParameter(["false", "true", "all"], { default: "false" }),
        tag: listParameter(),
        url: booleanParameter({ default: false }),
        version: textParameter({ default: "latest" }),
      },
      output: URIListDocument,
      plain: uriLines,
    },
    async (request) => {
      const { shapes, item } = await shapesOf(deps, request);
      const found = selectShapes(shapes, request.query).map(({ serial }) => ids.format(serial));
      if (!request.query.url) return { uri: found };
      return { uri: found.map((id) => request.url(`/item/${ids.format(item)}/shape/${id}`)) };
    },
  );

  route.post(
    `${shapesPath}/create`,
    {
      summary: "Create a shape from its description and registered files",
      role: writesShapes,
      query: { tag: listParameter(), updateItemMetadata: booleanParameter({ default: false }) },
      input: ShapeDocument,
      inputOptional: true,
      output: ShapeDocument,
    },
    async (request) => {
      const { params, query, subject, body = {} } = request;
      for (const tag of query.tag) checkTagName(tag);
      const content = await shapeContent(environment, body);
      const serial = await store.ids.nextSerial("shape");
      await editItemShapes(edit, editorOf(request), params.itemId, async (items) => {
        const { item, shapes } = items;
        const shape: Shape = {
          ...content,
          serial,
          item,
          created: store.now(),
          version: latestVersion(everyShape(items)) ?? 0,
          awaited: false,
          tags: [...new Set([...content.tags, ...query.tag])],
          filenames: {},
          writes: 0,
        };
        const after = [...shapes, shape];
        if (!query.updateItemMetadata) return { after };
        return { after, fields: mediaFieldsOf(shape, await readFiles(store, filesOf(shape))) };
      });
      return shownShape(deps, subject, params.itemId, serial);
    },
  );

  route.delete(
    shapesPath,
    {
      summary: "Delete all shapes of an item",
      role: writesShapes,
      query: { keepFiles: booleanParameter({ default: false }) },
      output: "none",
    },
    async (request) => {
      const { keepFiles } = request.query;
      await editItemShapes(edit, editorOf(request), request.params.itemId, () => ({ after: [], keepFiles }));
      return reply(undefined, { status: 204 });
    },
  );

  route.get(
    shapePath,
    {
      summary: "Read a shape",
      role: readsShapes,
      query: { includePlaceholder: booleanParameter({ default: false }), ...uriParameters },
      output: ShapeDocument,
      etag: true,
    },
    async (request) => {
      const { items, shape } = await shapeOf(deps, request);
      const { includePlaceholder, ...uris } = request.query;
      return shapeDocument(shape, { format: ids.format, files: items.files, includePlaceholder, uris });
    },
  );

  route.delete(
    shapePath,
    {
      summary: "Delete a shape",
      role: writesShapes,
      query: {
        keepFiles: booleanParameter({ default: false }),
        updateMetadata: booleanParameter({ default: false }),
        url: booleanParameter({ default: false }),
      },
      output: URIListDocument,
      plain: uriLines,
    },
    async (request) => {
      const { params, query } = request;
      await editItemShapes(edit, editorOf(request), params.itemId, async (items) => {
        const shape = await findShape(ids, items, params.shapeId);
        const after = items.shapes.filter((one) => one !== shape);
        const { keepFiles } = query;
        if (!query.updateMetadata) return { after, keepFiles };
        return { after, keepFiles, fields: mediaFieldsOf(originalOf(after), items.files) };
      });
      return {};
    },
  );

  route.get(
    `${shapePath}/file`,
    {
      summary: "List the files of a shape",
      role: readsShapes,
      query: {
        closedFiles: booleanParameter({ default: true }),
        includeItem: booleanParameter({ default: false }),
        ...uriParameters,
      },
      output: FoundFileListDocument,
    },
    async (request) => {
      const { query, subject } = request;
      const { items, shape } = await shapeOf(deps, request);
      const view = { format: ids.format, files: items.files };
      const serials = [...new Set(shownComponents(shape, view).flatMap(({ files }) => files))];
      const files = serials
        .flatMap((serial) => items.files.get(serial) ?? [])
        .filter(({ state }) => !query.closedFiles || state === "CLOSED");
      const belongs = query.includeItem ? await itemsOfFiles(environment, subject, serials) : undefined;
      const documents = files.map((file) => ({
        ...fileDocument(file, ids.format, query),
        ...(belongs === undefined ? {} : { item: belongs.get(file.serial) ?? [] }),
      }));
      return { hits: documents.length, file: documents };
    },
  );

  return route;
}
