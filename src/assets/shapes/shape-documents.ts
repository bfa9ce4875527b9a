import { fromEpoch } from "../../documents/date-time.ts";
import type { AnyComponent } from "../documents/component-document.ts";
import type { ShapeValue } from "../documents/shape-document.ts";
import { fileDocument, type UriFilter } from "../files/file-documents.ts";
import type { FilesBySerial } from "./read-shapes.ts";
import type { Component, ComponentKind, Shape } from "./shape.ts";
import type { FormatId } from "./shape-fields.ts";

/** What shows shapes: how ids are written, and the files that were read with the shapes. */
export interface ShapeView {
  readonly format: FormatId;
  readonly files: FilesBySerial;
  /** Components whose files are still to come are shown too. Default `false`. */
  readonly includePlaceholder?: boolean;
  readonly uris?: UriFilter;
}

/** A component as a document. */
export function componentDocument(component: Component, { format, files, uris }: ShapeView): AnyComponent {
  const { serial, description, metadata } = component;
  const found = component.files.flatMap((file) => files.get(file) ?? []);
  return {
    id: format(serial),
    file: found.map((file) => fileDocument(file, format, uris)),
    ...(metadata.length === 0 ? {} : { metadata }),
    ...description,
  };
}

/** The components of a shape that a request shows, in the order of documents. */
export function shownComponents(
  { components }: Shape,
  { includePlaceholder = false }: ShapeView,
): readonly Component[] {
  return includePlaceholder ? components : components.filter(({ awaited }) => !awaited);
}

/** A shape as a document. */
export function shapeDocument(shape: Shape, view: ShapeView): ShapeValue {
  const shown = shownComponents(shape, view);
  const of = (kind: ComponentKind): readonly AnyComponent[] =>
    shown.filter((component) => component.kind === kind).map((component) => componentDocument(component, view));
  const [containerComponent] = of("container");
  return {
    id: view.format(shape.serial),
    created: fromEpoch(shape.created),
    essenceVersion: shape.version,
    tag: shape.tags,
    mimeType: shape.mimeTypes,
    audioComponent: of("audio") as ShapeValue["audioComponent"],
    videoComponent: of("video") as ShapeValue["videoComponent"],
    binaryComponent: of("binary"),
    descriptorComponent: of("descriptor"),
    subtitleComponent: of("subtitle"),
    ...(shape.uuid === undefined ? {} : { uuid: shape.uuid }),
    ...(containerComponent === undefined ? {} : { containerComponent }),
    ...(shape.metadata.length === 0 ? {} : { metadata: { field: shape.metadata } }),
  };
}
