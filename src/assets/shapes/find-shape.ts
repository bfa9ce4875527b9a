import { KinoraError } from "../../errors.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Permission } from "../access-port.ts";
import type { EntityIds } from "../entity-ids.ts";
import { type ItemShapes, requireItemShapes, requirePermission } from "./read-shapes.ts";
import type { Component, Shape } from "./shape.ts";
import type { ShapeEnvironment } from "./shape-environment.ts";

/** The shape of an item that an identifier names. @throws KinoraError `not-found` */
export async function findShape(ids: EntityIds, { shapes }: ItemShapes, identifier: string): Promise<Shape> {
  const serial = await ids.resolve("shape", identifier);
  const shape = shapes.find((one) => one.serial === serial);
  if (shape === undefined) throw new KinoraError("not-found", { type: "shape", id: identifier });
  return shape;
}

/**
 * The shape that a path names, with the others of its item.
 *
 * @throws KinoraError `not-found`; `forbidden` without the permission on this shape that is needed
 */
export async function requireShape(
  environment: Pick<ShapeEnvironment, "store" | "access" | "ids">,
  subject: Subject | undefined,
  { itemId = "", shapeId = "" }: { readonly itemId?: string; readonly shapeId?: string },
  needed: Permission,
): Promise<{ readonly items: ItemShapes; readonly shape: Shape }> {
  const items = await requireItemShapes(environment, subject, itemId, "READ");
  const shape = await findShape(environment.ids, items, shapeId);
  requirePermission(items.grades.permission(shape.tags), needed, "shape", shapeId);
  return { items, shape };
}

/** The component of a shape that an identifier names. @throws KinoraError `not-found` */
export async function findComponent(ids: EntityIds, shape: Shape, identifier: string): Promise<Component> {
  const serial = await ids.resolve("component", identifier);
  const component = shape.components.find((one) => one.serial === serial);
  if (component === undefined) throw new KinoraError("not-found", { type: "component", id: identifier });
  return component;
}

/** The shapes with one of them in another state. */
export function replacing(shapes: readonly Shape[], shape: Shape): readonly Shape[] {
  return shapes.map((one) => (one.serial === shape.serial ? shape : one));
}

/** The shape with other components; it is a placeholder as long as one of them waits for its file. */
export function withComponents(shape: Shape, components: readonly Component[]): Shape {
  return { ...shape, components, awaited: components.some(({ awaited }) => awaited) };
}
