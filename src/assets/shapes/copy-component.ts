import { KinoraError } from "../../errors.ts";
import { withComponents } from "./find-shape.ts";
import { tooManyContainers } from "./placeholders.ts";
import type { Component, Shape } from "./shape.ts";

/** How a component comes into another shape. */
export interface CopyOptions {
  /** Of the copy, when it does not take the place of another component. */
  readonly serial: number;
  /** Its place among the components of its kind, from 0. Default: the last. */
  readonly index?: number | undefined;
  /** The pairs of its metadata come with it. */
  readonly keepMetadata: boolean;
}

/** The shape with a copy of a component, which has the same files. @throws KinoraError `invalid-input`, `conflict` */
export function withCopy(shape: Shape, component: Component, options: CopyOptions): Shape {
  const { kind } = component;
  const same = shape.components.filter((one) => one.kind === kind);
  if (kind === "container" && same.length > 0) throw tooManyContainers();
  const metadata = options.keepMetadata ? component.metadata : [];
  const copy: Component = { ...component, serial: options.serial, metadata };
  const index = Math.min(options.index ?? same.length, same.length);
  const others = shape.components.filter((one) => one.kind !== kind);
  return withComponents(shape, [...others, ...same.slice(0, index), copy, ...same.slice(index)]);
}

/**
 * The shape with a copy of a component in the place of one of its own, which keeps its id and its pairs.
 *
 * @throws KinoraError `conflict` for a component of another kind
 */
export function withReplaced(shape: Shape, target: Component, component: Component): Shape {
  if (target.kind !== component.kind) {
    throw new KinoraError("conflict", {
      context: "component",
      explanation: `A component of the kind ${component.kind} cannot take the place of one of the kind ${target.kind}`,
    });
  }
  const { awaited, description, files } = component;
  const copy: Component = { ...target, awaited, description, files };
  return withComponents(
    shape,
    shape.components.map((one) => (one.serial === target.serial ? copy : one)),
  );
}
