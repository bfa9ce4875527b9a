import { KinoraError } from "../../errors.ts";
import { booleanParameter, intParameter, oneOfParameter } from "../../http/parameters.ts";
import { type AnyRouteRequest, type RouteTable, routes } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import { ComponentDocument, ComponentListDocument } from "../documents/component-document.ts";
import { readFiles } from "../files/read-files.ts";
import { editorOf } from "../metadata/metadata-routes-deps.ts";
import { withCopy } from "./copy-component.ts";
import { editItemShapes } from "./edit-shapes.ts";
import { findComponent, findShape, replacing, withComponents } from "./find-shape.ts";
import { requireNewFile } from "./link-file.ts";
import { awaited } from "./placeholders.ts";
import type { ItemShapes } from "./read-shapes.ts";
import { type Component, componentKinds, type Shape } from "./shape.ts";
import { componentDocument, type ShapeView } from "./shape-documents.ts";
import { readsShapes, type ShapeRoutesDeps, shapeOf, shapePath, shapesOf, writesShapes } from "./shape-routes-deps.ts";

export const componentPath = `${shapePath}/component/{componentId}` as const;

export interface ComponentParams {
  readonly itemId: string;
  readonly shapeId: string;
  readonly componentId: string;
}

type ComponentRequest = Pick<AnyRouteRequest, "change"> & {
  readonly subject: Subject;
  readonly params: ComponentParams;
};

/** Components of shapes: list, read, add, remove, their files. */
export function componentRoutes(deps: ShapeRoutesDeps): RouteTable {
  const { environment, edit } = deps;
  const { ids, store } = environment;
  const route = routes();

  const viewOf = ({ files }: ItemShapes): ShapeView => ({ format: ids.format, files });

  route.get(
    `${shapePath}/component`,
    {
      summary: "List the components of a shape",
      role: readsShapes,
      output: ComponentListDocument,
    },
    async (request) => {
      const { items, shape } = await shapeOf(deps, request);
      return { component: shape.components.map((component) => componentDocument(component, viewOf(items))) };
    },
  );

  route.get(
    componentPath,
    {
      summary: "Read a component: its files and metadata, with full=true all that is known of it",
      role: readsShapes,
      query: { full: booleanParameter({ default: false }) },
      output: ComponentDocument,
      etag: true,
      plain: ({ id = "" }) => [id],
    },
    async (request) => {
      const { items, shape } = await shapeOf(deps, request);
      const component = await findComponent(ids, shape, request.params.componentId);
      return componentDocument(request.query.full ? component : { ...component, description: {} }, viewOf(items));
    },
  );

  route.post(
    `${shapePath}/component/placeholder`,
    {
      summary: "Add a component that waits for its file",
      role: writesShapes,
      query: {
        type: oneOfParameter(componentKinds, { required: true }),
        index: intParameter({ minimum: 0 }),
      },
      output: ComponentDocument,
    },
    async (request) => {
      const { params, query } = request;
      const serial = await store.ids.nextSerial("component");
      const component = awaited(serial, query.type);
      await editItemShapes(edit, editorOf(request), params.itemId, async (items) => {
        const shape = await findShape(ids, items, params.shapeId);
        return { after: replacing(items.shapes, withAdded(shape, component, query.index)) };
      });
      return { id: ids.format(serial) };
    },
  );

  /** Changes one component; `undefined` takes it away. */
  function change(
    request: ComponentRequest,
    keepFiles: boolean,
    edited: (component: Component, items: ItemShapes) => Component | undefined | Promise<Component | undefined>,
  ): Promise<void> {
    const { itemId, shapeId, componentId } = request.params;
    return editItemShapes(edit, editorOf(request), itemId, async (items) => {
      const shape = await findShape(ids, items, shapeId);
      const component = await findComponent(ids, shape, componentId);
      const after = await edited(component, items);
      if (after === component) return { after: items.shapes };
      const components = shape.components.flatMap((one) => (one === component ? (after ?? []) : one));
      return { after: replacing(items.shapes, withComponents(shape, components)), keepFiles };
    });
  }

  route.delete(
    componentPath,
    {
      summary: "Delete a component",
      role: writesShapes,
      query: { keepFiles: booleanParameter({ default: false }) },
      output: "none",
    },
    (request) => change(request, request.query.keepFiles, () => undefined),
  );

  route.put(
    `${componentPath}/file/{fileId}`,
    {
      summary: "Make a registered file part of a component",
      role: writesShapes,
      query: { allowReimport: booleanParameter({ default: false }) },
      output: ComponentDocument,
    },
    async (request) => {
      const { params, query } = request;
      const file = await ids.resolve("File", params.fileId);
      await change(request, true, async (component) => {
        if (component.files.includes(file)) return component;
        if (!(await readFiles(store, [file])).has(file)) {
          throw new KinoraError("not-found", { type: "File", id: params.fileId });
        }
        if (!query.allowReimport) await requireNewFile(store, file);
        return { ...component, awaited: false, files: [...component.files, file] };
      });
      const items = await shapesOf(deps, request);
      const shape = await findShape(ids, items, params.shapeId);
      return componentDocument(await findComponent(ids, shape, params.componentId), viewOf(items));
    },
  );

  route.delete(
    `${componentPath}/file/{fileId}`,
    {
      summary: "Take a file from a component; the file itself stays",
      role: writesShapes,
      output: "none",
    },
    async (request) => {
      const { fileId } = request.params;
      const file = await ids.resolve("File", fileId);
      await change(request, true, (component) => {
        if (!component.files.includes(file)) throw new KinoraError("not-found", { type: "File", id: fileId });
        return { ...component, files: component.files.filter((one) => one !== file) };
      });
    },
  );

  return route;
}

/** The shape with a further component at a place among those of its kind. */
function withAdded(shape: Shape, component: Component, index: number | undefined): Shape {
  return withCopy(shape, component, { serial: component.serial, index, keepMetadata: true });
}
