import type { Addressable } from "../addressable.ts";
import { requireShape } from "./find-shape.ts";
import type { ShapeEnvironment } from "./shape-environment.ts";

/** Shapes as those parts see them that treat all kinds of entity alike. */
export function addressableShape(environment: ShapeEnvironment): Addressable {
  const { ids } = environment;
  return {
    type: "shape",
    words: "a shape",
    path: "/item/{itemId}/shape/{shapeId}",
    hasShortForm: false,
    async find(subject, params, needed) {
      const { serial } = (await requireShape(environment, subject, params, needed)).shape;
      return { serial, id: ids.format(serial) };
    },
  };
}
