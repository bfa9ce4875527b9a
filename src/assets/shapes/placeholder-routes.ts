import { KinoraError } from "../../errors.ts";
import { intParameter, listParameter, textParameter } from "../../http/parameters.ts";
import { type RouteTable, routes } from "../../http/route-table.ts";
import { SimpleMetadataDocument } from "../../identity/documents.ts";
import { readFiles } from "../files/read-files.ts";
import { editorOf } from "../metadata/metadata-routes-deps.ts";
import { editItemShapes } from "./edit-shapes.ts";
import { findShape, replacing, withComponents } from "./find-shape.ts";
import { requireNewFile } from "./link-file.ts";
import { type AwaitedCounts, awaitedComponents, awaitedKinds, roomFor, withAwaited } from "./placeholders.ts";
import { everyShape } from "./read-shapes.ts";
import { latestVersion, type Shape } from "./shape.ts";
import { checkTagName, mostComponents } from "./shape-bounds.ts";
import { type ShapeRoutesDeps, shapePath, shapesPath, writesShapes } from "./shape-routes-deps.ts";

const count = intParameter({ minimum: 0, maximum: mostComponents });
const counts = { container: count, audio: count, video: count, binary: count };

/** The counts that a request has; a kind that it does not name is not among them. */
function countsOf(query: AwaitedCounts): AwaitedCounts {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

function kindOf(text: string): (typeof awaitedKinds)[number] {
  const kind = awaitedKinds.find((one) => one === text.toLowerCase());
  if (kind !== undefined) return kind;
  throw new KinoraError("invalid-input", {
    context: "component-type",
    value: text.slice(0, 100),
    explanation: `The kind of component must be one of ${awaitedKinds.join(", ")}`,
  });
}

/** Placeholder shapes: create, change what they wait for, give them files that are registered. */
export function placeholderRoutes(deps: ShapeRoutesDeps): RouteTable {
  const { environment, edit } = deps;
  const { ids, store } = environment;
  const route = routes();

  route.post(
    `${shapesPath}/placeholder`,
    {
      summary: "Create a shape that waits for its files",
      role: writesShapes,
      query: { tag: listParameter(), frameDuration: textParameter(), ...counts },
      input: SimpleMetadataDocument,
      inputOptional: true,
      output: "text",
    },
    async (request) => {
      const { tag, frameDuration, ...given } = request.query;
      for (const name of tag) checkTagName(name);
      const components = await awaitedComponents(store.ids, countsOf(given), frameDuration);
      const serial = await store.ids.nextSerial("shape");
      await editItemShapes(edit, editorOf(request), request.params.itemId, (items) => {
        const { item, shapes } = items;
        const shape: Shape = {
          serial,
          item,
          created: store.now(),
          version: latestVersion(everyShape(items)) ?? 0,
          awaited: true,
          tags: [...new Set(tag)],
          mimeTypes: [],
          components,
          metadata: request.body?.field ?? [],
          filenames: {},
          writes: 0,
        };
        return { after: [...shapes, shape] };
      });
      return ids.format(serial);
    },
  );

  route.put(
    `${shapePath}/placeholder`,
    {
      summary: "Change for how many files of each kind a shape waits, and its tags",
      role: writesShapes,
      query: { tag: listParameter(), ...counts },
      input: SimpleMetadataDocument,
      inputOptional: true,
      output: "none",
    },
    async (request) => {
      const { tag, ...given } = request.query;
      for (const name of tag) checkTagName(name);
      await editItemShapes(edit, editorOf(request), request.params.itemId, async (items) => {
        const shape = await findShape(ids, items, request.params.shapeId);
        const components = await withAwaited(store.ids, shape, countsOf(given));
        const changed = withComponents(
          { ...shape, tags: tag.length === 0 ? shape.tags : [...new Set(tag)] },
          components,
        );
        return { after: replacing(items.shapes, changed) };
      });
    },
  );

  route.post(
    "/import/placeholder/{itemId}/{componentType}/adopt/{fileId}",
    {
      summary: "Give a registered file to the component of a placeholder that waits for it",
      role: "_import",
      query: { index: intParameter({ default: 0, minimum: 0 }), shapeId: textParameter() },
      output: "none",
    },
    async (request) => {
      const { params, query } = request;
      const kind = kindOf(params.componentType);
      const file = await ids.resolve("File", params.fileId);
      await editItemShapes(edit, editorOf(request), params.itemId, async (items) => {
        if (!(await readFiles(store, [file])).has(file)) {
          throw new KinoraError("not-found", { type: "File", id: params.fileId });
        }
        await requireNewFile(store, file);
        const among = query.shapeId === undefined ? items.shapes : [await findShape(ids, items, query.shapeId)];
        const { shape, component } = roomFor(among, kind, query.index);
        const filled = shape.components.map((one) =>
          one === component ? { ...component, awaited: false, files: [file] } : one,
        );
        return { after: replacing(items.shapes, withComponents(shape, filled)) };
      });
    },
  );

  return route;
}
