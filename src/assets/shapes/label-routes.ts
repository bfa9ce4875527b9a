import { URIListDocument, uriLines } from "../../documents/uri-list.ts";
import { KinoraError } from "../../errors.ts";
import { booleanParameter, textParameter } from "../../http/parameters.ts";
import { type AnyRouteRequest, type RouteTable, routes } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import { editorOf } from "../metadata/metadata-routes-deps.ts";
import { editItemShapes } from "./edit-shapes.ts";
import { findShape, replacing } from "./find-shape.ts";
import type { Shape } from "./shape.ts";
import { checkFileName, checkMimeType, checkTagName } from "./shape-bounds.ts";
import { readsShapes, type ShapeRoutesDeps, shapeOf, shapePath, writesShapes } from "./shape-routes-deps.ts";

type ShapeRequest = Pick<AnyRouteRequest, "change"> & {
  readonly subject: Subject;
  readonly params: { readonly itemId: string; readonly shapeId: string };
};

function without(list: readonly string[], entry: string, type: string): readonly string[] {
  if (!list.includes(entry)) throw new KinoraError("not-found", { type, id: entry });
  return list.filter((one) => one !== entry);
}

function withEntry(list: readonly string[], entry: string): readonly string[] {
  return list.includes(entry) ? list : [...list, entry];
}

function isSame(a: Shape, b: Shape): boolean {
  return a.tags === b.tags && a.mimeTypes === b.mimeTypes && a.filenames === b.filenames;
}

/** What stands at a shape: its tags, its MIME types, the names that its files get on storages. */
export function labelRoutes(deps: ShapeRoutesDeps): RouteTable {
  const { environment, edit } = deps;
  const { ids, store } = environment;
  const route = routes();

  function change(request: ShapeRequest, edited: (shape: Shape) => Shape): Promise<void> {
    const { itemId, shapeId } = request.params;
    return editItemShapes(edit, editorOf(request), itemId, async (items) => {
      const shape = await findShape(ids, items, shapeId);
      const after = edited(shape);
      return { after: isSame(shape, after) ? items.shapes : replacing(items.shapes, after) };
    });
  }

  route.get(
    `${shapePath}/tag`,
    {
      summary: "List the tags of a shape",
      role: readsShapes,
      query: { url: booleanParameter({ default: false }) },
      output: URIListDocument,
      plain: uriLines,
    },
    async (request) => {
      const { tags } = (await shapeOf(deps, request)).shape;
      if (!request.query.url) return { uri: tags };
      return { uri: tags.map((tag) => request.url(`/shape-tag/${encodeURIComponent(tag)}`)) };
    },
  );

  route.put(`${shapePath}/tag/{tagName}`, { summary: "Tag a shape", role: writesShapes, output: "none" }, (request) => {
    const { tagName } = request.params;
    checkTagName(tagName);
    return change(request, (shape) => ({ ...shape, tags: withEntry(shape.tags, tagName) }));
  });

  route.delete(
    `${shapePath}/tag/{tagName}`,
    { summary: "Take a tag from a shape", role: writesShapes, output: "none" },
    (request) =>
      change(request, (shape) => ({ ...shape, tags: without(shape.tags, request.params.tagName, "shape-tag") })),
  );

  route.get(
    `${shapePath}/mime`,
    { summary: "List the MIME types of a shape", role: readsShapes, output: URIListDocument, plain: uriLines },
    async (request) => ({ uri: (await shapeOf(deps, request)).shape.mimeTypes }),
  );

  route.put(
    `${shapePath}/mime/{mimeType...}`,
    { summary: "Give a shape a MIME type", role: writesShapes, output: "none" },
    (request) => {
      const { mimeType } = request.params;
      checkMimeType(mimeType);
      return change(request, (shape) => ({ ...shape, mimeTypes: withEntry(shape.mimeTypes, mimeType) }));
    },
  );

  route.delete(
    `${shapePath}/mime/{mimeType...}`,
    { summary: "Take a MIME type from a shape", role: writesShapes, output: "none" },
    (request) =>
      change(request, (shape) => ({
        ...shape,
        mimeTypes: without(shape.mimeTypes, request.params.mimeType, "mime-type"),
      })),
  );

  /** The serial of a storage, in the form in which it is a key. */
  function storageKey(identifier: string): string {
    const serial = store.ids.parse(identifier);
    if (serial === undefined) throw new KinoraError("not-found", { type: "Storage", id: identifier });
    return String(serial);
  }

  route.get(
    `${shapePath}/filename`,
    {
      summary: "List the storages on which the files of a shape get a name of their own",
      role: readsShapes,
      output: URIListDocument,
      plain: uriLines,
    },
    async (request) => {
      const { filenames } = (await shapeOf(deps, request)).shape;
      return { uri: Object.keys(filenames).map((storage) => ids.format(Number(storage))) };
    },
  );

  const filename = `${shapePath}/filename/{storageId}` as const;
  route.get(
    filename,
    { summary: "Read the name that the files of a shape get on a storage", role: readsShapes, output: "text" },
    async (request) => {
      const { storageId } = request.params;
      const name = (await shapeOf(deps, request)).shape.filenames[storageKey(storageId)];
      if (name === undefined) throw noSuchName(storageId);
      return name;
    },
  );

  route.put(
    filename,
    {
      summary: "Set the name that the files of a shape get on a storage",
      role: writesShapes,
      query: { filename: textParameter({ required: true }) },
      output: "none",
    },
    (request) => {
      const { params, query } = request;
      checkFileName(query.filename);
      const key = storageKey(params.storageId);
      return change(request, (shape) =>
        shape.filenames[key] === query.filename
          ? shape
          : { ...shape, filenames: { ...shape.filenames, [key]: query.filename } },
      );
    },
  );

  route.delete(
    filename,
    {
      summary: "Let the files of a shape get the usual name on a storage",
      role: writesShapes,
      query: { filename: textParameter() },
      output: "none",
    },
    (request) => {
      const { params, query } = request;
      const gone = storageKey(params.storageId);
      return change(request, (shape) => {
        const { [gone]: name, ...filenames } = shape.filenames;
        const isMeant = query.filename === undefined || query.filename === name;
        if (name === undefined || !isMeant) throw noSuchName(params.storageId);
        return { ...shape, filenames };
      });
    },
  );

  return route;
}

function noSuchName(storageId: string): KinoraError {
  return new KinoraError("not-found", { type: "filename", id: storageId });
}
