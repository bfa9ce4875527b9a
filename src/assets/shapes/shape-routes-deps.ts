import type { Subject } from "../../plugin/contract.ts";
import type { ShapeValue } from "../documents/shape-document.ts";
import type { EditShapes } from "./edit-shapes.ts";
import { requireShape } from "./find-shape.ts";
import { type ItemShapes, requireItemShapes } from "./read-shapes.ts";
import type { Shape } from "./shape.ts";
import { shapeDocument } from "./shape-documents.ts";
import type { ShapeEnvironment } from "./shape-environment.ts";

/** What the routes of shapes take from the service. */
export interface ShapeRoutesDeps {
  readonly environment: ShapeEnvironment;
  readonly edit: EditShapes;
}

/** Who may read shapes. */
export const readsShapes = ["_shape_read", "_item_shape_read"] as const;
export const writesShapes = "_shape_write";

export const shapesPath = "/item/{itemId}/shape" as const;
export const shapePath = "/item/{itemId}/shape/{shapeId}" as const;

/** The shapes of the item in a path, for a caller who reads. */
export function shapesOf(
  { environment }: ShapeRoutesDeps,
  request: { readonly subject: Subject; readonly params: { readonly itemId: string } },
): Promise<ItemShapes> {
  return requireItemShapes(environment, request.subject, request.params.itemId, "READ");
}

interface ShapeRequest {
  readonly subject: Subject;
  readonly params: { readonly itemId: string; readonly shapeId: string };
}

/** The shape in a path, with the others of its item, for a caller who reads. */
export async function shapeOf(
  deps: ShapeRoutesDeps,
  request: ShapeRequest,
): Promise<{ readonly items: ItemShapes; readonly shape: Shape }> {
  return requireShape(deps.environment, request.subject, request.params, "READ");
}

/** A shape as it is now, whole: what a request that changed it is answered with. */
export async function shownShape(
  { environment }: ShapeRoutesDeps,
  subject: Subject,
  itemId: string,
  serial: number,
): Promise<ShapeValue> {
  const { shapes, files } = await requireItemShapes(environment, subject, itemId, "READ");
  const { format } = environment.ids;
  const shape = shapes.find((one) => one.serial === serial);
  return shape === undefined
    ? { id: format(serial) }
    : shapeDocument(shape, { format, files, includePlaceholder: true });
}
