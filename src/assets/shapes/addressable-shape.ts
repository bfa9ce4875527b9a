import type { Addressable } from "../addressable.ts";
import { findShape } from "./find-shape.ts";
import { requireItemShapes } from "./read-shapes.ts";
import type { ShapeEnvironment } from "./shape-environment.ts";

/** Shapes as those parts see them that treat all kinds of entity alike. */
export function addressableShape(environment: ShapeEnvironment): Addressable {
  const { ids } = environment;
  return {
    type: "shape",
    words: "a shape",
    path: "/item/{itemId}/shape/{shapeId}",
    hasShortForm: false,
    async find(subject, { itemId = "", shapeId = "" }, needed) {
      const { serial } = await findShape(ids, await requireItemShapes(environment, subject, itemId, needed), shapeId);
      return { serial, id: ids.format(serial) };
    },
  };
}
